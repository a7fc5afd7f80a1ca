"""The `.cypher` files of Hopline and their loader."""
