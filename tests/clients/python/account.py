"""The account under test, as a connection string names it, and names that no other case uses."""

import itertools
import uuid

from azure.core.credentials import AzureNamedKeyCredential
from azure.data.tables import TableServiceClient
from azure.storage.blob import BlobServiceClient
from azure.storage.queue import QueueServiceClient

# A refusal is an answer. A client that waits and asks again would hide one.
ONCE = {"retry_total": 0}


class Account:
    def __init__(self, connection):
        parts = dict(part.split("=", 1) for part in connection.split(";") if part)
        self.connection = connection
        self.name = parts["AccountName"]
        self.key = parts["AccountKey"]
        self.table_url = parts["TableEndpoint"].rstrip("/")
        self.queue_url = parts["QueueEndpoint"].rstrip("/")
        self.blob_url = parts["BlobEndpoint"].rstrip("/")
        self.credential = AzureNamedKeyCredential(self.name, self.key)
        self._numbers = itertools.count()
        self._run = uuid.uuid4().hex[:12]

    def key_pair(self):
        """The key as the clients of queues and blobs take it."""
        return {"account_name": self.name, "account_key": self.key}

    def fresh_name(self):
        """Lower-case letters and digits: a name for a table, a queue or a container."""
        return f"py{self._run}n{next(self._numbers)}"

    def tables(self, **named):
        return TableServiceClient.from_connection_string(self.connection, **ONCE, **named)

    def table(self):
        """A table of its own, empty."""
        return self.tables().create_table(self.fresh_name())

    def queues(self):
        return QueueServiceClient.from_connection_string(self.connection, **ONCE)

    def queue(self):
        """A queue of its own, empty."""
        return self.queues().create_queue(self.fresh_name())

    def blobs(self, **named):
        return BlobServiceClient.from_connection_string(self.connection, **ONCE, **named)

    def container(self, **named):
        """A container of its own, empty."""
        return self.blobs(**named).create_container(self.fresh_name())
