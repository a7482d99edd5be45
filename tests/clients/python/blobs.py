"""Containers and blobs: written in one request, read whole and in ranges, described, deleted."""

import hashlib
from datetime import datetime, timedelta, timezone
from urllib.parse import urlsplit

from azure.storage.blob import BlobServiceClient, ContentSettings, CorsRule, Metrics, RetentionPolicy

from account import ONCE
from cases import case, equal, refused


@case
def a_container_is_made_once_and_deleted_once(account):
    container = account.blobs().get_container_client(account.fresh_name())
    container.create_container(metadata={"kind": "first"})
    refused((409, "ContainerAlreadyExists"), container.create_container)
    equal(container.get_container_properties().metadata, {"kind": "first"})
    container.set_container_metadata({"kind": "second", "b": "2"})
    equal(container.get_container_properties().metadata, {"kind": "second", "b": "2"})
    equal(container.exists(), True)
    container.delete_container()
    equal(container.exists(), False)
    refused((404, "ContainerNotFound"), container.delete_container)


@case
def names_outside_the_rules_are_refused(account):
    service = account.blobs()
    for name in ("Upper", "double--hyphen", "-first", "last-", "under_score"):
        refused((400, "InvalidResourceName"), service.create_container, name)
    for name in ("ab", "a" * 64):
        refused((400, {"OutOfRangeInput", "InvalidResourceName"}), service.create_container, name)


@case
def containers_are_listed_in_pages_by_prefix(account):
    service, stem = account.blobs(), account.fresh_name()
    for number in range(5):
        service.create_container(f"{stem}-{number}", metadata={"number": str(number)})
    pages = service.list_containers(name_starts_with=f"{stem}-", include_metadata=True, results_per_page=2).by_page()
    found = [[(container.name, container.metadata["number"]) for container in page] for page in pages]
    expected = [(f"{stem}-{number}", str(number)) for number in range(5)]
    equal(found, [expected[:2], expected[2:4], expected[4:]])


@case
def a_blob_is_written_and_read_whole(account):
    blob = account.container().get_blob_client("a.txt")
    answer = blob.upload_blob(b"hello, world")
    stream = blob.download_blob()
    equal(stream.readall(), b"hello, world")
    equal((stream.properties.etag, stream.properties.size), (answer["etag"], 12))
    assert answer["etag"].startswith('"0x'), answer["etag"]
    equal(stream.properties.content_settings.content_type, "application/octet-stream")
    equal(stream.properties.blob_type, "BlockBlob")
    equal(bytes(stream.properties.content_settings.content_md5), hashlib.md5(b"hello, world").digest())
    assert abs(datetime.now(timezone.utc) - stream.properties.last_modified) < timedelta(minutes=5)
    refused((409, "BlobAlreadyExists"), blob.upload_blob, b"again")
    blob.upload_blob(b"again", overwrite=True)
    equal(blob.download_blob().readall(), b"again")


@case
def an_empty_blob_is_a_blob(account):
    blob = account.container().get_blob_client("empty")
    blob.upload_blob(b"")
    equal((blob.download_blob().readall(), blob.get_blob_properties().size), (b"", 0))


@case
def ranges_are_read(account):
    blob = account.container().get_blob_client("a")
    data = bytes(number % 251 for number in range(10_000))
    blob.upload_blob(data)
    for offset, length in ((0, 1), (0, 10_000), (9_999, 1), (5_000, 1_000), (9_000, 5_000)):
        stream = blob.download_blob(offset=offset, length=length)
        equal(stream.readall(), data[offset : offset + length])
        equal(stream.properties.size, len(data[offset : offset + length]))
    equal(blob.download_blob(offset=123).readall(), data[123:])
    refused((416, "InvalidRange"), blob.download_blob, offset=10_000, length=1)
    equal(blob.download_blob(offset=5, length=100, validate_content=True).readall(), data[5:105])


@case
def a_large_blob_is_read_in_chunks(account):
    container = account.container(max_single_get_size=64 * 1024, max_chunk_get_size=64 * 1024)
    blob = container.get_blob_client("a")
    data = bytes(number % 241 for number in range(1_000_000))
    blob.upload_blob(data)
    equal(b"".join(blob.download_blob().chunks()), data)
    equal(blob.download_blob(max_concurrency=4).readall(), data)


@case
def a_blob_that_is_not_there_is_refused(account):
    container = account.container()
    blob = container.get_blob_client("none")
    equal(blob.exists(), False)
    refused((404, "BlobNotFound"), blob.download_blob)
    refused((404, "BlobNotFound"), blob.get_blob_properties)
    refused((404, "BlobNotFound"), blob.delete_blob)
    refused((404, "BlobNotFound"), blob.set_blob_metadata, {"a": "1"})
    gone = account.blobs().get_container_client(account.fresh_name())
    refused((404, "ContainerNotFound"), gone.upload_blob, "a", b"a")
    refused((404, "ContainerNotFound"), gone.get_blob_client("a").download_blob)
    blob.upload_blob(b"a")
    blob.delete_blob()
    equal(blob.exists(), False)


