"""What the tests of the Azure SDKs import from their repository, written for an emulator: nothing is recorded."""

from .accounts import EnvironmentVariableLoader, EnvironmentVariableOptions, PowerShellPreparer
from .case import AzureRecordedTestCase, is_live
from .credentials import FakeTokenCredential, get_credential
from .recording import (
    add_body_key_sanitizer,
    add_body_regex_sanitizer,
    add_general_regex_sanitizer,
    add_header_regex_sanitizer,
    add_oauth_response_sanitizer,
    add_remove_header_sanitizer,
    add_uri_regex_sanitizer,
    add_uri_string_sanitizer,
    recorded_by_proxy,
    remove_batch_sanitizers,
    set_custom_default_matcher,
    test_proxy,
)
from .responses import ResponseCallback, RetryCounter
