"""Questions over tables: parsing of their text, selection of rows and columns, operations over cells."""
