"""Tokens that the emulator rejects, for coroutines."""

from .credentials import FakeTokenCredential


class AsyncFakeCredential(FakeTokenCredential):
    async def get_token(self, *scopes, **options):
        return super().get_token(*scopes, **options)

    async def close(self):
        pass

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_error):
        pass
