"""Shared access signatures: of a table, of a range of its keys, by a stored policy, of the account."""

from datetime import datetime, timedelta, timezone

from azure.core.credentials import AzureNamedKeyCredential, AzureSasCredential
from azure.data.tables import (
    AccountSasPermissions,
    ResourceTypes,
    TableAccessPolicy,
    TableClient,
    TableSasPermissions,
    TableServiceClient,
    UpdateMode,
    generate_account_sas,
    generate_table_sas,
)

from account import ONCE
from cases import case, equal, refused

_DENIED = (403, "AuthorizationPermissionMismatch")


def _soon():
    return datetime.now(timezone.utc) + timedelta(hours=1)


def _with(account, table, token):
    return TableClient(account.table_url, table.table_name, credential=AzureSasCredential(token), **ONCE)


def _signed(account, table, permission, **named):
    """The table as a bearer of a signature for it sees it."""
    named.setdefault("expiry", _soon())
    letters = TableSasPermissions(**{name: True for name in permission}) if permission else None
    token = generate_table_sas(account.credential, table.table_name, permission=letters, **named)
    return _with(account, table, token)


def _entity(row="r", partition="p", **properties):
    return {"PartitionKey": partition, "RowKey": row, **properties}


@case
def all_letters_allow_all_operations_on_entities(account):
    table = account.table()
    signed = _signed(account, table, ["read", "add", "update", "delete"])
    signed.create_entity(_entity(a=1))
    signed.update_entity(_entity(a=2))
    signed.upsert_entity(_entity(a=3), mode=UpdateMode.REPLACE)
    equal(signed.get_entity("p", "r")["a"], 3)
    equal(len(list(signed.query_entities("a eq 3"))), 1)
    signed.submit_transaction([("create", _entity("s")), ("delete", _entity("r"))])
    equal([entity["RowKey"] for entity in signed.list_entities()], ["s"])


@case
def each_operation_needs_its_letter(account):
    table = account.table()
    table.create_entity(_entity())
    needs = {
        "read": lambda signed: signed.get_entity("p", "r"),
        "add": lambda signed: signed.create_entity(_entity("new")),
        "update": lambda signed: signed.update_entity(_entity(a=1)),
        "delete": lambda signed: signed.delete_entity(_entity()),
    }
    for needed, call in needs.items():
        refused(_DENIED, call, _signed(account, table, [letter for letter in needs if letter != needed]))
    for needed, call in needs.items():
        call(_signed(account, table, [needed]))
    refused(_DENIED, lambda: list(_signed(account, table, ["add", "update", "delete"]).list_entities()))


@case
def an_upsert_needs_two_letters(account):
    table = account.table()
    for mode in (UpdateMode.MERGE, UpdateMode.REPLACE):
        for letters in (["add"], ["update"]):
            refused(_DENIED, _signed(account, table, letters).upsert_entity, _entity(), mode=mode)
        _signed(account, table, ["add", "update"]).upsert_entity(_entity(), mode=mode)


@case
def a_batch_needs_the_letters_of_its_operations(account):
    table = account.table()
    operations = [("create", _entity("1")), ("upsert", _entity("2"))]
    refused("AuthorizationPermissionMismatch", _signed(account, table, ["add"]).submit_transaction, operations)
    equal(list(table.list_entities()), [])
    _signed(account, table, ["add", "update"]).submit_transaction(operations)
    equal(len(list(table.list_entities())), 2)


@case
def a_signature_of_a_table_is_for_no_other(account):
    table, other = account.table(), account.table()
    token = generate_table_sas(account.credential, table.table_name, permission="raud", expiry=_soon())
    codes = {"AuthenticationFailed", "AuthorizationFailure"}
    refused((403, codes), _with(account, other, token).get_entity, "p", "r")


@case
def a_signature_of_a_table_makes_and_deletes_none(account):
    table = account.table()
    signed = _signed(account, table, ["read", "add", "update", "delete"])
    for call in (signed.create_table, signed.delete_table, signed.get_table_access_policy):
        refused((403, "AuthorizationFailure"), call)
    table.create_entity(_entity())


@case
def a_table_is_signed_in_any_case(account):
    table = account.table()
    token = generate_table_sas(account.credential, table.table_name.upper(), permission="r", expiry=_soon())
    equal(list(_with(account, table, token).list_entities()), [])


