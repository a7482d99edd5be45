"""Leases of blobs and of containers, and the case of metadata names."""

import uuid

from azure.core import MatchConditions
from azure.storage.blob import BlobLeaseClient

from cases import case, equal, refused

_SAME = MatchConditions.IfNotModified


def _leased(account, duration=15):
    """A blob and the client of its lease."""
    blob = account.container().get_blob_client("a")
    blob.upload_blob(b"data")
    return blob, blob.acquire_lease(duration)


def _state(client):
    lease = (client.get_blob_properties if hasattr(client, "blob_name") else client.get_container_properties)().lease
    return (lease.status, lease.state, lease.duration)


@case
def a_lease_is_acquired_renewed_changed_and_released(account):
    blob, lease = _leased(account)
    equal(_state(blob), ("locked", "leased", "fixed"))
    etag = blob.get_blob_properties().etag
    refused((409, "LeaseAlreadyPresent"), blob.acquire_lease, 15)
    lease.renew()
    new = str(uuid.uuid4())
    lease.change(new)
    equal(lease.id, new)
    refused((409, "LeaseIdMismatchWithLeaseOperation"), BlobLeaseClient(blob, str(uuid.uuid4())).renew)
    lease.release()
    equal(_state(blob), ("unlocked", "available", None))
    equal(blob.get_blob_properties().etag, etag)
    again = blob.acquire_lease(-1, lease_id=new)
    equal((again.id, _state(blob)), (new, ("locked", "leased", "infinite")))
    again.release()


@case
def a_leased_blob_is_changed_by_its_owner_alone(account):
    blob, lease = _leased(account)
    missing, other = (412, "LeaseIdMissing"), {"lease": str(uuid.uuid4())}
    for call, arguments in (
        (blob.upload_blob, (b"new",)),
        (blob.set_blob_metadata, ({"a": "1"},)),
        (blob.set_http_headers, ()),
        (blob.stage_block, ("a", b"x")),
        (blob.commit_block_list, ([],)),
        (blob.delete_blob, ()),
    ):
        named = {"overwrite": True} if call == blob.upload_blob else {}
        refused(missing, call, *arguments, **named)
        refused((412, "LeaseIdMismatchWithBlobOperation"), call, *arguments, **named, **other)
    equal(blob.download_blob().readall(), b"data")
    equal(blob.download_blob(lease=lease).readall(), b"data")
    blob.upload_blob(b"new", overwrite=True, lease=lease)
    equal(_state(blob), ("locked", "leased", "fixed"))
    blob.delete_blob(lease=lease)
    equal(blob.exists(), False)


@case
def the_owner_overwrites_a_blob_that_must_be_new(account):
    blob, lease = _leased(account)
    refused((412, "LeaseIdMissing"), blob.upload_blob, b"new")
    refused((412, "LeaseIdMismatchWithBlobOperation"), blob.upload_blob, b"new", lease=str(uuid.uuid4()))
    blob.upload_blob(b"new", lease=lease)
    equal(blob.download_blob().readall(), b"new")
    lease.release()
    refused((409, "BlobAlreadyExists"), blob.upload_blob, b"newer")


@case
def an_append_needs_the_lease(account):
    log = account.container().get_blob_client("log")
    log.create_append_blob()
    lease = log.acquire_lease(-1)
    refused((412, "LeaseIdMissing"), log.append_block, b"x")
    log.append_block(b"x", lease=lease)
    lease.release()


@case
def a_lease_is_broken_by_anyone(account):
    blob, lease = _leased(account, -1)
    breaker = BlobLeaseClient(blob)
    equal(breaker.break_lease(30), 30)
    equal(_state(blob), ("locked", "breaking", None))
    refused((409, "LeaseIsBrokenAndCannotBeRenewed"), lease.renew)
    refused((409, "LeaseIsBreakingAndCannotBeAcquired"), blob.acquire_lease, 15, lease_id=lease.id)
    equal(breaker.break_lease(0), 0)
    equal(_state(blob), ("unlocked", "broken", None))
    blob.upload_blob(b"new", overwrite=True)
    equal(_state(blob), ("unlocked", "available", None))
    refused((409, "LeaseNotPresentWithLeaseOperation"), breaker.break_lease)


@case
def a_lease_goes_by_conditions_and_bounds(account):
    blob, lease = _leased(account)
    lease.release()
    refused((412, "ConditionNotMet"), blob.acquire_lease, 15, etag='"0x1"', match_condition=_SAME)
    refused((400, "InvalidHeaderValue"), blob.acquire_lease, 14)
    refused((400, "InvalidHeaderValue"), blob.acquire_lease, 61)
    none = account.container().get_blob_client("none")
    refused((404, "BlobNotFound"), none.acquire_lease, 15)


@case
def a_leased_container_is_deleted_by_its_owner_alone(account):
    container = account.container()
    lease = container.acquire_lease(-1)
    equal(_state(container), ("locked", "leased", "infinite"))
    container.set_container_metadata({"a": "1"})
    container.upload_blob("a", b"data")
    refused((412, "LeaseIdMissing"), container.delete_container)
    refused((412, "LeaseIdMismatchWithContainerOperation"), container.delete_container, lease=str(uuid.uuid4()))
    listed = [found for found in account.blobs().list_containers(name_starts_with=container.container_name)]
    equal(listed[0].lease.state, "leased")
    container.delete_container(lease=lease)
    equal(container.exists(), False)


@case
def leases_are_listed(account):
    container = account.container()
    container.upload_blob("a", b"data").acquire_lease(15)
    container.upload_blob("b", b"data")
    found = {blob.name: (blob.lease.status, blob.lease.state, blob.lease.duration) for blob in container.list_blobs()}
    equal(found, {"a": ("locked", "leased", "fixed"), "b": ("unlocked", "available", None)})


@case
def metadata_names_keep_their_case(account):
    metadata = {"ownerName": "Jo", "size": "1", "URL": "x"}
    container = account.container()
    container.set_container_metadata(metadata)
    equal(container.get_container_properties().metadata, metadata)
    blob = container.upload_blob("a", b"data", metadata=metadata)
    equal(blob.get_blob_properties().metadata, metadata)
    equal(blob.download_blob().properties.metadata, metadata)
    equal([found.metadata for found in container.list_blobs(include=["metadata"])], [metadata])
    blob.set_blob_metadata({"Size": "2"})
    equal(blob.get_blob_properties().metadata, {"Size": "2"})
