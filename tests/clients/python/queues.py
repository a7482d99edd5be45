"""Queues and their messages, as the official client uses them."""

from datetime import datetime, timedelta, timezone
from urllib.parse import urlsplit

from azure.storage.queue import BinaryBase64DecodePolicy, BinaryBase64EncodePolicy, CorsRule, Metrics, RetentionPolicy
from azure.storage.queue import QueueAnalyticsLogging, QueueServiceClient

from account import ONCE
from cases import case, equal, refused


@case
def a_queue_is_made_once_and_deleted_once(account):
    queue = account.queues().get_queue_client(account.fresh_name())
    queue.create_queue(metadata={"kind": "first"})
    # The client refuses the 204 by which the service takes the same again; other metadata are the service's refusal.
    refused((204, "QueueAlreadyExists"), queue.create_queue, metadata={"kind": "first"})
    refused((409, "QueueAlreadyExists"), queue.create_queue, metadata={"kind": "second"})
    queue.delete_queue()
    refused((404, "QueueNotFound"), queue.delete_queue)


@case
def names_outside_the_rules_are_refused(account):
    service = account.queues()
    for name in ("Upper", "double--hyphen", "-first", "last-", "under_score"):
        refused((400, "InvalidResourceName"), service.create_queue, name)
    for name in ("ab", "a" * 64):
        refused((400, "OutOfRangeInput"), service.create_queue, name)


@case
def queues_are_listed_in_pages_by_prefix(account):
    service, stem = account.queues(), account.fresh_name()
    for number in range(5):
        service.create_queue(f"{stem}-{number}", metadata={"number": str(number)})
    pages = service.list_queues(name_starts_with=f"{stem}-", include_metadata=True, results_per_page=2).by_page()
    found = [[(queue.name, queue.metadata["number"]) for queue in page] for page in pages]
    expected = [(f"{stem}-{number}", str(number)) for number in range(5)]
    equal(found, [expected[:2], expected[2:4], expected[4:]])
    equal(list(service.list_queues(name_starts_with=account.fresh_name())), [])


@case
def metadata_are_replaced_together(account):
    queue = account.queue()
    queue.set_queue_metadata({"a": "1", "b": "two words"})
    equal(queue.get_queue_properties().metadata, {"a": "1", "b": "two words"})
    queue.set_queue_metadata({"c": "3"})
    equal(queue.get_queue_properties().metadata, {"c": "3"})
    missing = account.queues().get_queue_client(account.fresh_name())
    refused((404, "QueueNotFound"), missing.get_queue_properties)


@case
def a_message_is_put_taken_and_deleted(account):
    queue = account.queue()
    now = datetime.now(timezone.utc)
    sent = queue.send_message("hello")
    assert sent.id and sent.pop_receipt
    equal(sent.expires_on - sent.inserted_on, timedelta(days=7))
    assert abs(sent.inserted_on - now) < timedelta(minutes=5), sent.inserted_on
    equal(queue.get_queue_properties().approximate_message_count, 1)
    taken = queue.receive_message(visibility_timeout=60)
    equal((taken.id, taken.content, taken.dequeue_count), (sent.id, "hello", 1))
    equal(queue.receive_message(), None)
    queue.delete_message(taken)
    refused((404, "MessageNotFound"), queue.delete_message, taken)
    equal(queue.get_queue_properties().approximate_message_count, 0)


@case
def messages_keep_every_character(account):
    queue = account.queue()
    for text in ("", "<a>&amp;</a>", "  spaces  ", "ä€🦀", "line\nline", "\"'"):
        queue.send_message(text)
        taken = queue.receive_message()
        equal(taken.content, text)
        queue.delete_message(taken)


@case
def bytes_go_as_base64(account):
    queue = account.queue()
    queue = account.queues().get_queue_client(
        queue.queue_name, message_encode_policy=BinaryBase64EncodePolicy(), message_decode_policy=BinaryBase64DecodePolicy()
    )
    queue.send_message(bytes(range(256)))
    equal(queue.receive_message().content, bytes(range(256)))


@case
def a_peek_changes_nothing(account):
    queue = account.queue()
    for number in range(3):
        queue.send_message(f"{number}")
    equal([message.content for message in queue.peek_messages(max_messages=2)], ["0", "1"])
    equal([message.dequeue_count for message in queue.peek_messages(max_messages=32)], [0, 0, 0])
    taken = queue.receive_message(visibility_timeout=60)
    equal(taken.content, "0")
    equal([message.content for message in queue.peek_messages(max_messages=32)], ["1", "2"])


