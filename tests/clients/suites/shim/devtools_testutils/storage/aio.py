"""The base of the test classes with coroutines."""

from . import GenericTestProxyParametrize1, GenericTestProxyParametrize2, StorageRecordedTestCase


class AsyncStorageRecordedTestCase(StorageRecordedTestCase):
    """The same methods: none of them waits."""
