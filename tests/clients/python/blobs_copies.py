"""Copies of blobs within the account: as a whole, by blocks, and refused from elsewhere."""

from azure.core import MatchConditions
from azure.storage.blob import BlobBlock, BlobSasPermissions, ContentSettings, generate_blob_sas

from blobs_sas import _soon
from cases import case, equal, refused


def _signed(account, blob, permission=None):
    """The URL of a blob with a signature."""
    permission = permission or BlobSasPermissions(read=True)
    token = generate_blob_sas(
        account.name, blob.container_name, blob.blob_name, account_key=account.key, permission=permission, expiry=_soon()
    )
    return f"{blob.url}?{token}"


def _source(account, content=b"one"):
    """A container with a blob."""
    container = account.container()
    source = container.get_blob_client("a b/ä")
    source.upload_blob(content, metadata={"k": "1"}, content_settings=ContentSettings(content_type="text/plain"))
    return container, source


@case
def a_blob_is_copied_at_once(account):
    container, source = _source(account)
    target = container.get_blob_client("target")
    answer = target.start_copy_from_url(source.url)
    equal(answer["copy_status"], "success")
    found = target.get_blob_properties()
    equal((found.copy.id, found.copy.status, found.copy.progress), (answer["copy_id"], "success", "3/3"))
    equal(found.copy.source, source.url)
    equal((found.metadata, found.content_settings.content_type), ({"k": "1"}, "text/plain"))
    equal(target.download_blob().readall(), b"one")
    refused((409, "NoPendingCopyOperation"), target.abort_copy, answer["copy_id"])
    target.start_copy_from_url(source.url, metadata={"own": "2"})
    equal(target.get_blob_properties().metadata, {"own": "2"})
    source.delete_blob()
    equal(target.download_blob().readall(), b"one")


@case
def a_blob_is_copied_in_the_request(account):
    container, source = _source(account)
    target = container.get_blob_client("target")
    answer = target.start_copy_from_url(_signed(account, source), requires_sync=True)
    equal(answer["copy_status"], "success")
    equal(target.download_blob().readall(), b"one")


@case
def a_blob_is_uploaded_from_a_url(account):
    container, source = _source(account, bytes(range(256)) * 2000)
    target = container.get_blob_client("target")
    target.upload_blob_from_url(_signed(account, source))
    equal(target.download_blob().readall(), bytes(range(256)) * 2000)
    equal(target.get_blob_properties().content_settings.content_type, "text/plain")
    refused((409, "BlobAlreadyExists"), target.upload_blob_from_url, _signed(account, source), overwrite=False)
    target.upload_blob_from_url(_signed(account, source), overwrite=True, content_settings=ContentSettings(content_type="text/csv"))
    equal(target.get_blob_properties().content_settings.content_type, "text/csv")


@case
def blocks_and_appends_come_from_urls(account):
    container, source = _source(account, b"0123456789")
    target = container.get_blob_client("target")
    target.stage_block_from_url("a", _signed(account, source), source_offset=2, source_length=3)
    target.stage_block_from_url("b", _signed(account, source))
    target.commit_block_list([BlobBlock("a"), BlobBlock("b")])
    equal(target.download_blob().readall(), b"2340123456789")
    log = container.get_blob_client("log")
    log.create_append_blob()
    log.append_block_from_url(_signed(account, source), source_offset=8, source_length=2)
    equal(log.download_blob().readall(), b"89")


@case
def conditions_are_on_the_source_and_on_the_target(account):
    container, source = _source(account)
    target = container.get_blob_client("target")
    target.upload_blob(b"two")
    etag, changed = source.get_blob_properties().etag, {"source_match_condition": MatchConditions.IfNotModified}
    refused((412, "SourceConditionNotMet"), target.start_copy_from_url, source.url, source_etag='"0x1"', **changed)
    refused((412, "ConditionNotMet"), target.start_copy_from_url, source.url, etag='"0x1"', match_condition=MatchConditions.IfNotModified)
    lease = target.acquire_lease(15)
    refused((412, "LeaseIdMissing"), target.start_copy_from_url, source.url)
    equal(target.download_blob().readall(), b"two")
    target.start_copy_from_url(source.url, source_etag=etag, destination_lease=lease, **changed)
    equal(target.download_blob().readall(), b"one")


@case
def a_source_without_permission_is_refused(account):
    container, source = _source(account)
    target = container.get_blob_client("target")
    written = _signed(account, source, BlobSasPermissions(write=True))
    refused((403, "CannotVerifyCopySource"), target.start_copy_from_url, written)
    refused((403, "CannotVerifyCopySource"), target.upload_blob_from_url, written)
    refused((404, "BlobNotFound"), target.start_copy_from_url, container.get_blob_client("none").url)
    equal(target.exists(), False)
