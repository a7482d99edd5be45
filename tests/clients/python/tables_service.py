"""Tables as a whole: made, listed, deleted; the service's properties, statistics and access policies."""

from datetime import datetime, timedelta, timezone
from urllib.parse import urlsplit

from azure.data.tables import (
    TableAccessPolicy,
    TableAnalyticsLogging,
    TableCorsRule,
    TableMetrics,
    TableRetentionPolicy,
    TableServiceClient,
)

from account import ONCE
from cases import case, equal, refused


@case
def a_table_is_made_once_and_deleted_once(account):
    service, name = account.tables(), account.fresh_name()
    service.create_table(name)
    refused((409, "TableAlreadyExists"), service.create_table, name)
    service.create_table_if_not_exists(name)
    equal([table.name for table in service.query_tables(f"TableName eq '{name}'")], [name])
    service.delete_table(name)
    equal([table.name for table in service.query_tables(f"TableName eq '{name}'")], [])
    # The client takes a table that is not there as deleted.
    service.delete_table(name)


@case
def names_differ_by_more_than_case_and_keep_theirs(account):
    service, name = account.tables(), account.fresh_name()
    service.create_table(name.upper())
    refused("TableAlreadyExists", service.create_table, name)
    service.get_table_client(name).create_entity({"PartitionKey": "p", "RowKey": "r"})
    equal(service.get_table_client(name.upper()).get_entity("p", "r")["RowKey"], "r")
    equal([t.name for t in service.list_tables() if t.name.lower() == name], [name.upper()])


@case
def a_name_that_contains_another_is_another(account):
    service, name = account.tables(), account.fresh_name()
    service.create_table(name + "longer")
    service.create_table(name)
    service.delete_table(name)
    equal([t.name for t in service.list_tables() if t.name.startswith(name)], [name + "longer"])


@case
def names_outside_the_rules_are_refused(account):
    # This client turns the two codes for names into a ValueError, by their texts.
    for name in ["ab", "a" * 64, "1abc", "with-hyphen"]:
        try:
            account.tables().create_table(name)
        except ValueError:
            continue
        raise AssertionError(f"{name!r} was taken")
    refused((400, "InvalidInput"), account.tables().create_table, "tables")


@case
def tables_are_listed_in_pages_by_name(account):
    service, stem = account.tables(), account.fresh_name()
    names = [f"{stem}x{number}" for number in range(5)]
    for name in reversed(names):
        service.create_table(name)
    filtered = f"TableName ge '{stem}x' and TableName lt '{stem}y'"
    pages = service.query_tables(filtered, results_per_page=2).by_page()
    equal([[table.name for table in page] for page in pages], [names[:2], names[2:4], names[4:]])


@case
def an_operation_on_a_table_that_is_not_there_is_refused(account):
    table = account.tables().get_table_client(account.fresh_name())
    entity = {"PartitionKey": "p", "RowKey": "r"}
    refused((404, "TableNotFound"), table.create_entity, entity)
    refused((404, "TableNotFound"), table.upsert_entity, entity)
    refused((404, "TableNotFound"), table.get_entity, "p", "r")
    refused((404, "TableNotFound"), list, table.list_entities())
    refused((404, "TableNotFound"), table.get_table_access_policy)


@case
def properties_are_kept_one_by_one(account):
    service = account.tables()
    days = TableRetentionPolicy(enabled=True, days=5)
    service.set_service_properties(
        analytics_logging=TableAnalyticsLogging(read=True, write=True, delete=True, retention_policy=days),
        hour_metrics=TableMetrics(enabled=True, include_apis=True, retention_policy=days),
        cors=[TableCorsRule(["http://a.example", "http://b.example"], ["GET", "PUT"], max_age_in_seconds=500)],
    )
    # What is not named stays as it was.
    service.set_service_properties(minute_metrics=TableMetrics(enabled=True, include_apis=False, retention_policy=days))
    found = service.get_service_properties()
    equal(found["analytics_logging"].write, True)
    equal(found["analytics_logging"].retention_policy.days, 5)
    equal(found["hour_metrics"].include_apis, True)
    equal(found["minute_metrics"].include_apis, False)
    equal([rule.allowed_origins for rule in found["cors"]], [["http://a.example", "http://b.example"]])
    equal([rule.max_age_in_seconds for rule in found["cors"]], [500])
    service.set_service_properties(
        analytics_logging=TableAnalyticsLogging(), hour_metrics=TableMetrics(), minute_metrics=TableMetrics(), cors=[]
    )
    found = service.get_service_properties()
    equal((found["hour_metrics"].enabled, found["minute_metrics"].enabled, found["cors"]), (False, False, []))


@case
def more_than_five_rules_for_origins_are_refused(account):
    rules = [TableCorsRule([f"http://{number}.example"], ["GET"]) for number in range(6)]
    refused((400, "InvalidXmlDocument"), account.tables().set_service_properties, cors=rules)


@case
def statistics_are_told_by_the_second_endpoint(account):
    # The client changes the host alone, and both endpoints have one host here.
    url, host = account.table_url + "-secondary", urlsplit(account.table_url).netloc
    service = TableServiceClient(url, credential=account.credential, secondary_hostname=host, **ONCE)
    replication = service.get_service_stats()["geo_replication"]
    assert replication["status"] in ("live", "bootstrap", "unavailable"), replication


@case
def access_policies_are_kept_as_a_list(account):
    table = account.table()
    equal(table.get_table_access_policy(), {})
    start = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
    policy = TableAccessPolicy(start=start, expiry=start + timedelta(days=30), permission="raud")
    table.set_table_access_policy({"whole": policy, "empty": None})
    found = table.get_table_access_policy()
    equal(sorted(found), ["empty", "whole"])
    equal((found["whole"].start, found["whole"].expiry, found["whole"].permission), (start, start + timedelta(days=30), "raud"))
    table.set_table_access_policy({})
    equal(table.get_table_access_policy(), {})


@case
def a_sixth_access_policy_is_refused(account):
    table = account.table()
    try:
        table.set_table_access_policy({f"id{number}": None for number in range(6)})
    except ValueError:
        # The client's word for the service's InvalidXmlDocument.
        return
    raise AssertionError("six policies were taken")
