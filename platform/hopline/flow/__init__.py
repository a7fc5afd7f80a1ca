"""What a flow yields, and the runner that answers it."""
