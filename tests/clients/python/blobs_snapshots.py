"""Snapshots: created, read, listed, deleted, and made the blob again."""

from azure.core import MatchConditions
from azure.storage.blob import BlobClient, BlobSasPermissions, generate_blob_sas

from account import ONCE
from blobs_sas import _soon
from cases import case, equal, refused


def _snapshots(container, **named):
    return [(blob.name, blob.snapshot) for blob in container.list_blobs(include=["snapshots"], **named)]


@case
def a_snapshot_keeps_what_its_blob_was(account):
    container = account.container()
    blob = container.get_blob_client("a")
    etag = blob.upload_blob(b"one", metadata={"k": "1"})["etag"]
    taken = blob.create_snapshot()
    equal(taken["etag"], etag)
    own = blob.create_snapshot(metadata={"own": "2"})
    assert own["etag"] != etag
    equal(blob.get_blob_properties().etag, etag)
    blob.upload_blob(b"another", overwrite=True)
    old = container.get_blob_client("a", snapshot=taken["snapshot"])
    equal(old.download_blob().readall(), b"one")
    found = old.get_blob_properties()
    equal((found.etag, found.metadata, found.size), (etag, {"k": "1"}, 3))
    equal(container.get_blob_client("a", snapshot=own["snapshot"]).get_blob_properties().metadata, {"own": "2"})
    equal(old.exists(), True)
    old.delete_blob()
    equal(old.exists(), False)
    equal(blob.download_blob().readall(), b"another")


@case
def a_blob_with_snapshots_is_deleted_by_choice(account):
    blob = account.container().get_blob_client("a")
    blob.upload_blob(b"one")
    taken = blob.create_snapshot()["snapshot"]
    refused((409, "SnapshotsPresent"), blob.delete_blob)
    blob.delete_blob(delete_snapshots="only")
    equal(blob.download_blob().readall(), b"one")
    taken = blob.create_snapshot()["snapshot"]
    blob.delete_blob(delete_snapshots="include")
    equal(blob.exists(), False)
    refused((404, "BlobNotFound"), blob.download_blob)
    assert taken


@case
def snapshots_are_listed_before_their_blob(account):
    container = account.container()
    for name in ("a", "b"):
        container.upload_blob(name, b"one")
    blob = container.get_blob_client("a")
    taken = [blob.create_snapshot()["snapshot"] for _ in range(3)]
    expected = [("a", time) for time in taken] + [("a", None), ("b", None)]
    equal(_snapshots(container), expected)
    pages = container.list_blobs(include=["snapshots"], results_per_page=2).by_page()
    equal([[(blob.name, blob.snapshot) for blob in page] for page in pages], [expected[:2], expected[2:4], expected[4:]])
    equal([blob.name for blob in container.list_blobs()], ["a", "b"])


@case
def a_snapshot_has_the_conditions_of_its_blob(account):
    blob = account.container().get_blob_client("a")
    etag = blob.upload_blob(b"one")["etag"]
    lease = blob.acquire_lease(15)
    blob.create_snapshot()
    blob.create_snapshot(lease=lease)
    refused((412, "LeaseIdMismatchWithBlobOperation"), blob.create_snapshot, lease="5974b586-0df3-4e2d-ad0c-18e3892bfca2")
    blob.create_snapshot(etag=etag, match_condition=MatchConditions.IfNotModified)
    refused((412, "ConditionNotMet"), blob.create_snapshot, etag='"0x1"', match_condition=MatchConditions.IfNotModified)
    refused((412, "LeaseIdMissing"), blob.delete_blob, delete_snapshots="include")
    blob.delete_blob(delete_snapshots="include", lease=lease)


@case
def a_snapshot_is_made_the_blob_again(account):
    container = account.container()
    blob = container.get_blob_client("a")
    blob.upload_blob(b"one")
    taken = blob.create_snapshot()["snapshot"]
    blob.upload_blob(b"two", overwrite=True)
    old = container.get_blob_client("a", snapshot=taken)
    answer = blob.start_copy_from_url(old.url)
    equal(answer["copy_status"], "success")
    equal(blob.download_blob().readall(), b"one")


@case
def a_signature_of_a_blob_makes_snapshots_of_it(account):
    container = account.container()
    container.upload_blob("a", b"one")

    def signed(letters):
        token = generate_blob_sas(account.name, container.container_name, "a", account_key=account.key, permission=letters, expiry=_soon())
        return BlobClient(account.blob_url, container.container_name, "a", credential=token, **ONCE)

    refused((403, "AuthorizationPermissionMismatch"), signed(BlobSasPermissions(read=True)).create_snapshot)
    taken = signed(BlobSasPermissions(create=True)).create_snapshot()["snapshot"]
    equal(container.get_blob_client("a", snapshot=taken).download_blob().readall(), b"one")
