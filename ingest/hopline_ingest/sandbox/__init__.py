"""Parsing in processes with limits on memory, CPU and time."""
