"""The six writes of one entity, by the conditions they carry."""

from azure.core import MatchConditions
from azure.data.tables import UpdateMode

from cases import case, equal, refused


def _entity(**properties):
    return {"PartitionKey": "p", "RowKey": "r", **properties}


def _properties(table):
    """What the entity has beside its keys."""
    return {name: value for name, value in table.get_entity("p", "r").items() if name not in ("PartitionKey", "RowKey")}


@case
def an_insert_answers_its_etag_and_is_taken_once(account):
    table = account.table()
    answer = table.create_entity(_entity(a=1))
    found = table.get_entity("p", "r")
    equal(found.metadata["etag"], answer["etag"])
    assert found.metadata["etag"].startswith("W/\"datetime'2"), found.metadata["etag"]
    refused((409, "EntityAlreadyExists"), table.create_entity, _entity(a=2))
    equal(_properties(table), {"a": 1})


@case
def an_insert_answers_with_the_entity_where_asked_to(account):
    table = account.table()
    answer = table.create_entity(_entity(a=1), headers={"Prefer": "return-content"})
    equal(answer["preference_applied"], "return-content")
    equal((answer["content"]["a"], answer["content"]["RowKey"]), (1, "r"))
    answer = table.create_entity({"PartitionKey": "p", "RowKey": "r2"}, headers={"Prefer": "return-no-content"})
    equal((answer["preference_applied"], answer["content"]), ("return-no-content", None))


@case
def a_merge_keeps_what_it_does_not_name_and_a_replace_does_not(account):
    table = account.table()
    table.create_entity(_entity(a=1, b="two"))
    table.update_entity(_entity(b="three", c=None), mode=UpdateMode.MERGE)
    equal(_properties(table), {"a": 1, "b": "three"})
    table.update_entity(_entity(c=True), mode=UpdateMode.REPLACE)
    equal(_properties(table), {"c": True})


@case
def an_upsert_inserts_or_writes_over(account):
    table = account.table()
    table.upsert_entity(_entity(a=1), mode=UpdateMode.MERGE)
    table.upsert_entity(_entity(b=2), mode=UpdateMode.MERGE)
    equal(_properties(table), {"a": 1, "b": 2})
    table.upsert_entity(_entity(c=3), mode=UpdateMode.REPLACE)
    equal(_properties(table), {"c": 3})
    table.upsert_entity({"PartitionKey": "p", "RowKey": "s", "d": 4}, mode=UpdateMode.REPLACE)
    equal(table.get_entity("p", "s")["d"], 4)


@case
def an_update_of_nothing_is_refused(account):
    table = account.table()
    for mode in (UpdateMode.MERGE, UpdateMode.REPLACE):
        refused((404, "ResourceNotFound"), table.update_entity, _entity(a=1), mode=mode)
        lost = {"etag": "W/\"datetime'2020-01-01T00%3A00%3A00Z'\"", "match_condition": MatchConditions.IfNotModified}
        refused((404, "ResourceNotFound"), table.update_entity, _entity(a=1), mode=mode, **lost)


@case
def a_write_with_an_old_etag_is_refused(account):
    table = account.table()
    old = table.create_entity(_entity(a=1))["etag"]
    new = table.upsert_entity(_entity(a=2))["etag"]
    assert old != new
    lost = {"etag": old, "match_condition": MatchConditions.IfNotModified}
    for mode in (UpdateMode.MERGE, UpdateMode.REPLACE):
        refused((412, "UpdateConditionNotSatisfied"), table.update_entity, _entity(a=3), mode=mode, **lost)
    refused((412, "UpdateConditionNotSatisfied"), table.delete_entity, "p", "r", **lost)
    equal(_properties(table), {"a": 2})
    held = {"etag": new, "match_condition": MatchConditions.IfNotModified}
    newest = table.update_entity(_entity(a=4), **held)["etag"]
    table.delete_entity("p", "r", etag=newest, match_condition=MatchConditions.IfNotModified)
    refused((404, "ResourceNotFound"), table.get_entity, "p", "r")


@case
def a_delete_takes_what_is_gone_as_deleted(account):
    table = account.table()
    table.create_entity(_entity())
    table.delete_entity("p", "r")
    table.delete_entity("p", "r")


@case
def entities_outside_the_limits_are_refused(account):
    table = account.table()
    refused((400, "PropertyValueTooLarge"), table.create_entity, _entity(a="x" * (32 * 1024 + 1)))
    refused((400, "PropertyValueTooLarge"), table.create_entity, _entity(a=b"x" * (64 * 1024 + 1)))
    refused((400, "PropertyNameTooLong"), table.create_entity, _entity(**{"n" * 256: 1}))
    refused((400, "PropertyNameInvalid"), table.create_entity, _entity(**{"with-hyphen": 1}))
    refused((400, "TooManyProperties"), table.create_entity, _entity(**{f"n{number}": 1 for number in range(253)}))
    large = {f"n{number}": "x" * (32 * 1024) for number in range(17)}
    refused((400, "EntityTooLarge"), table.create_entity, _entity(**large))
    equal(list(table.list_entities()), [])
    table.create_entity(_entity(**{f"n{number}": 1 for number in range(252)}))
    table.create_entity({"PartitionKey": "p", "RowKey": "s", "a": "x" * (32 * 1024), "b": b"x" * (64 * 1024), "n" * 255: 1})
    equal(len(table.get_entity("p", "s")["b"]), 64 * 1024)