@case
def a_range_limits_what_is_read_and_written(account):
    table = account.table()
    for partition in "abcd":
        table.submit_transaction([("create", _entity(f"{row}", partition)) for row in range(5)])
    named = {"start_pk": "b", "start_rk": "3", "end_pk": "c", "end_rk": "1"}
    signed = _signed(account, table, ["read", "add", "update", "delete"], **named)
    found = [entity["PartitionKey"] + entity["RowKey"] for entity in signed.list_entities()]
    equal(found, ["b3", "b4", "c0", "c1"])
    equal([entity["RowKey"] for entity in signed.query_entities("PartitionKey eq 'b'")], ["3", "4"])
    equal(list(signed.query_entities("PartitionKey eq 'a'")), [])
    signed.upsert_entity(_entity("5", "b"))
    signed.create_entity(_entity("05", "c"))
    for partition, row in (("b", "2"), ("c", "2"), ("a", "9"), ("d", "0")):
        entity = _entity(row, partition, changed=True)
        refused((403, "AuthorizationFailure"), signed.upsert_entity, entity)
        refused((403, "AuthorizationFailure"), signed.update_entity, entity)
        refused((403, "AuthorizationFailure"), signed.delete_entity, entity)
        refused((403, "AuthorizationFailure"), signed.create_entity, _entity(row + "x" if partition != "b" else "0x", partition))
    refused("AuthorizationFailure", signed.submit_transaction, [("upsert", _entity("3", "b")), ("upsert", _entity("2", "b"))])
    equal([entity for entity in table.list_entities() if entity.get("changed")], [])


@case
def a_range_is_kept_over_pages(account):
    table = account.table()
    for partition in range(12):
        table.submit_transaction([("create", _entity(f"{row:03}", f"{partition:02}")) for row in range(100)])
    signed = _signed(account, table, ["read"], start_pk="01", end_pk="11")
    pages = [len(list(page)) for page in signed.list_entities().by_page()]
    equal(pages, [1000, 100])
    pages = [len(list(page)) for page in _signed(account, table, ["read"], start_pk="03", end_pk="03").list_entities(results_per_page=30).by_page()]
    equal(sum(pages), 100)


@case
def a_policy_gives_what_the_signature_leaves_out_and_takes_it_away(account):
    table = account.table()
    policy = TableAccessPolicy(expiry=_soon(), permission="r")
    table.set_table_access_policy({"readers": policy})
    signed = _signed(account, table, None, expiry=None, policy_id="readers")
    equal(list(signed.list_entities()), [])
    refused(_DENIED, signed.create_entity, _entity())
    table.set_table_access_policy({"readers": TableAccessPolicy(expiry=_soon(), permission="ra")})
    signed.create_entity(_entity())
    table.set_table_access_policy({})
    refused((403, "AuthenticationFailed"), list, signed.list_entities())


@case
def a_signature_has_its_time_its_addresses_and_its_key(account):
    table = account.table()
    now, hour = datetime.now(timezone.utc), timedelta(hours=1)
    late = _signed(account, table, ["read"], expiry=now - hour)
    refused((403, "AuthenticationFailed"), list, late.list_entities())
    early = _signed(account, table, ["read"], start=now + hour, expiry=now + 2 * hour)
    refused((403, "AuthenticationFailed"), list, early.list_entities())
    elsewhere = _signed(account, table, ["read"], ip_address_or_range="192.0.2.1-192.0.2.9")
    refused((403, "AuthorizationSourceIPMismatch"), list, elsewhere.list_entities())
    here = _signed(account, table, ["read"], ip_address_or_range="127.0.0.0-127.0.0.255")
    equal(list(here.list_entities()), [])
    secure = _signed(account, table, ["read"], protocol="https")
    refused((403, "AuthorizationProtocolMismatch"), list, secure.list_entities())
    token = generate_table_sas(account.credential, table.table_name, permission="r", expiry=_soon())
    forged = _with(account, table, token.replace("sp=r", "sp=rd"))
    refused((403, "AuthenticationFailed"), list, forged.list_entities())


@case
def a_signature_of_the_account_goes_by_kinds_of_resources(account):
    everything = AccountSasPermissions(read=True, write=True, delete=True, list=True, add=True, update=True)
    kinds = ResourceTypes(service=True, container=True, object=True)
    token = generate_account_sas(account.credential, kinds, everything, _soon())
    service = TableServiceClient(account.table_url, credential=AzureSasCredential(token), **ONCE)
    table = service.create_table(account.fresh_name())
    table.create_entity(_entity())
    assert table.table_name in [found.name for found in service.list_tables()]
    service.get_service_properties()

    def only(kinds, permission):
        token = generate_account_sas(account.credential, kinds, permission, _soon())
        return TableServiceClient(account.table_url, credential=AzureSasCredential(token), **ONCE)

    objects = only(ResourceTypes(object=True), everything)
    equal(len(list(objects.get_table_client(table.table_name).list_entities())), 1)
    refused((403, "AuthorizationResourceTypeMismatch"), objects.create_table, account.fresh_name())
    readers = only(kinds, AccountSasPermissions(read=True))
    equal(len(list(readers.get_table_client(table.table_name).list_entities())), 1)
    refused(_DENIED, readers.get_table_client(table.table_name).create_entity, _entity("s"))
    refused(_DENIED, readers.create_table, account.fresh_name())
    service.delete_table(table.table_name)


@case
def a_wrong_key_is_refused(account):
    wrong = AzureNamedKeyCredential(account.name, "d3Jvbmc=")
    service = TableServiceClient(account.table_url, credential=wrong, **ONCE)
    refused((403, "AuthenticationFailed"), list, service.list_tables())
