"""The client of a running service: the methods of `hopline.client.Hopline` over HTTP (`Hopline.connect`)."""
