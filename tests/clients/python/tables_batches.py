"""Transactions of up to a hundred operations on one partition."""

from azure.core import MatchConditions
from azure.data.tables import RequestTooLargeError, TableTransactionError, UpdateMode

from cases import case, equal, refused


def _entity(row, **properties):
    return {"PartitionKey": "p", "RowKey": row, **properties}


def _fails(table, operations, code, index):
    """A batch that fails names its operation, and leaves all as it was."""
    before = [dict(entity) for entity in table.list_entities()]
    error = refused(code, table.submit_transaction, operations)
    equal(type(error), TableTransactionError)
    equal(error.index, index)
    equal([dict(entity) for entity in table.list_entities()], before)


@case
def all_kinds_of_operations_go_together(account):
    table = account.table()
    etags = {row: table.create_entity(_entity(row, a=1, b=1))["etag"] for row in ("1", "2", "3", "4", "5")}
    held = {"etag": etags["5"], "match_condition": MatchConditions.IfNotModified}
    answers = table.submit_transaction(
        [
            ("create", _entity("0", a=0)),
            ("update", _entity("1", a=2), {"mode": UpdateMode.MERGE}),
            ("update", _entity("2", a=2), {"mode": UpdateMode.REPLACE}),
            ("delete", _entity("3")),
            ("upsert", _entity("4", c=4), {"mode": UpdateMode.MERGE}),
            ("update", _entity("5", d=5), {"mode": UpdateMode.MERGE, **held}),
            ("upsert", _entity("6", e=6), {"mode": UpdateMode.REPLACE}),
        ]
    )
    equal(len(answers), 7)
    equal(["etag" in answer and bool(answer["etag"]) for answer in answers], [True, True, True, False, True, True, True])
    found = {entity["RowKey"]: entity for entity in table.list_entities()}
    equal(sorted(found), ["0", "1", "2", "4", "5", "6"])
    shown = {row: {name: entity[name] for name in entity if name not in ("PartitionKey", "RowKey")} for row, entity in found.items()}
    equal(shown["1"], {"a": 2, "b": 1})
    equal(shown["2"], {"a": 2})
    equal(shown["4"], {"a": 1, "b": 1, "c": 4})
    equal(shown["5"], {"a": 1, "b": 1, "d": 5})
    equal(found["1"].metadata["etag"], answers[1]["etag"])


@case
def a_hundred_go_and_one_more_does_not(account):
    table = account.table()
    table.submit_transaction([("create", _entity(f"{number:03}")) for number in range(100)])
    equal(len(list(table.list_entities())), 100)
    error = refused("InvalidInput", table.submit_transaction, [("upsert", _entity(f"{number:03}")) for number in range(101)])
    assert "100" in error.message, error.message


@case
def the_one_at_fault_is_named(account):
    table = account.table()
    old = table.create_entity(_entity("held"))["etag"]
    table.upsert_entity(_entity("held", a=1))
    lost = {"etag": old, "match_condition": MatchConditions.IfNotModified}
    fill = [("upsert", _entity(f"{number}", a=2)) for number in range(3)]
    _fails(table, [*fill, ("create", _entity("held"))], "EntityAlreadyExists", 3)
    _fails(table, [*fill[:2], ("update", _entity("none")), fill[2]], "ResourceNotFound", 2)
    _fails(table, [*fill[:1], ("delete", _entity("none")), fill[2]], "ResourceNotFound", 1)
    _fails(table, [("update", _entity("held", a=3), lost), *fill], "UpdateConditionNotSatisfied", 0)
    _fails(table, [*fill, ("delete", _entity("held"), lost)], "UpdateConditionNotSatisfied", 3)
    _fails(table, [*fill, ("upsert", _entity("long", a="x" * 40000))], "PropertyValueTooLarge", 3)
    _fails(table, [*fill, ("upsert", _entity("0", b=1))], "InvalidDuplicateRow", 3)


@case
def one_partition_is_in_a_batch(account):
    # This client looks at it first: the same answer without the service.
    table = account.table()
    try:
        table.submit_transaction([("create", _entity("a")), ("create", {"PartitionKey": "q", "RowKey": "b"})])
    except ValueError:
        equal(list(table.list_entities()), [])
        return
    raise AssertionError("two partitions were taken")


@case
def a_batch_on_a_table_that_is_not_there_is_refused(account):
    table = account.tables().get_table_client(account.fresh_name())
    error = refused("TableNotFound", table.submit_transaction, [("create", _entity("1")), ("create", _entity("2"))])
    equal(error.index, 0)


@case
def four_mebibytes_are_the_most(account):
    table = account.table()
    try:
        table.submit_transaction([("create", _entity(f"{number}", a="x" * 32000, b="y" * 32000)) for number in range(70)])
    except RequestTooLargeError as error:
        equal((error.status_code, error.error_code), (413, "RequestBodyTooLarge"))
        equal(list(table.list_entities()), [])
        return
    raise AssertionError("more than four mebibytes were taken")
