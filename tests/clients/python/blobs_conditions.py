"""Conditions on ETags and times, on reads and on writes."""

from datetime import timedelta

from azure.core import MatchConditions
from azure.storage.blob import AccessPolicy

from cases import case, equal, refused

_SAME = MatchConditions.IfNotModified
_OTHER = MatchConditions.IfModified


def _changed(account):
    """A blob, its ETag from before its last change, and the one it has."""
    blob = account.container().get_blob_client("a")
    old = blob.upload_blob(b"one")["etag"]
    new = blob.upload_blob(b"two", overwrite=True)["etag"]
    assert old != new
    return blob, old, new


@case
def reads_go_by_etags(account):
    blob, old, new = _changed(account)
    equal(blob.download_blob(etag=new, match_condition=_SAME).readall(), b"two")
    equal(blob.download_blob(etag=old, match_condition=_OTHER).readall(), b"two")
    refused((412, "ConditionNotMet"), blob.download_blob, etag=old, match_condition=_SAME)
    refused((304, "ConditionNotMet"), blob.download_blob, etag=new, match_condition=_OTHER)
    refused((412, "ConditionNotMet"), blob.get_blob_properties, etag=old, match_condition=_SAME)
    refused((304, "ConditionNotMet"), blob.get_blob_properties, etag=new, match_condition=_OTHER)


@case
def reads_go_by_times(account):
    blob, _, _ = _changed(account)
    when = blob.get_blob_properties().last_modified
    hour = timedelta(hours=1)
    equal(blob.download_blob(if_modified_since=when - hour).readall(), b"two")
    equal(blob.download_blob(if_unmodified_since=when + hour).readall(), b"two")
    refused((304, "ConditionNotMet"), blob.download_blob, if_modified_since=when)
    refused((412, "ConditionNotMet"), blob.download_blob, if_unmodified_since=when - hour)


@case
def writes_go_by_etags(account):
    blob, old, new = _changed(account)
    for lost in ({"etag": old, "match_condition": _SAME}, {"etag": new, "match_condition": _OTHER}):
        refused((412, "ConditionNotMet"), blob.upload_blob, b"lost", overwrite=True, **lost)
        refused((412, "ConditionNotMet"), blob.set_blob_metadata, {"a": "1"}, **lost)
        refused((412, "ConditionNotMet"), blob.delete_blob, **lost)
    equal(blob.download_blob().readall(), b"two")
    newest = blob.upload_blob(b"three", overwrite=True, etag=new, match_condition=_SAME)["etag"]
    blob.delete_blob(etag=newest, match_condition=_SAME)
    equal(blob.exists(), False)


@case
def a_blob_can_be_asked_to_be_new(account):
    blob, _, _ = _changed(account)
    refused((409, "BlobAlreadyExists"), blob.upload_blob, b"x", match_condition=MatchConditions.IfMissing, overwrite=True)
    blob.stage_block("a", b"x")
    refused((409, "BlobAlreadyExists"), blob.commit_block_list, ["a"], match_condition=MatchConditions.IfMissing)
    blob.delete_blob()
    blob.upload_blob(b"new", match_condition=MatchConditions.IfMissing, overwrite=True)
    equal(blob.download_blob().readall(), b"new")


@case
def a_blob_can_be_asked_to_be_there(account):
    blob = account.container().get_blob_client("none")
    refused((412, "ConditionNotMet"), blob.upload_blob, b"x", match_condition=MatchConditions.IfPresent, overwrite=True)
    equal(blob.exists(), False)


@case
def policies_of_a_container_go_by_times(account):
    container = account.container()
    version = container.get_container_properties()
    policies, hour = {"a": AccessPolicy(permission="r")}, timedelta(hours=1)
    for lost in ({"if_modified_since": version.last_modified + hour}, {"if_unmodified_since": version.last_modified - hour}):
        refused((412, "ConditionNotMet"), container.set_container_access_policy, policies, **lost)
    equal(container.get_container_access_policy()["signed_identifiers"], [])
    container.set_container_access_policy(policies, if_modified_since=version.last_modified - hour)
    changed = container.set_container_access_policy(policies, if_unmodified_since=version.last_modified + hour)
    equal([policy.id for policy in container.get_container_access_policy()["signed_identifiers"]], ["a"])
    equal(container.get_container_properties().etag, changed["etag"])
    assert changed["etag"] != version.etag
