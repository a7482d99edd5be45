"""The base of the test classes."""

import hashlib
import os
import time

from .credentials import get_credential


def is_live():
    """Returns whether requests are sent to a server."""
    return True


def name_of_test():
    """Returns the running test as pytest names it, the same in all of its phases."""
    return os.environ["PYTEST_CURRENT_TEST"].rsplit(" (", 1)[0]


class AzureRecordedTestCase:
    """What every test class of the suites uses."""

    is_live = True

    def setup_method(self, _method=None):
        """Calls `setUp` as for a test case of `unittest`: some tests need what it sets."""
        getattr(self, "setUp", lambda: None)()

    def is_playback(self):
        return False

    def get_resource_name(self, prefix):
        """Returns the same name whenever a test asks for this prefix, and other names for other tests."""
        return prefix + hashlib.sha256(name_of_test().encode()).hexdigest()[:12]

    def get_credential(self, _client=None, is_async=False, **_options):
        return get_credential(is_async=is_async)

    def get_settings_value(self, _name):
        return "00000000-0000-0000-0000-000000000000"

    def generate_sas(self, generate, *arguments, **options):
        return generate(*arguments, **options)

    def sleep(self, seconds):
        time.sleep(seconds)
