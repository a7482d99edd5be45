"""Keys with every character that may be in one, and with those that may not."""

from azure.data.tables import UpdateMode

from cases import case, equal, refused

_AWKWARD = [
    "",
    " ",
    "a b",
    "O'Brien",
    "''",
    "'",
    '"quoted"',
    "100%",
    "%25",
    "%2F",
    "a+b",
    "a&b=c;d",
    "(a,b)",
    "PartitionKey='p',RowKey='r'",
    "a:b@c$d!e*f~g-h_i.j",
    "..",
    "[a]{b}|c^d`e<f>",
    "äöü",
    "日本語",
    "🦀",
    "\u00a0",
]


@case
def an_awkward_key_is_written_read_and_deleted(account):
    table = account.table()
    for key in _AWKWARD:
        for partition, row in ((key, "r"), ("p", key), (key, key)):
            entity = {"PartitionKey": partition, "RowKey": row, "a": 1}
            table.create_entity(entity)
            table.update_entity({**entity, "a": 2}, mode=UpdateMode.MERGE)
            table.upsert_entity({**entity, "b": 3}, mode=UpdateMode.REPLACE)
            found = table.get_entity(partition, row)
            equal((found["PartitionKey"], found["RowKey"], found["a"], found["b"]), (partition, row, 1, 3))
            table.delete_entity(partition, row)
            refused("ResourceNotFound", table.get_entity, partition, row)


@case
def an_awkward_key_is_found_by_a_filter(account):
    table = account.table()
    for number, key in enumerate(_AWKWARD):
        table.create_entity({"PartitionKey": key, "RowKey": f"{number}", "same": key})
    for number, key in enumerate(_AWKWARD):
        for name in ("PartitionKey", "same"):
            found = table.query_entities(f"{name} eq @key", parameters={"key": key})
            equal([entity["RowKey"] for entity in found], [f"{number}"])


@case
def an_awkward_key_is_taken_in_a_batch(account):
    table = account.table()
    table.submit_transaction([("create", {"PartitionKey": "%'+ ä", "RowKey": key}) for key in _AWKWARD])
    equal(len(list(table.list_entities())), len(_AWKWARD))
    table.submit_transaction([("delete", {"PartitionKey": "%'+ ä", "RowKey": key}) for key in _AWKWARD])
    equal(list(table.list_entities()), [])


@case
def keys_are_in_the_order_of_utf_16(account):
    table = account.table()
    # The last is beyond the first plane: its surrogates come before U+FF5E.
    sorted_keys = ["", " ", "!", "-", "0", "10", "9", "A", "Z", "_", "a", "aa", "b", "ä", "日", "🦀", "～"]
    for key in reversed(sorted_keys):
        table.create_entity({"PartitionKey": "p", "RowKey": key})
    equal([entity["RowKey"] for entity in table.list_entities()], sorted_keys)


@case
def a_character_that_no_key_has_is_refused(account):
    table = account.table()
    for character in "/\\#?\t\n\r\u0001\u001f\u007f\u0085\u009f":
        for entity in ({"PartitionKey": f"a{character}b", "RowKey": "r"}, {"PartitionKey": "p", "RowKey": f"a{character}b"}):
            refused((400, "OutOfRangeInput"), table.create_entity, entity)
    equal(list(table.list_entities()), [])


@case
def a_missing_key_is_refused(account):
    # The client's word for the service's PropertiesNeedValue.
    table = account.table()
    for entity in ({"PartitionKey": "p"}, {"RowKey": "r"}, {"PartitionKey": "p", "RowKey": None}):
        try:
            table.create_entity(entity)
        except (ValueError, KeyError):
            continue
        raise AssertionError(f"{entity} was taken")


@case
def a_key_of_half_a_thousand_characters_is_taken_and_a_longer_one_refused(account):
    table = account.table()
    table.create_entity({"PartitionKey": "p" * 512, "RowKey": "r" * 512})
    equal(table.get_entity("p" * 512, "r" * 512)["PartitionKey"], "p" * 512)
    refused((400, "PropertyValueTooLarge"), table.create_entity, {"PartitionKey": "p" * 2048, "RowKey": "r"})
