"""The routes of the service, one module for each part of the Python API."""
