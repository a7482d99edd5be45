"""The recorder of requests for coroutines."""

from .recording import recorded_by_proxy as recorded_by_proxy_async
