from pathlib import Path

from hopline.neo4j_server.configuration import (
    build_java_arguments,
    build_neo4j_conf,
    format_argument_file,
    format_initial_password,
)


def test_only_one_loopback_port_listens_and_nothing_is_reported() -> None:
    settings = dict(line.split("=", 1) for line in build_neo4j_conf(port=7001, pagecache_mb=64).splitlines())
    assert settings["server.bolt.listen_address"] == "127.0.0.1:7001"
    assert settings["server.http.enabled"] == settings["server.https.enabled"] == "false"
    assert settings["dbms.usage_report.enabled"] == "false"
    assert settings["server.memory.pagecache.size"] == "64m"


def test_java_arguments_have_the_heap_size_and_the_packages_of_vector_indexes() -> None:
    arguments = build_java_arguments(Path("/h"), [Path("/jars/a.jar")], heap_mb=300)
    assert "-Xmx300m" in arguments
    assert "--add-opens=java.base/java.nio=ALL-UNNAMED" in arguments
    assert arguments[arguments.index("-cp") + 1] == str(Path("/jars/a.jar"))


def test_spaces_quotes_and_backslashes_in_arguments_are_escaped() -> None:
    assert format_argument_file(["-cp", r'C:\My "jars"\a.jar']) == '"-cp"\n"C:\\\\My \\"jars\\"\\\\a.jar"\n'


def test_the_initial_password_equals_that_of_neo4j_admin() -> None:
    # written by `neo4j-admin dbms set-initial-password abc_DEF-12345678` of Neo4j 5.26.28
    salt = bytes.fromhex("4ac6a837854d602a45cc6bacbf05a05221b1ba267c62ca46af0da5ad399d70f1")
    digest = "21f0adadf1baf2e45ade28ca2c1f2c497a9e13843da5bef426dc260ceb72dcff"
    assert format_initial_password("abc_DEF-12345678", salt) == f"neo4j:SHA-256,{digest},{salt.hex()},1024:\n"
