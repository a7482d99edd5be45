"""The eight types of values, at their ends and in between."""

import math
from datetime import datetime, timedelta, timezone
from uuid import UUID

from azure.data.tables import EdmType, EntityProperty, UpdateMode

from cases import case, equal, refused

_UTC = timezone.utc


def _round_trip(account, **properties):
    """The entity as it comes back, alone and in a list."""
    table = account.table()
    table.create_entity({"PartitionKey": "p", "RowKey": "r", **properties})
    alone, listed = table.get_entity("p", "r"), next(iter(table.list_entities()))
    equal(dict(listed) == dict(alone) or any(value != value for value in alone.values()), True)
    return alone


def _kept(account, **properties):
    found = _round_trip(account, **properties)
    equal({name: found.get(name) for name in properties}, properties)


@case
def strings_keep_every_character(account):
    _kept(
        account,
        empty="",
        quotes="'single' \"double\" \\ back / slash",
        lines="\r\n\t\b\f\u0001",
        europe="ÄÖÜß – €",
        beyond="𝄞 🦀 👩‍👩‍👧",
        separators="\u2028\u2029\ufeff",
        long="ä" * (32 * 1024),
        dated="2024-01-01T00:00:00Z",
        number="42",
    )


@case
def booleans_keep_their_value(account):
    _kept(account, yes=True, no=False)


@case
def small_integers_keep_both_ends(account):
    _kept(account, low=-(2**31), high=2**31 - 1, zero=0)


@case
def large_integers_keep_both_ends_and_their_type(account):
    values = {"low": -(2**63), "high": 2**63 - 1, "small": 7, "zero": 0}
    _kept(account, **{name: EntityProperty(value, EdmType.INT64) for name, value in values.items()})


@case
def doubles_keep_every_bit(account):
    found = _round_trip(
        account,
        whole=10.0,
        tenth=0.1,
        largest=1.7976931348623157e308,
        lowest=-1.7976931348623157e308,
        smallest=5e-324,
        normal=2.2250738585072014e-308,
        third=1 / 3,
        long=123456789012345.12,
        power=1e21,
        small=1e-7,
    )
    equal(found["whole"], 10.0)
    assert isinstance(found["whole"], float), "a whole number came back as an integer"
    equal((found["tenth"], found["third"], found["long"]), (0.1, 1 / 3, 123456789012345.12))
    equal((found["largest"], found["lowest"]), (1.7976931348623157e308, -1.7976931348623157e308))
    equal((found["smallest"], found["normal"]), (5e-324, 2.2250738585072014e-308))
    equal((found["power"], found["small"]), (1e21, 1e-7))


@case
def doubles_that_are_no_numbers_are_kept(account):
    found = _round_trip(account, plus=math.inf, minus=-math.inf, none=math.nan)
    equal((found["plus"], found["minus"], math.isnan(found["none"])), (math.inf, -math.inf, True))


@case
def an_integer_sent_as_a_double_is_a_double(account):
    found = _round_trip(account, a=EntityProperty(4.0, EdmType.DOUBLE))
    assert isinstance(found["a"], float), found["a"]


@case
def binaries_keep_every_byte(account):
    _kept(account, empty=b"", all=bytes(range(256)), long=bytes(range(256)) * 256)


@case
def guids_are_read_in_any_case(account):
    guid = UUID("DD3CB8F8-93B7-44E2-B74A-C0AA3B27A6D2")
    _kept(account, a=guid, none=UUID(int=0), all=UUID(int=2**128 - 1))


@case
def times_keep_their_instant(account):
    _kept(
        account,
        first=datetime(1601, 1, 1, tzinfo=_UTC),
        last=datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=_UTC),
        micros=datetime(2024, 2, 29, 12, 30, 45, 123456, tzinfo=_UTC),
        whole=datetime(2024, 2, 29, 12, 30, 45, tzinfo=_UTC),
    )


@case
def times_keep_all_seven_digits(account):
    for text in ("2013-08-02T17:37:43.9004348Z", "9999-12-31T23:59:59.9999999Z", "1601-01-01T00:00:00Z"):
        found = _round_trip(account, a=EntityProperty(text, EdmType.DATETIME))
        equal(found["a"].tables_service_value, text)


@case
def a_time_before_the_first_is_refused_by_name(account):
    error = refused((400, "OutOfRangeInput"), _round_trip, account, when=datetime(1600, 12, 31, tzinfo=_UTC))
    assert "'when'" in error.response.text(), error.response.text()


@case
def a_none_is_not_kept(account):
    found = _round_trip(account, a=None, b=1)
    equal("a" in found, False)


@case
def a_merge_can_change_a_type(account):
    table = account.table()
    for value in (1, "one", True, 1.5, b"1", UUID(int=1), EntityProperty(1, EdmType.INT64)):
        table.upsert_entity({"PartitionKey": "p", "RowKey": "r", "a": value}, mode=UpdateMode.MERGE)
        equal(table.get_entity("p", "r")["a"], value)


@case
def properties_differ_by_case(account):
    _kept(account, age=1, Age=2, AGE=3)


@case
def the_timestamp_is_the_services_own(account):
    table = account.table()
    sent = datetime(2000, 1, 1, tzinfo=_UTC)
    table.create_entity({"PartitionKey": "p", "RowKey": "r", "Timestamp": sent})
    found = table.get_entity("p", "r").metadata["timestamp"]
    assert abs(datetime.now(_UTC) - found) < timedelta(minutes=5), found
