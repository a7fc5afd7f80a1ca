"""Documents of a collection: adding, storing files, progress, the worker process."""
