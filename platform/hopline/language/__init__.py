"""What English words share and mean, without a model."""
