"""The recorder of requests, which is not used: each test sends its requests to the emulator."""

import pytest


def recorded_by_proxy(test):
    """Returns the test unchanged."""
    return test


def _ignored(*_arguments, **_options):
    """Accepts a setting of the recorder."""


add_body_key_sanitizer = _ignored
add_body_regex_sanitizer = _ignored
add_general_regex_sanitizer = _ignored
add_header_regex_sanitizer = _ignored
add_oauth_response_sanitizer = _ignored
add_remove_header_sanitizer = _ignored
add_uri_regex_sanitizer = _ignored
add_uri_string_sanitizer = _ignored
remove_batch_sanitizers = _ignored
set_custom_default_matcher = _ignored


@pytest.fixture(scope="session")
def test_proxy():
    """Starts nothing. Fixtures of the suites require it by name."""
