"""Metrics of the service in the format of Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """Counts requests by route and status, their durations, and open ones; each service has its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "hopline_requests", "Requests by route and status.", ("method", "route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            *("hopline_request_seconds", "Duration of requests by route.", ("method", "route")),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.open_requests = Gauge("hopline_open_requests", "Requests that are being answered.", registry=self.registry)
        self.questions = Counter(
            "hopline_questions", "Questions by the status of their answer.", ("status",), registry=self.registry
        )
        self.uploaded_bytes = Counter("hopline_uploaded_bytes", "Bytes of uploaded files.", registry=self.registry)

    def render(self) -> bytes:
        """Return all metrics as text."""
        return generate_latest(self.registry)
