"""Queries over three thousand entities: pages, filters, projections."""

from datetime import datetime, timezone
from functools import cache
from uuid import UUID

from azure.data.tables import EdmType, EntityProperty

from cases import case, equal, refused

_COUNT = 3000


@cache
def _three_thousand(account):
    """Thirty partitions of a hundred entities each, written once for all cases here."""
    table = account.table()
    for partition in range(30):
        rows = range(partition * 100, partition * 100 + 100)
        table.submit_transaction([("upsert", _entity(number)) for number in rows])
    return table


def _entity(number):
    return {
        "PartitionKey": f"p{number // 100:02}",
        "RowKey": f"r{number:04}",
        "number": number,
        "large": EntityProperty(number * 2**32, EdmType.INT64),
        "half": number / 2,
        "even": number % 2 == 0,
        "text": f"text {number}",
    }


def _rows(found):
    return [entity["RowKey"] for entity in found]


def _expected(keep):
    return [f"r{number:04}" for number in range(_COUNT) if keep(number)]


@case
def all_entities_come_once_and_in_order(account):
    equal(_rows(_three_thousand(account).list_entities()), _expected(lambda _: True))


@case
def a_page_holds_a_thousand_unless_fewer_are_asked_for(account):
    table = _three_thousand(account)
    equal([len(list(page)) for page in table.list_entities().by_page()], [1000, 1000, 1000])
    sizes = [len(list(page)) for page in table.list_entities(results_per_page=700).by_page()]
    equal(sizes, [700, 700, 700, 700, 200])


@case
def a_listing_goes_on_from_a_token(account):
    table = _three_thousand(account)
    pages = table.list_entities(results_per_page=250).by_page()
    first = _rows(next(pages))
    rest = table.list_entities(results_per_page=250).by_page(continuation_token=pages.continuation_token)
    equal(first + [row for page in rest for row in _rows(page)], _expected(lambda _: True))


@case
def a_page_of_more_than_a_thousand_is_refused(account):
    pages = _three_thousand(account).list_entities(results_per_page=1001).by_page()
    refused((400, "InvalidInput"), next, pages)


@case
def a_filter_goes_on_over_pages(account):
    table = _three_thousand(account)
    pages = table.query_entities("even eq true", results_per_page=400).by_page()
    found = [row for page in pages for row in _rows(page)]
    equal(found, _expected(lambda number: number % 2 == 0))


