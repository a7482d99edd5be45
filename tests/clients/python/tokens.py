"""Runs the cases with bearer tokens, on an emulator with TLS: `python tokens.py CERTIFICATE CONNECTION_STRING`."""

import base64
import json
import sys
import time

from azure.core.credentials import AccessToken
from azure.data.tables import TableServiceClient
from azure.storage.blob import BlobServiceClient
from azure.storage.queue import QueueServiceClient

import cases
from account import Account, ONCE
from cases import case, equal, refused

CERTIFICATE = sys.argv[1]


class Entra:
    """A credential as `DefaultAzureCredential` is one: its tokens have no valid signature."""

    def __init__(self, **claims):
        self.claims = claims

    def get_token(self, *_scopes, **_named):
        now = int(time.time())
        claims = {
            "iss": "https://sts.windows.net/72f988bf-86f1-41af-91ab-2d7cd011db47/",
            "aud": "https://storage.azure.com",
            "iat": now,
            "nbf": now - 60,
            "exp": now + 3600,
        }
        claims.update(self.claims)
        parts = [{"typ": "JWT", "alg": "RS256"}, claims]
        encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
        return AccessToken(".".join([*encoded, "bm90LXNpZ25lZA"]), now + 3600)


def _named(credential):
    return {"credential": credential, "connection_verify": CERTIFICATE, **ONCE}


@case
def tables_are_used_with_a_token(account):
    service = TableServiceClient(account.table_url, **_named(Entra()))
    table = service.create_table(account.fresh_name())
    table.create_entity({"PartitionKey": "p", "RowKey": "r", "Age": 5})
    equal([entity["Age"] for entity in table.query_entities("Age eq 5")], [5])
    service.delete_table(table.table_name)


@case
def queues_are_used_with_a_token(account):
    queue = QueueServiceClient(account.queue_url, **_named(Entra())).create_queue(account.fresh_name())
    queue.send_message("hello")
    equal([message.content for message in queue.receive_messages()], ["hello"])


@case
def blobs_are_used_with_a_token(account):
    container = BlobServiceClient(account.blob_url, **_named(Entra())).create_container(account.fresh_name())
    container.upload_blob("a", b"hello")
    equal(container.download_blob("a").readall(), b"hello")


@case
def a_token_for_something_else_is_refused(account):
    for claims in [
        {"aud": "https://graph.microsoft.com"},
        {"iss": "https://example.com/"},
        {"exp": int(time.time()) - 1},
        {"nbf": int(time.time()) + 600},
    ]:
        service = QueueServiceClient(account.queue_url, **_named(Entra(**claims)))
        refused((403, "AuthenticationFailed"), service.create_queue, account.fresh_name())


@case
def policies_need_the_key(account):
    table = TableServiceClient(account.table_url, **_named(Entra())).create_table(account.fresh_name())
    refused((403, "AuthorizationFailure"), table.get_table_access_policy)


cases.run(Account(sys.argv[2]))