@case
def many_messages_come_by_pages_of_32(account):
    queue = account.queue()
    for number in range(40):
        queue.send_message(f"{number}")
    pages = queue.receive_messages(messages_per_page=32, visibility_timeout=60).by_page()
    found = [[message.content for message in page] for page in pages]
    equal([len(page) for page in found if page], [32, 8])
    equal(sorted((content for page in found for content in page), key=int), [f"{number}" for number in range(40)])


@case
def a_receipt_is_good_until_the_next(account):
    queue = account.queue()
    sent = queue.send_message("one")
    taken = queue.receive_message(visibility_timeout=60)
    refused((400, "PopReceiptMismatch"), queue.delete_message, sent.id, sent.pop_receipt)
    updated = queue.update_message(taken, content="two", visibility_timeout=0)
    refused((400, "PopReceiptMismatch"), queue.delete_message, taken.id, taken.pop_receipt)
    again = queue.receive_message()
    equal((again.content, again.dequeue_count), ("two", 2))
    assert updated.pop_receipt != again.pop_receipt
    queue.delete_message(again)


@case
def a_receipt_of_the_put_deletes(account):
    queue = account.queue()
    sent = queue.send_message("one")
    queue.delete_message(sent.id, sent.pop_receipt)
    equal(queue.receive_message(), None)


@case
def an_update_can_leave_the_text(account):
    queue = account.queue()
    queue.send_message("one")
    taken = queue.receive_message(visibility_timeout=60)
    queue.update_message(taken.id, taken.pop_receipt, visibility_timeout=0)
    equal(queue.receive_message().content, "one")


@case
def a_message_can_be_put_for_later_and_for_ever(account):
    queue = account.queue()
    queue.send_message("later", visibility_timeout=600)
    equal(queue.receive_message(), None)
    sent = queue.send_message("for ever", time_to_live=-1)
    assert sent.expires_on.year == 9999, sent.expires_on
    short = queue.send_message("short", time_to_live=90)
    equal(short.expires_on - short.inserted_on, timedelta(seconds=90))
    equal(queue.receive_message().content, "for ever")


@case
def times_outside_the_limits_are_refused(account):
    queue = account.queue()
    week = 7 * 24 * 3600
    refused((400, "OutOfRangeQueryParameterValue"), queue.send_message, "a", visibility_timeout=week + 1, time_to_live=-1)
    refused((400, "OutOfRangeQueryParameterValue"), queue.receive_message, visibility_timeout=week + 1)
    queue.send_message("a")
    taken = queue.receive_message(visibility_timeout=week)
    refused((400, "OutOfRangeQueryParameterValue"), queue.update_message, taken, visibility_timeout=week + 1)


@case
def a_message_has_64_kibibytes(account):
    queue = account.queue()
    queue.send_message("x" * (64 * 1024))
    equal(len(queue.receive_message().content), 64 * 1024)
    refused({"RequestBodyTooLarge", "MessageTooLarge"}, queue.send_message, "x" * (64 * 1024 + 1))


@case
def a_clear_leaves_an_empty_queue(account):
    queue = account.queue()
    for number in range(5):
        queue.send_message(f"{number}")
    queue.clear_messages()
    equal(queue.peek_messages(), [])
    equal(queue.get_queue_properties().approximate_message_count, 0)


@case
def messages_of_no_queue_are_refused(account):
    queue = account.queues().get_queue_client(account.fresh_name())
    refused((404, "QueueNotFound"), queue.send_message, "a")
    refused((404, "QueueNotFound"), queue.receive_message)
    refused((404, "QueueNotFound"), queue.peek_messages)
    refused((404, "QueueNotFound"), queue.clear_messages)


@case
def properties_are_kept(account):
    service = account.queues()
    days = RetentionPolicy(enabled=True, days=5)
    service.set_service_properties(
        analytics_logging=QueueAnalyticsLogging(read=True, write=True, delete=True, retention_policy=days),
        hour_metrics=Metrics(enabled=True, include_apis=True, retention_policy=days),
        minute_metrics=Metrics(enabled=True, include_apis=True, retention_policy=days),
        cors=[CorsRule(["http://a.example"], ["GET", "PUT"], max_age_in_seconds=500, allowed_headers=["x-ms-meta-*"])],
    )
    found = service.get_service_properties()
    equal(found["analytics_logging"].write, True)
    equal(found["hour_metrics"].retention_policy.days, 5)
    equal([rule.allowed_headers for rule in found["cors"]], ["x-ms-meta-*"])


@case
def statistics_are_told_by_the_second_endpoint(account):
    # The client changes the host alone, and both endpoints have one host here.
    url, host = account.queue_url + "-secondary", urlsplit(account.queue_url).netloc
    service = QueueServiceClient(url, credential=account.key_pair(), secondary_hostname=host, **ONCE)
    assert service.get_service_stats()["geo_replication"]["status"] in ("live", "bootstrap", "unavailable")