@case
def metadata_and_settings_are_kept(account):
    blob = account.container().get_blob_client("a")
    settings = {
        "content_type": "text/plain",
        "content_encoding": "identity",
        "content_language": "de",
        "content_disposition": "inline",
        "cache_control": "no-store",
    }
    blob.upload_blob(b"a", metadata={"One": "1", "two": "two words"}, content_settings=ContentSettings(**settings))
    found = blob.get_blob_properties()
    equal({name.lower(): value for name, value in found.metadata.items()}, {"one": "1", "two": "two words"})
    equal({name: getattr(found.content_settings, name) for name in settings}, settings)
    old = found.etag
    blob.set_blob_metadata({"three": "3"})
    found = blob.get_blob_properties()
    equal(found.metadata, {"three": "3"})
    assert found.etag != old
    equal(found.content_settings.content_type, "text/plain")
    blob.set_http_headers(ContentSettings(content_type="text/html"))
    found = blob.get_blob_properties()
    equal((found.content_settings.content_type, found.content_settings.cache_control), ("text/html", None))
    equal(found.metadata, {"three": "3"})
    equal(blob.download_blob().properties.metadata, {"three": "3"})


@case
def names_of_metadata_are_signed_in_the_order_of_the_service(account):
    # An `_` comes before digits and letters there, by bytes between them.
    names = {"a1": "1", "a_b": "2", "ab": "3", "_a": "4", "A_1": "5", "a": "6"}
    container = account.container()
    container.upload_blob("a", b"a", metadata=names)
    found = container.get_blob_client("a").get_blob_properties().metadata
    equal({name.lower(): value for name, value in found.items()}, {name.lower(): value for name, value in names.items()})


@case
def names_that_are_no_names_of_metadata_are_signed_too(account):
    container = account.container()
    names = ["test", "test-", "test_-", "test-_", "test-a", "test_a", "test-_a", "test_a-", *"!#$%&*+.-^_~|"]
    refused((400, "InvalidMetadata"), container.upload_blob, "a", b"a", metadata={name: "a" for name in names})


@case
def a_stored_hash_can_have_another_length(account):
    blob = account.container().get_blob_client("a")
    blob.upload_blob(b"content")
    blob.set_http_headers(ContentSettings(content_md5=bytearray(b"00000000")))
    equal(bytes(blob.get_blob_properties().content_settings.content_md5), b"00000000")
    equal(blob.download_blob(offset=0, length=3, validate_content=True).readall(), b"con")


@case
def awkward_names_are_kept(account):
    container = account.container()
    names = ["a b", "a/b/c", "100%", "%2F", "a+b", "ä/€/🦀", "a&b=c", "(x)", "it's", 'q"q', "a#b", "a?b", "~-_.!*"]
    for name in names:
        container.upload_blob(name, name.encode())
    for name in names:
        equal(container.download_blob(name).readall(), name.encode())
    equal([blob.name for blob in container.list_blobs()], sorted(names, key=lambda name: name.encode()))
    for name in names:
        container.delete_blob(name)
    equal(list(container.list_blobs()), [])


@case
def a_wrong_checksum_is_refused(account):
    blob = account.container().get_blob_client("a")
    wrong = {"Content-MD5": "1B2M2Y8AsgTpgAmY7PhCfg=="}
    refused((400, "Md5Mismatch"), blob.upload_blob, b"a", headers=wrong)
    equal(blob.exists(), False)
    blob.upload_blob(b"checked", validate_content=True)
    equal(blob.download_blob(validate_content=True).readall(), b"checked")


@case
def properties_are_kept(account):
    service = account.blobs()
    days = RetentionPolicy(enabled=True, days=5)
    service.set_service_properties(
        hour_metrics=Metrics(enabled=True, include_apis=True, retention_policy=days),
        cors=[CorsRule(["http://a.example"], ["GET"], max_age_in_seconds=500)],
    )
    found = service.get_service_properties()
    equal(found["hour_metrics"].retention_policy.days, 5)
    equal([rule.max_age_in_seconds for rule in found["cors"]], [500])


@case
def statistics_are_told_by_the_second_endpoint(account):
    # The client changes the host alone, and both endpoints have one host here.
    url, host = account.blob_url + "-secondary", urlsplit(account.blob_url).netloc
    service = BlobServiceClient(url, credential=account.key_pair(), secondary_hostname=host, **ONCE)
    assert service.get_service_stats()["geo_replication"]["status"] in ("live", "bootstrap", "unavailable")
