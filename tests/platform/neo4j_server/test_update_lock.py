from typing import Protocol

import pytest

from hopline.neo4j_server.artifacts import Artifact
from hopline.neo4j_server.update_lock import resolve_lock


class Repository(Protocol):
    files: dict[str, bytes]

    def publish(self, name: str, data: bytes, *, group: str = ..., version: str = ...) -> Artifact: ...


def pom(group: str, name: str, version: str, *needs: tuple[str, str]) -> bytes:
    """A project that needs artifacts of ``org.example`` 1.0, each with its scope."""
    wanted = "".join(
        f"<dependency><groupId>org.example</groupId><artifactId>{artifact}</artifactId><version>1.0</version>"
        f"<scope>{scope}</scope></dependency>"
        for artifact, scope in needs
    )
    return (
        f"<project><modelVersion>4.0.0</modelVersion><groupId>{group}</groupId><artifactId>{name}</artifactId>"
        f"<version>{version}</version><dependencies>{wanted}</dependencies></project>"
    ).encode()


@pytest.mark.timeout(60)
def test_a_new_lock_has_the_server_first_and_its_runtime_dependencies(repository: Repository) -> None:
    server = repository.publish("neo4j", b"server", group="org.neo4j", version="9.9")
    alpha, beta = (repository.publish(name, name.encode()) for name in ("alpha", "beta"))
    repository.files["/org/neo4j/neo4j/9.9/neo4j-9.9.pom"] = pom(
        "org.neo4j", "neo4j", "9.9", ("beta", "compile"), ("tester", "test")
    )
    repository.files["/org/example/beta/1.0/beta-1.0.pom"] = pom("org.example", "beta", "1.0", ("alpha", "runtime"))
    repository.files["/org/example/alpha/1.0/alpha-1.0.pom"] = pom("org.example", "alpha", "1.0")
    lock = resolve_lock("9.9")
    assert lock.version == "9.9"
    assert lock.artifacts == (server, alpha, beta)
