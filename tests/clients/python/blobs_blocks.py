"""Blobs written in pieces: by blocks and their list, and by appending."""

import base64
import io

from azure.core import MatchConditions
from azure.storage.blob import BlobBlock

from cases import case, equal, refused


def _id(number):
    return f"block-{number:06}"


@case
def the_client_cuts_a_large_blob_into_blocks(account):
    container = account.container(max_single_put_size=64 * 1024, max_block_size=64 * 1024)
    data = bytes(number % 239 for number in range(500_000))
    blob = container.get_blob_client("cut")
    blob.upload_blob(io.BytesIO(data), metadata={"a": "1"}, max_concurrency=4)
    equal(blob.download_blob().readall(), data)
    equal(blob.get_blob_properties().metadata, {"a": "1"})
    committed, uncommitted = blob.get_block_list("all")
    equal((sum(block.size for block in committed), uncommitted), (len(data), []))
    equal(len(committed), 8)


@case
def blocks_are_committed_by_their_list(account):
    blob = account.container().get_blob_client("a")
    for number, data in enumerate((b"one ", b"two ", b"three ")):
        blob.stage_block(_id(number), data)
    equal(blob.exists(), False)
    refused((404, "BlobNotFound"), blob.download_blob)
    _, uncommitted = blob.get_block_list("all")
    equal(sorted(block.size for block in uncommitted), [4, 4, 6])
    blob.commit_block_list([BlobBlock(_id(2)), BlobBlock(_id(0))], metadata={"a": "1"})
    equal(blob.download_blob().readall(), b"three one ")
    committed, uncommitted = blob.get_block_list("all")
    equal(([block.size for block in committed], uncommitted), ([6, 4], []))
    blob.stage_block(_id(3), b"four ")
    blob.commit_block_list([BlobBlock(_id(0)), BlobBlock(_id(3)), BlobBlock(_id(0))])
    equal(blob.download_blob().readall(), b"one four one ")
    equal(blob.get_blob_properties().metadata, {})


@case
def a_list_with_an_unknown_block_is_refused(account):
    blob = account.container().get_blob_client("a")
    blob.upload_blob(b"as it was")
    blob.stage_block(_id(0), b"a")
    refused((400, "InvalidBlockList"), blob.commit_block_list, [BlobBlock(_id(0)), BlobBlock(_id(1))])
    equal(blob.download_blob().readall(), b"as it was")


@case
def all_ids_of_a_blob_are_of_one_length(account):
    blob = account.container().get_blob_client("a")
    blob.stage_block("short", b"a")
    refused((400, "InvalidBlobOrBlock"), blob.stage_block, "longer", b"b")
    refused((400, {"InvalidQueryParameterValue", "InvalidBlockId", "OutOfRangeInput"}), blob.stage_block, "x" * 65, b"b")


@case
def an_upload_drops_the_blocks(account):
    blob = account.container().get_blob_client("a")
    blob.stage_block(_id(0), b"a")
    blob.upload_blob(b"whole", overwrite=True)
    equal(blob.get_block_list("all"), ([], []))


@case
def names_of_blocks_are_bytes(account):
    # The client puts its own base64 around the name.
    blob = account.container().get_blob_client("a")
    name = base64.b64encode(b"\xff\xfe").decode()
    blob.stage_block(name, b"a")
    blob.commit_block_list([BlobBlock(name)])
    equal([block.id for block in blob.get_block_list("committed")[0]], [name])


@case
def an_append_goes_to_the_end(account):
    blob = account.container().get_blob_client("log")
    blob.create_append_blob(metadata={"a": "1"})
    equal(blob.get_blob_properties().blob_type, "AppendBlob")
    first = blob.append_block(b"one\n")
    equal((first["blob_append_offset"], first["blob_committed_block_count"]), ("0", 1))
    second = blob.append_block(b"two\n")
    equal((second["blob_append_offset"], second["blob_committed_block_count"]), ("4", 2))
    equal(blob.download_blob().readall(), b"one\ntwo\n")
    equal(blob.get_blob_properties().metadata, {"a": "1"})
    equal(blob.get_blob_properties().append_blob_committed_block_count, 2)


@case
def an_append_keeps_its_conditions(account):
    blob = account.container().get_blob_client("log")
    blob.create_append_blob()
    blob.append_block(b"12345", appendpos_condition=0)
    refused((412, "AppendPositionConditionNotMet"), blob.append_block, b"x", appendpos_condition=0)
    refused((412, "MaxBlobSizeConditionNotMet"), blob.append_block, b"x", maxsize_condition=5)
    blob.append_block(b"6", appendpos_condition=5, maxsize_condition=6)
    etag = blob.get_blob_properties().etag
    blob.append_block(b"7", etag=etag, match_condition=MatchConditions.IfNotModified)
    refused((412, "ConditionNotMet"), blob.append_block, b"8", etag=etag, match_condition=MatchConditions.IfNotModified)
    equal(blob.download_blob().readall(), b"1234567")


@case
def the_kinds_of_blobs_are_not_mixed(account):
    container = account.container()
    block, append = container.get_blob_client("block"), container.get_blob_client("append")
    block.upload_blob(b"a")
    refused((409, "InvalidBlobType"), block.append_block, b"b")
    append.create_append_blob()
    refused((409, "InvalidBlobType"), append.commit_block_list, [])
    refused((404, "BlobNotFound"), container.get_blob_client("none").append_block, b"a")


@case
def checksums_of_blocks_are_returned(account):
    container = account.container()
    blob, log = container.get_blob_client("a"), container.get_blob_client("log")
    log.create_append_blob()
    for send in (lambda **options: blob.stage_block(_id(1), b"123456789", **options), lambda **options: log.append_block(b"123456789", **options)):
        for validate in (False, True):
            sent = send(validate_content=validate)
            equal(base64.b64encode(sent["content_crc64"]), b"iJh5CoYUi64=")
            if validate:
                equal(base64.b64encode(sent["content_md5"]), b"JfnnlDI7RTiF9RgfG2JNCw==")
