"""Shared access signatures of blobs, of containers and of the account."""

from datetime import datetime, timedelta, timezone

from azure.storage.blob import (
    AccessPolicy,
    AccountSasPermissions,
    BlobClient,
    BlobSasPermissions,
    BlobServiceClient,
    ContainerClient,
    ContainerSasPermissions,
    ResourceTypes,
    generate_account_sas,
    generate_blob_sas,
    generate_container_sas,
)

from account import ONCE
from cases import case, equal, refused

_DENIED = (403, "AuthorizationPermissionMismatch")


def _soon():
    return datetime.now(timezone.utc) + timedelta(hours=1)


@case
def a_signature_of_a_blob_is_for_it_alone(account):
    container = account.container()
    for name in ("a b", "other"):
        container.upload_blob(name, b"data")
    letters = BlobSasPermissions(read=True)
    token = generate_blob_sas(account.name, container.container_name, "a b", account_key=account.key, permission=letters, expiry=_soon())
    signed = BlobClient(account.blob_url, container.container_name, "a b", credential=token, **ONCE)
    equal(signed.download_blob().readall(), b"data")
    refused(_DENIED, signed.upload_blob, b"x", overwrite=True)
    refused(_DENIED, signed.delete_blob)
    other = BlobClient(account.blob_url, container.container_name, "other", credential=token, **ONCE)
    refused((403, {"AuthenticationFailed", "AuthorizationFailure"}), other.download_blob)


@case
def a_signature_can_say_how_the_blob_is_answered(account):
    container = account.container()
    container.upload_blob("a", b"data")
    named = {"content_type": "text/csv", "content_disposition": "attachment; filename=a.csv", "cache_control": "no-store"}
    token = generate_blob_sas(
        account.name, container.container_name, "a", account_key=account.key, permission="r", expiry=_soon(), **named
    )
    settings = BlobClient(account.blob_url, container.container_name, "a", credential=token, **ONCE).download_blob().properties.content_settings
    equal({name: getattr(settings, name) for name in named}, named)


@case
def a_signature_of_a_container_is_for_its_blobs(account):
    container = account.container()

    def only(letters):
        permission = ContainerSasPermissions.from_string(letters)
        token = generate_container_sas(
            account.name, container.container_name, account_key=account.key, permission=permission, expiry=_soon()
        )
        return ContainerClient(account.blob_url, container.container_name, credential=token, **ONCE)

    only("c").upload_blob("a", b"data")
    only("w").upload_blob("a", b"data", overwrite=True)
    refused(_DENIED, only("r").upload_blob, "b", b"data")
    equal(only("r").download_blob("a").readall(), b"data")
    equal([blob.name for blob in only("l").list_blobs()], ["a"])
    refused(_DENIED, list, only("r").list_blobs())
    refused(_DENIED, only("rwl").delete_blob, "a")
    only("d").delete_blob("a")


@case
def a_policy_gives_what_the_signature_leaves_out_and_takes_it_away(account):
    container = account.container()
    container.upload_blob("a", b"data")
    policy = AccessPolicy(permission=ContainerSasPermissions(read=True), expiry=_soon(), start=datetime.now(timezone.utc) - timedelta(hours=1))
    container.set_container_access_policy({"readers": policy})
    equal([named.id for named in container.get_container_access_policy()["signed_identifiers"]], ["readers"])
    token = generate_container_sas(account.name, container.container_name, account_key=account.key, policy_id="readers")
    signed = ContainerClient(account.blob_url, container.container_name, credential=token, **ONCE)
    equal(signed.download_blob("a").readall(), b"data")
    refused(_DENIED, signed.delete_blob, "a")
    container.set_container_access_policy({})
    refused((403, "AuthenticationFailed"), signed.download_blob, "a")


@case
def a_signature_of_the_account_goes_by_kinds_of_resources(account):
    def only(kinds, letters):
        permission = AccountSasPermissions.from_string(letters)
        token = generate_account_sas(account.name, account.key, ResourceTypes.from_string(kinds), permission, _soon())
        return BlobServiceClient(account.blob_url, credential=token, **ONCE)

    service = only("sco", "rwdlac")
    container = service.create_container(account.fresh_name())
    container.upload_blob("a", b"data")
    equal(only("o", "r").get_blob_client(container.container_name, "a").download_blob().readall(), b"data")
    refused((403, "AuthorizationResourceTypeMismatch"), only("o", "rwdlac").create_container, account.fresh_name())
    refused(_DENIED, only("o", "r").get_blob_client(container.container_name, "a").delete_blob)
    container.delete_container()


@case
def a_wrong_key_is_refused(account):
    wrong = BlobServiceClient(account.blob_url, credential={**account.key_pair(), "account_key": "d3Jvbmc="}, **ONCE)
    refused((403, "AuthenticationFailed"), list, wrong.list_containers())
