"""Shared access signatures of queues and of the account."""

from datetime import datetime, timedelta, timezone

from azure.storage.queue import (
    AccessPolicy,
    AccountSasPermissions,
    QueueClient,
    QueueSasPermissions,
    QueueServiceClient,
    ResourceTypes,
    generate_account_sas,
    generate_queue_sas,
)

from account import ONCE
from cases import case, equal, refused

_DENIED = (403, "AuthorizationPermissionMismatch")


def _soon():
    return datetime.now(timezone.utc) + timedelta(hours=1)


def _signed(account, queue, **named):
    token = generate_queue_sas(account.name, queue.queue_name, account.key, **named)
    return QueueClient(account.queue_url, queue.queue_name, credential=token, **ONCE)


@case
def each_operation_needs_its_letter(account):
    queue = account.queue()

    def only(letters):
        return _signed(account, queue, permission=QueueSasPermissions.from_string(letters), expiry=_soon())

    refused(_DENIED, only("rup").send_message, "a")
    sent = only("a").send_message("a")
    refused(_DENIED, only("aup").peek_messages)
    equal([message.content for message in only("r").peek_messages()], ["a"])
    refused(_DENIED, only("rau").receive_message)
    taken = only("p").receive_message(visibility_timeout=60)
    equal(taken.id, sent.id)
    refused(_DENIED, only("rap").update_message, taken, visibility_timeout=60)
    updated = only("u").update_message(taken, visibility_timeout=60)
    refused(_DENIED, only("rau").delete_message, taken.id, updated.pop_receipt)
    only("p").delete_message(taken.id, updated.pop_receipt)


@case
def a_policy_gives_what_the_signature_leaves_out_and_takes_it_away(account):
    queue = account.queue()
    policy = AccessPolicy(permission=QueueSasPermissions(read=True), expiry=_soon(), start=datetime.now(timezone.utc) - timedelta(hours=1))
    queue.set_queue_access_policy({"readers": policy})
    equal(sorted(queue.get_queue_access_policy()), ["readers"])
    signed = _signed(account, queue, policy_id="readers")
    equal(signed.peek_messages(), [])
    refused(_DENIED, signed.send_message, "a")
    queue.set_queue_access_policy({})
    refused((403, "AuthenticationFailed"), signed.peek_messages)


@case
def a_signature_of_the_account_goes_by_kinds_of_resources(account):
    def only(kinds, letters):
        permission = AccountSasPermissions.from_string(letters)
        token = generate_account_sas(account.name, account.key, ResourceTypes.from_string(kinds), permission, _soon())
        return QueueServiceClient(account.queue_url, credential=token, **ONCE)

    service = only("sco", "rwdlacup")
    queue = service.create_queue(account.fresh_name())
    queue.send_message("a")
    equal([message.content for message in only("o", "r").get_queue_client(queue.queue_name).peek_messages()], ["a"])
    refused((403, "AuthorizationResourceTypeMismatch"), only("o", "rwdlacup").create_queue, account.fresh_name())
    refused(_DENIED, only("sco", "rl").get_queue_client(queue.queue_name).send_message, "a")
    assert queue.queue_name in [found.name for found in service.list_queues(name_starts_with=queue.queue_name)]
    queue.delete_queue()


@case
def a_wrong_key_is_refused(account):
    wrong = QueueServiceClient(account.queue_url, credential={**account.key_pair(), "account_key": "d3Jvbmc="}, **ONCE)
    refused((403, "AuthenticationFailed"), list, wrong.list_queues())