@case
def ranges_of_keys_are_found(account):
    table = _three_thousand(account)
    equal(_rows(table.query_entities("PartitionKey eq 'p07'")), _expected(lambda number: number // 100 == 7))
    point = "PartitionKey eq 'p07' and RowKey eq 'r0712'"
    equal(_rows(table.query_entities(point)), ["r0712"])
    rows = "PartitionKey eq 'p07' and RowKey ge 'r0712' and RowKey lt 'r0715'"
    equal(_rows(table.query_entities(rows)), ["r0712", "r0713", "r0714"])
    partitions = "PartitionKey gt 'p07' and PartitionKey le 'p09'"
    equal(_rows(table.query_entities(partitions)), _expected(lambda number: number // 100 in (8, 9)))
    either = "RowKey eq 'r0001' or RowKey eq 'r2999'"
    equal(_rows(table.query_entities(either)), ["r0001", "r2999"])
    equal(_rows(table.query_entities("PartitionKey eq 'nobody'")), [])


@case
def every_operator_compares(account):
    table = _three_thousand(account)
    operators = {
        "eq": lambda number: number == 1500,
        "ne": lambda number: number != 1500,
        "lt": lambda number: number < 1500,
        "le": lambda number: number <= 1500,
        "gt": lambda number: number > 1500,
        "ge": lambda number: number >= 1500,
    }
    for operator, keep in operators.items():
        equal(_rows(table.query_entities(f"number {operator} 1500")), _expected(keep))


@case
def words_bind_as_they_should(account):
    table = _three_thousand(account)
    mixed = "number lt 3 or number gt 2997 and even eq true"
    equal(_rows(table.query_entities(mixed)), _expected(lambda number: number < 3 or (number > 2997 and number % 2 == 0)))
    grouped = "(number lt 3 or number gt 2997) and even eq true"
    equal(_rows(table.query_entities(grouped)), _expected(lambda number: (number < 3 or number > 2997) and number % 2 == 0))
    negated = "not (number ge 3) and not (even eq true)"
    equal(_rows(table.query_entities(negated)), ["r0001"])


@case
def values_of_each_type_are_found_by_parameters(account):
    table = account.table()
    when = datetime(2024, 2, 29, 12, 30, 45, 123456, tzinfo=timezone.utc)
    guid = UUID("a455c695-df98-5678-aaaa-81d3367e5a34")
    values = {
        "text": "O'Brien & sons",
        "small": 7,
        "large": EntityProperty(2**40, EdmType.INT64),
        "double": 1.5,
        "flag": True,
        "guid": guid,
        "when": when,
        "bytes": b"\x00\x01\xfe\xff",
    }
    table.create_entity({"PartitionKey": "p", "RowKey": "r", **values})
    table.create_entity({"PartitionKey": "p", "RowKey": "without"})
    for name, value in values.items():
        plain = value.value if isinstance(value, EntityProperty) else value
        equal(_rows(table.query_entities(f"{name} eq @value", parameters={"value": plain})), ["r"])
        equal(_rows(table.query_entities(f"{name} ne @value", parameters={"value": plain})), [])


@case
def a_literal_is_widened_and_never_narrowed(account):
    table = account.table()
    wide = EntityProperty(5, EdmType.INT64)
    table.create_entity({"PartitionKey": "p", "RowKey": "r", "small": 5, "large": wide, "double": 5.0, "text": "5"})
    for text, matches in {
        "small eq 5": True,
        "large eq 5": True,
        "double eq 5": True,
        "large eq 5L": True,
        "double eq 5L": True,
        "double eq 5.0": True,
        "small eq 5L": False,
        "small eq 5.0": False,
        "large eq 5.0": False,
        "text eq 5": False,
        "small eq '5'": False,
        "small ne '5'": True,
        "5 eq small": True,
    }.items():
        equal((text, _rows(table.query_entities(text))), (text, ["r"] if matches else []))


@case
def a_property_that_is_not_there_matches_nothing(account):
    table = account.table()
    table.create_entity({"PartitionKey": "p", "RowKey": "r"})
    for text in ("a eq 1", "a ne 1", "a lt 1", "a ge 1", "a eq ''", "a ne ''"):
        equal((text, _rows(table.query_entities(text))), (text, []))
    equal(_rows(table.query_entities("not (a eq 1)")), ["r"])


@case
def the_timestamp_can_be_asked_for(account):
    table = account.table()
    table.create_entity({"PartitionKey": "p", "RowKey": "r"})
    equal(_rows(table.query_entities("Timestamp gt datetime'2020-01-01T00:00:00Z'")), ["r"])
    equal(_rows(table.query_entities("Timestamp lt datetime'2020-01-01T00:00:00Z'")), [])


@case
def only_what_is_selected_comes(account):
    table = _three_thousand(account)
    one = "PartitionKey eq 'p07' and RowKey eq 'r0712'"
    found = list(table.query_entities(one, select=["RowKey", "number", "nothing"]))
    equal([{name: value for name, value in entity.items() if value is not None} for entity in found], [{"RowKey": "r0712", "number": 712}])
    assert found[0].metadata["etag"].startswith("W/"), found[0].metadata
    equal(dict(table.get_entity("p07", "r0712", select=["text"])), {"text": "text 712"})


@case
def a_filter_that_cannot_be_read_is_refused(account):
    table = _three_thousand(account)
    for text in ("aaa bbb ccc", "number eq", "(number eq 1", "number eq 'open", "number is 3"):
        refused((400, "InvalidInput"), list, table.query_entities(text))
    refused((501, "NotImplemented"), list, table.query_entities("startswith(text, 't')"))


@case
def sixteen_comparisons_are_one_too_many(account):
    table = _three_thousand(account)
    equal(len(_rows(table.query_entities(" or ".join(f"number eq {number}" for number in range(15))))), 15)
    refused((400, "InvalidInput"), list, table.query_entities(" or ".join(f"number eq {number}" for number in range(16))))
