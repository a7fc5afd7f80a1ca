"""The archive of the server's classes, with which Java starts in about half the time.

Java maps an archive of classes (application class-data sharing) instead of parsing them from 200 jars: 3.7 s instead of
6.5 s until the server answers. The first server that runs without an archive lists the classes that it loads, and
after it has stopped, Java writes the archive with the lowest priority (20 s). It lies in the cache folder, beside the
jars. Java ignores an archive that does not fit, and starts without it.

Light imports only: the watchdog imports this module.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from hopline.neo4j_server.configuration import format_argument_file

PREFIX, SUFFIX = "classes-", ".jsa"
MAX_ARCHIVES = 2  # of different Java installations that share a cache folder; 93 MB each
CREATE_TIMEOUT = 600.0  # seconds
# A line of Java's class list: `java/lang/Object id: 0`. Generated classes cannot be archived by name.
LISTED_CLASS = re.compile(r"^([\w/$]+) id: \d+$")
GENERATED_CLASS = re.compile(r"(?:^|/)\$?Proxy\d+$")


def locate_archive(jars: Sequence[Path], java: Path) -> Path:
    """Return the path of the archive for this Java and these jars, in their folder, whether or not it exists."""
    modules = java.parent.parent / "lib" / "modules"
    stamp = modules.stat().st_mtime_ns if modules.exists() else 0
    digest = hashlib.sha256("\0".join(map(str, (java, stamp, *jars))).encode()).hexdigest()
    return jars[0].parent / f"{PREFIX}{digest[:16]}{SUFFIX}"


def build_archive_options(archive: Path, class_list: Path) -> list[str]:
    """Return the options with which Java uses the archive, or lists its classes in ``class_list`` if there is none.

    An empty archive is the mark of a failed attempt, which is not repeated.
    """
    try:
        size = archive.stat().st_size
    except OSError:
        return [f"-XX:DumpLoadedClassList={class_list}"]
    return [f"-XX:SharedArchiveFile={archive}"] if size else []


def create_archive(archive: Path, java: Path, arguments: str, class_list: Path) -> bool:
    """Create the archive of the listed classes; return whether this call did.

    ``arguments`` is the text of the argument file with which Java ran.

    False if there is an archive, another process creates it, the list is missing or the folder cannot be written.
    """
    try:
        names = read_class_names(class_list)
        with FileLock(archive.with_suffix(".lock"), timeout=0):
            if archive.exists() or not names:
                return False
            return _create(archive, java, arguments, names)
    except (Timeout, OSError):
        return False
    finally:
        with suppress(OSError):
            class_list.unlink()


def read_class_names(class_list: Path) -> list[str]:
    """Read the names of the classes in Java's list, which may end within a line if Java was killed."""
    lines = class_list.read_text("utf-8", "replace").splitlines()
    names = [match[1] for line in lines if (match := LISTED_CLASS.match(line))]
    return [name for name in dict.fromkeys(names) if not GENERATED_CLASS.search(name)]


def _create(archive: Path, java: Path, arguments: str, names: list[str]) -> bool:
    unfinished = archive.with_suffix(".unfinished")  # replaced by the next attempt if this process is killed
    listed, options = archive.with_suffix(".classes"), archive.with_suffix(".args")
    listed.write_text("\n".join(names) + "\n", "utf-8")
    dump = ["-Xshare:dump", f"-XX:SharedClassListFile={listed}", f"-XX:SharedArchiveFile={unfinished}"]
    options.write_text(format_argument_file(dump) + arguments, "utf-8")
    try:
        subprocess.run(
            [str(java), f"@{options}"],
            cwd=archive.parent,  # the home folder may be removed meanwhile
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=CREATE_TIMEOUT,
            check=False,
            preexec_fn=_lower_priority if sys.platform != "win32" else None,
        )
        created = unfinished.exists()
        if created:
            unfinished.replace(archive)
        else:
            archive.touch()
        _delete_old_archives(archive.parent)
        return created
    finally:
        for path in (unfinished, listed, options):
            path.unlink(missing_ok=True)


def _lower_priority() -> None:
    os.nice(19)


def _delete_old_archives(folder: Path) -> None:
    newest_first = sorted(folder.glob(f"{PREFIX}*{SUFFIX}"), key=lambda path: -path.stat().st_mtime)
    for path in newest_first[MAX_ARCHIVES:]:
        with suppress(OSError):
            path.unlink()
