"""Listings of a container: in order, by prefix, rolled up at a delimiter, in pages."""

from azure.storage.blob import BlobPrefix

from cases import case, equal

_NAMES = ["a/1", "a/2", "a/b/1", "b", "c/1", "c/d/1", "c/d/2", "d"]


def _filled(account, names=_NAMES):
    container = account.container()
    for name in names:
        container.upload_blob(name, name.encode(), metadata={"length": str(len(name))})
    return container


@case
def blobs_are_listed_in_order_with_what_is_known_of_them(account):
    container = _filled(account, reversed(_NAMES))
    found = list(container.list_blobs(include=["metadata"]))
    equal([blob.name for blob in found], _NAMES)
    equal([blob.size for blob in found], [len(name) for name in _NAMES])
    equal([blob.metadata["length"] for blob in found], [str(len(name)) for name in _NAMES])
    known = container.get_blob_client("a/b/1").get_blob_properties()
    listed = next(blob for blob in found if blob.name == "a/b/1")
    equal((listed.etag, listed.last_modified), (known.etag.strip('"'), known.last_modified))
    equal(listed.content_settings.content_md5, known.content_settings.content_md5)
    equal([bool(blob.metadata) for blob in container.list_blobs()], [False] * len(_NAMES))


@case
def a_prefix_limits_a_listing(account):
    container = _filled(account)
    equal([blob.name for blob in container.list_blobs(name_starts_with="c/")], ["c/1", "c/d/1", "c/d/2"])
    equal(list(container.list_blob_names(name_starts_with="a")), ["a/1", "a/2", "a/b/1"])
    equal(list(container.list_blobs(name_starts_with="x")), [])


def _rolled(found):
    return [(type(item) is BlobPrefix, item.name) for item in found]


@case
def a_delimiter_rolls_names_up(account):
    container = _filled(account)
    equal(sorted(_rolled(container.walk_blobs())), [(False, "b"), (False, "d"), (True, "a/"), (True, "c/")])
    found = container.walk_blobs(name_starts_with="a/", delimiter="/")
    equal(sorted(_rolled(found)), [(False, "a/1"), (False, "a/2"), (True, "a/b/")])


@case
def pages_go_on_where_they_ended(account):
    container = _filled(account)
    pages = container.list_blobs(results_per_page=3).by_page()
    equal([[blob.name for blob in page] for page in pages], [_NAMES[:3], _NAMES[3:6], _NAMES[6:]])
    pages = container.walk_blobs(delimiter="/", results_per_page=2).by_page()
    equal(sorted(item.name for page in pages for item in page), ["a/", "b", "c/", "d"])
    pages = container.list_blobs(results_per_page=3).by_page()
    next(pages)
    rest = container.list_blobs(results_per_page=3).by_page(continuation_token=pages.continuation_token)
    equal([blob.name for page in rest for blob in page], _NAMES[3:])


@case
def blocks_alone_are_listed_only_where_asked_for(account):
    container = _filled(account, ["b"])
    container.get_blob_client("a").stage_block("1", b"a")
    equal([blob.name for blob in container.list_blobs()], ["b"])
    equal([blob.name for blob in container.list_blobs(include=["uncommittedblobs"])], ["a", "b"])
