"""Decision whether the running worker is replaced by one with the settings of a client, and how to say so."""

from __future__ import annotations

from dataclasses import dataclass

from hopline.config import Settings
from hopline.documents.lease_holder import LeaseHolder
from hopline.documents.worker_settings import describe_differences, find_differences


@dataclass(frozen=True, slots=True)
class WorkerChange:
    """What to do about a worker with other settings.

    ``replace``: it is to be stopped, and one with the client's settings started. ``notice`` says so to the user;
    ``refusal`` says why the worker was not replaced, and what to do.
    """

    replace: bool
    notice: str
    refusal: str


def compare_settings(settings: Settings, holder: LeaseHolder, retry: str) -> WorkerChange | None:
    """Compare the settings of a client with those of the running worker; None if nothing is to be done.

    A worker of another machine, and one that stays when idle, was started by its operator: only the settings that
    change its results are compared, and it is not replaced. Nor is a worker with a language model by a client without.
    ``retry`` is the command that repeats work.
    """
    if holder.settings is None:
        return None
    is_own = holder.is_local and not holder.settings.stays
    differences = find_differences(settings, holder.settings, resources=is_own)
    if not differences:
        return None
    has_model = bool(holder.settings.model) and not settings.model
    change = describe_differences(differences, was="was")
    other = describe_differences(differences, was="of the worker:")
    if has_model:
        reason = f"it was not restarted, since it has HOPLINE_MODEL {holder.settings.model}, which is not set here"
        advice = f"set it, or run: hopline stop; then {retry}"
    elif not holder.is_local:
        reason = f"it runs on the machine {holder.machine} and was not restarted"
        advice = f"run there: hopline stop; then here: {retry}"
    else:
        reason = "it was not restarted, since it was started to stay, or by another user"
        advice = f"restart it with these settings, then {retry}"
    return WorkerChange(
        replace=is_own and not has_model,
        notice=f"the worker was restarted with new settings: {change}",
        refusal=f"the worker has other settings: {other}; {reason}; {advice}",
    )
