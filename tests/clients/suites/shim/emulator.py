"""A plugin of pytest that runs a suite against the emulator, under the host names of Azure.

`SUITES_PORTS` contains the ports (`blob=1,queue=2,table=3`), `SUITES_ACCOUNT` and `SUITES_KEY` the account,
`SUITES_OUTCOMES` the file for one line of JSON per test.
"""

import json
import os
import socket
import sys
import time
import types

import pytest

from devtools_testutils.credentials import AsyncEmulatorCredential, EmulatorCredential
from devtools_testutils.recording import test_proxy

_PORTS = dict(part.split("=") for part in os.environ["SUITES_PORTS"].split(","))
_resolve = socket.getaddrinfo


def _resolve_to_emulator(host, port, *arguments, **options):
    """Resolves the names of Azure to the emulator. Other names do not exist, so that no test leaves this machine."""
    name = host.decode() if isinstance(host, bytes) else host
    labels = (name or "").split(".")
    if labels[2:] == ["core", "windows", "net"] and labels[1] in _PORTS:
        return _resolve("127.0.0.1", int(_PORTS[labels[1]]), *arguments, **options)
    if name in ("127.0.0.1", "localhost", "::1"):
        return _resolve(host, port, *arguments, **options)
    raise socket.gaierror(socket.EAI_NONAME, f"{name} is not served by the emulator")


class _NoManagement:
    """Creates and changes accounts in Azure, which no emulator can do."""

    def __init__(self, *_arguments, **_options):
        raise NotImplementedError("the management of accounts")


def _module(name, **contents):
    module = types.ModuleType(name)
    vars(module).update(contents)
    sys.modules[name] = module


def pytest_configure(config):
    config.addinivalue_line("markers", "live_test_only: runs only against a server")
    config.addinivalue_line("markers", "playback_test_only: runs only with a recording")
    socket.getaddrinfo = _resolve_to_emulator
    # Not installed: they would look for a user of Azure.
    _module("azure.identity", DefaultAzureCredential=EmulatorCredential)
    _module("azure.identity.aio", DefaultAzureCredential=AsyncEmulatorCredential)
    _module("azure.mgmt")
    _module("azure.mgmt.storage", StorageManagementClient=_NoManagement)
    _module("azure.mgmt.storage.aio", StorageManagementClient=_NoManagement)
    account, key = os.environ["SUITES_ACCOUNT"], os.environ["SUITES_KEY"]
    for kind in ("", "SECONDARY_", "BLOB_", "VERSIONED_", "PREMIUM_", "SOFT_DELETE_"):
        os.environ[f"{kind}STORAGE_ACCOUNT_NAME"] = account
        os.environ[f"{kind}STORAGE_ACCOUNT_KEY"] = key
    os.environ["STORAGE_RESOURCE_GROUP_NAME"] = "group"
    os.environ["TABLES_STORAGE_ACCOUNT_NAME"] = account
    os.environ["TABLES_PRIMARY_STORAGE_ACCOUNT_KEY"] = key
    if "SUITES_NO_WAITING" in os.environ:
        _shorten_waits()


def _shorten_waits():
    """Ends pauses of ten seconds and more immediately. The tests of tables wait for Azure to apply a change everywhere;
    the emulator has applied it when it responds."""
    sleep = time.sleep
    time.sleep = lambda seconds: sleep(seconds) if seconds < 10 else None


def pytest_ignore_collect(collection_path):
    """Skips measurements, blobs of several gigabytes, and the tests for Cosmos DB, which is another service."""
    if any(part in collection_path.name for part in ("cosmos", "perfstress_tests", "test_largest_block_blob")):
        return True
    return None


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("playback_test_only"):
            item.add_marker(pytest.mark.skip(reason="the suite runs it with recorded responses only"))


_outcomes = {}


def pytest_collectreport(report):
    if report.failed:
        _outcomes[report.nodeid] = {"case": report.nodeid, "ms": 0, "wrong": _end(report.longreprtext)}


def pytest_runtest_logreport(report):
    outcome = _outcomes.setdefault(report.nodeid, {"case": report.nodeid, "ms": 0, "wrong": None})
    outcome["ms"] += int(report.duration * 1000)
    if report.failed and not outcome["wrong"]:
        outcome["wrong"] = _end(report.longreprtext)
    elif report.skipped:
        outcome["skipped"] = report.longrepr[2] if isinstance(report.longrepr, tuple) else "skipped"


def pytest_sessionfinish():
    with open(os.environ["SUITES_OUTCOMES"], "w", encoding="utf-8") as file:
        for outcome in _outcomes.values():
            print(json.dumps(outcome), file=file)


def _end(text):
    """Returns the last lines of an error."""
    return "\n".join(text.splitlines()[-12:])[:2000] or "failed"
