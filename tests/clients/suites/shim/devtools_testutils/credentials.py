"""Bearer tokens as `tables emulator --oauth basic` accepts them, and ones that it rejects."""

import base64
import json
import time

from azure.core.credentials import AccessToken
from azure.core.exceptions import ClientAuthenticationError

_NOBODY = "00000000-0000-0000-0000-000000000000"


def _token():
    now = int(time.time())
    claims = {
        "iss": f"https://sts.windows.net/{_NOBODY}/",
        "aud": "https://storage.azure.com",
        "oid": _NOBODY,
        "tid": _NOBODY,
        "iat": now,
        "nbf": now - 60,
        "exp": now + 3600,
    }
    parts = [json.dumps(part).encode() for part in ({"alg": "none", "typ": "JWT"}, claims)] + [b"unsigned"]
    text = ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)
    return AccessToken(text, claims["exp"])


def _token_unless_excluded(options):
    """Fails as `DefaultAzureCredential` does if all sources of credentials are excluded."""
    if options.get("exclude_environment_credential"):
        raise ClientAuthenticationError("no source of credentials is left")
    return _token()


class EmulatorCredential:
    """Stands in for `DefaultAzureCredential`."""

    def __init__(self, *_arguments, **options):
        self._options = options

    def get_token(self, *_scopes, **_options):
        return _token_unless_excluded(self._options)

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        pass


class AsyncEmulatorCredential:
    """The same for coroutines."""

    def __init__(self, *_arguments, **options):
        self._options = options

    async def get_token(self, *_scopes, **_options):
        return _token_unless_excluded(self._options)

    async def close(self):
        pass

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_error):
        pass


def get_credential(*, is_async=False, **_options):
    return AsyncEmulatorCredential() if is_async else EmulatorCredential()


class FakeTokenCredential:
    """A credential whose tokens have expired and are not tokens. It counts how often it was asked."""

    def __init__(self):
        self.token = AccessToken("no token", 0)
        self.get_token_count = 0

    def get_token(self, *_scopes, **_options):
        self.get_token_count += 1
        return self.token
