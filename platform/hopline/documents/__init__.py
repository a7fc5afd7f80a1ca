"""Documents of a collection: adding, file store, progress, worker process."""
