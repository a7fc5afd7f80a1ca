"""Health, readiness and metrics, for what runs the service."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response

from hopline import __version__
from hopline.api.access import Authorized
from hopline.api.bodies import Health
from hopline.api.client import Client

router = APIRouter(tags=["health"])

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_PROBLEM: dict[int | str, dict[str, Any]] = {503: {"description": "The database cannot be reached."}}


@router.get("/healthz", summary="Whether the service runs")
async def get_health() -> Health:
    """Say that the process answers; it does not ask the database."""
    return Health(version=__version__)


@router.get("/readyz", responses=_PROBLEM, summary="Whether questions can be answered")
async def get_readiness(hop: Client) -> Health:
    """Say that the database answers; 503 if it does not."""
    await asyncio.to_thread(hop.collections)
    return Health(version=__version__)


@router.get("/metrics", response_class=Response, summary="Metrics in the format of Prometheus")
async def get_metrics(request: Request, access: Authorized) -> Response:
    """Return counts and durations of requests by route."""
    access.check("read")
    return Response(request.app.state.metrics.render(), media_type=METRICS_TYPE)
