"""Batches of deletions and of tiers."""

from azure.storage.blob import PartialBatchErrorException

from cases import case, equal, refused


def _filled(account, names):
    container = account.container()
    for name in names:
        container.upload_blob(name, b"data")
    return container


def _names(container):
    return sorted(blob.name for blob in container.list_blobs())


@case
def blobs_are_deleted_together(account):
    container = _filled(account, ["a", "b/ü c", "d%e", "kept"])
    answers = list(container.delete_blobs("a", "b/ü c", "d%e"))
    equal([answer.status_code for answer in answers], [202, 202, 202])
    equal(_names(container), ["kept"])


@case
def each_deletion_has_its_own_result(account):
    container = _filled(account, ["a", "leased"])
    container.get_blob_client("leased").acquire_lease(-1)
    answers = list(container.delete_blobs("a", "none", "leased", raise_on_any_failure=False))
    equal([answer.status_code for answer in answers], [202, 404, 412])
    equal([answer.headers.get("x-ms-error-code") for answer in answers], [None, "BlobNotFound", "LeaseIdMissing"])
    equal(_names(container), ["leased"])
    try:
        container.delete_blobs("none")
    except PartialBatchErrorException as error:
        equal([part.status_code for part in error.parts], [404])
    else:
        raise AssertionError("the deletion of a blob that does not exist succeeded")


@case
def two_hundred_and_fifty_six_go_and_one_more_does_not(account):
    names = [f"{number:03}" for number in range(257)]
    container = _filled(account, names[:3])
    answers = list(container.delete_blobs(*names[:256], raise_on_any_failure=False))
    equal([len(answers), sum(answer.status_code == 202 for answer in answers)], [256, 3])
    answers = list(container.delete_blobs(*names, raise_on_any_failure=False))
    equal([answer.headers.get("x-ms-error-code") for answer in answers], ["ExceedsMaxBatchRequestCount"])


@case
def tiers_are_set_together(account):
    container = _filled(account, ["a", "b"])
    answers = list(container.set_standard_blob_tier_blobs("Cool", "a", "b"))
    equal([answer.status_code for answer in answers], [200, 200])
    container.get_blob_client("a").set_standard_blob_tier("Hot")
    refused((404, "BlobNotFound"), container.get_blob_client("none").set_standard_blob_tier, "Hot")
