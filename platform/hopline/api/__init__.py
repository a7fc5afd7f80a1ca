"""The REST service (``hopline serve``): FastAPI over one open `hopline.client.Hopline`."""
