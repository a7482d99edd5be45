"""Index tags of blobs."""

from datetime import datetime, timedelta, timezone

from azure.storage.blob import BlobClient, BlobSasPermissions, BlobServiceClient, ContainerClient, ContainerSasPermissions
from azure.storage.blob import AccountSasPermissions, ResourceTypes
from azure.storage.blob import generate_account_sas, generate_blob_sas, generate_container_sas

from account import ONCE
from cases import case, equal, refused

_DENIED = (403, "AuthorizationPermissionMismatch")
_TAGS = {"Project": "Contoso", "scan result": "x=y+z:/_-.", "empty": ""}


@case
def tags_are_set_with_the_blob_or_later(account):
    container = account.container()
    for name, data, named in (("small", b"data", {}), ("large", b"x" * (5 << 20), {"max_concurrency": 2})):
        blob = container.upload_blob(name, data, tags=_TAGS, **named)
        equal(blob.get_blob_tags(), _TAGS)
        equal(blob.get_blob_properties().tag_count, 3)
        equal(blob.download_blob().properties.tag_count, 3)
    # Uploaded in blocks.
    chunked = account.container(max_single_put_size=1 << 20, max_block_size=1 << 20)
    blob = chunked.upload_blob("blocks", b"x" * (3 << 20), tags=_TAGS)
    equal(blob.get_blob_tags(), _TAGS)
    log = container.get_blob_client("log")
    log.create_append_blob(tags=_TAGS)
    log.append_block(b"line")
    equal(log.get_blob_tags(), _TAGS)
    before = log.get_blob_properties()
    log.set_blob_tags({"only": "1"})
    equal(log.get_blob_tags(), {"only": "1"})
    after = log.get_blob_properties()
    equal((after.etag, after.last_modified), (before.etag, before.last_modified))
    log.set_blob_tags()
    equal((log.get_blob_tags(), log.get_blob_properties().tag_count), ({}, None))


@case
def tags_are_listed_when_asked_for(account):
    container = account.container()
    container.upload_blob("a", b"data", tags=_TAGS)
    container.upload_blob("b", b"data")
    listed = {blob.name: (blob.tag_count, blob.tags) for blob in container.list_blobs(include=["tags"])}
    equal(listed, {"a": (3, _TAGS), "b": (None, None)})
    listed = {blob.name: (blob.tag_count, blob.tags) for blob in container.list_blobs()}
    equal(listed, {"a": (3, None), "b": (None, None)})


@case
def tags_outside_the_limits_are_refused(account):
    container = account.container()
    blob = container.upload_blob("a", b"data", tags={"a": "1"})
    refused((400, "TagsTooLarge"), blob.set_blob_tags, {f"k{number}": "" for number in range(11)})
    refused((400, "TagsTooLarge"), blob.set_blob_tags, {"k" * 129: ""})
    refused((400, "TagsTooLarge"), blob.set_blob_tags, {"k": "v" * 257})
    refused((400, "EmptyTagName"), blob.set_blob_tags, {"": "v"})
    refused((400, {"InvalidTag", "DuplicateTagNames"}), blob.set_blob_tags, {"k": "a&b"})
    refused((400, "TagsTooLarge"), container.upload_blob, "b", b"data", tags={"k" * 129: ""})
    equal(blob.get_blob_tags(), {"a": "1"})


@case
def a_condition_on_tags_must_be_satisfied(account):
    container = account.container()
    blob = container.upload_blob("a", b"data", tags={"Status": "Open", "Priority": "05"})
    failed = (412, "ConditionNotMet")
    done = {"if_tags_match_condition": "\"Status\" = 'Done'"}
    for call, arguments in (
        (blob.get_blob_properties, ()),
        (blob.download_blob, ()),
        (blob.get_blob_tags, ()),
        (blob.set_blob_tags, ({},)),
        (blob.set_blob_metadata, ({"a": "1"},)),
        (blob.set_http_headers, ()),
        (blob.acquire_lease, (15,)),
        (blob.delete_blob, ()),
    ):
        refused(failed, call, *arguments, **done)
    refused(failed, blob.upload_blob, b"new", overwrite=True, **done)
    met = {"if_tags_match_condition": "\"Status\" <> 'Done' AND (\"Priority\" >= '05' OR \"Priority\" = '01')"}
    blob.set_blob_tags({"Status": "Done"}, **met)
    equal(blob.download_blob(**done).readall(), b"data")
    blob.delete_blob(**done)


