"""Language models: client, providers, reply cache, retries, JSON output."""