@case
def blobs_are_found_by_tags(account):
    run = account.fresh_name()
    first, second = account.container(), account.container()
    for container, name, rank in ((first, "a", "010"), (first, "b c/ä", "050"), (second, "a", "100")):
        container.upload_blob(name, b"data", tags={"run": run, "Rank": rank, "more": "1"})
    first.upload_blob("other", b"data", tags={"run": "other"})

    def found(blobs):
        return sorted((blob.container_name, blob.name, blob.tags["Rank"]) for blob in blobs)

    names = first.container_name, second.container_name
    service = account.blobs()
    everywhere = list(service.find_blobs_by_tags(f"\"run\"='{run}' AND \"Rank\" >= '010' AND \"Rank\" < '100'"))
    equal(found(everywhere), [(names[0], "a", "010"), (names[0], "b c/ä", "050")])
    equal(everywhere[0].tags, {"run": run, "Rank": "010"})
    named = service.find_blobs_by_tags(f"@container='{names[1]}' AND run='{run}' AND Rank > ''")
    equal(found(named), [(names[1], "a", "100")])
    inside = first.find_blobs_by_tags(f"\"run\"='{run}' AND \"Rank\" > '010'")
    equal(found(inside), [(names[0], "b c/ä", "050")])
    paged = service.find_blobs_by_tags(f"\"run\"='{run}' AND \"Rank\" > ''", results_per_page=1).by_page()
    pages = [list(page) for page in paged]
    equal(found(blob for page in pages for blob in page), found(everywhere) + [(names[1], "a", "100")])
    assert all(len(page) <= 1 for page in pages), pages


@case
def a_search_that_cannot_be_read_is_refused(account):
    wrong = (400, "InvalidQueryParameterValue")
    for expression in ("Status", "Status <> 'a'", "Status = 'a' OR Status = 'b'", "a > '1' AND a > '2'"):
        refused(wrong, list, account.blobs().find_blobs_by_tags(expression))
    container = account.container()
    refused(wrong, list, container.find_blobs_by_tags(f"@container='{container.container_name}' AND a='1'"))
    refused((404, "ContainerNotFound"), list, account.blobs().get_container_client(account.fresh_name()).find_blobs_by_tags("a='1'"))


@case
def tags_need_permissions_of_their_own(account):
    container = account.container()
    container.upload_blob("a", b"data", tags={"a": "1"})
    expiry = datetime.now(timezone.utc) + timedelta(hours=1)

    def only(letters):
        permission = ContainerSasPermissions.from_string(letters)
        token = generate_container_sas(
            account.name, container.container_name, account_key=account.key, permission=permission, expiry=expiry
        )
        return ContainerClient(account.blob_url, container.container_name, credential=token, **ONCE)

    refused(_DENIED, only("racwdl").get_blob_client("a").get_blob_tags)
    refused(_DENIED, only("racwdl").get_blob_client("a").set_blob_tags, {})
    refused(_DENIED, list, only("racwdlt").find_blobs_by_tags("a='1'"))
    equal(only("t").get_blob_client("a").get_blob_tags(), {"a": "1"})
    only("wt").upload_blob("a", b"data", overwrite=True, tags={"a": "2"})
    equal([blob.tags for blob in only("f").find_blobs_by_tags("a='2'")], [{"a": "2"}])
    equal([blob.tags for blob in only("lt").list_blobs(include=["tags"])], [{"a": "2"}])

    token = generate_blob_sas(
        account.name, container.container_name, "a", account_key=account.key, permission=BlobSasPermissions(tag=True), expiry=expiry
    )
    signed = BlobClient(account.blob_url, container.container_name, "a", credential=token, **ONCE)
    signed.set_blob_tags({"a": "3"})
    levels = ResourceTypes(service=True, container=True, object=True)
    letters = AccountSasPermissions(filter_by_tags=True)
    token = generate_account_sas(account.name, account.key, resource_types=levels, permission=letters, expiry=expiry)
    service = BlobServiceClient(account.blob_url, credential=token, **ONCE)
    found = service.find_blobs_by_tags(f"@container='{container.container_name}' AND a='3'")
    equal([blob.name for blob in found], ["a"])
