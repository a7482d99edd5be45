// Tables and their entities: all writes, by their conditions, alone and together.

import assert from "node:assert/strict";
import { cases, collect, refused } from "./cases.mjs";

const key = { partitionKey: "p", rowKey: "r" };

/** What an entity has beside its keys. */
async function properties(table, rowKey = "r") {
  const { "odata.metadata": _, etag, timestamp, partitionKey, rowKey: __, ...rest } = await table.getEntity("p", rowKey);
  return rest;
}

cases("tables", {
  async a_table_is_made_listed_and_deleted(account) {
    const service = account.tables();
    const name = account.freshName();
    await service.createTable(name);
    // The client takes a table that is there as made.
    await service.createTable(name);
    const named = { queryOptions: { filter: `TableName eq '${name}'` } };
    assert.deepEqual((await collect(service.listTables(named))).map((table) => table.name), [name]);
    await service.deleteTable(name);
    assert.deepEqual(await collect(service.listTables(named)), []);
  },

  async tables_are_listed_in_pages(account) {
    const service = account.tables();
    const stem = account.freshName();
    for (let number = 0; number < 5; number++) await service.createTable(`${stem}x${number}`);
    const filter = `TableName ge '${stem}x' and TableName lt '${stem}y'`;
    const pages = await collect(service.listTables({ queryOptions: { filter } }).byPage({ maxPageSize: 2 }));
    assert.deepEqual(pages.map((page) => page.map((table) => table.name.slice(-1))), [["0", "1"], ["2", "3"], ["4"]]);
  },

  async names_outside_the_rules_are_refused(account) {
    await refused(400, "OutOfRangeInput", account.tableNamed("ab").createTable());
    await refused(400, "InvalidResourceName", account.tableNamed("with-hyphen").createTable());
  },

  async properties_of_the_service_are_kept(account) {
    const service = account.tables();
    const retentionPolicy = { enabled: true, days: 5 };
    await service.setProperties({
      logging: { version: "1.0", read: true, write: true, delete: true, retentionPolicy },
      hourMetrics: { version: "1.0", enabled: true, includeAPIs: true, retentionPolicy },
      minuteMetrics: { version: "1.0", enabled: false, retentionPolicy: { enabled: false } },
      cors: [{ allowedOrigins: "http://a.example", allowedMethods: "GET,PUT", allowedHeaders: "*", exposedHeaders: "*", maxAgeInSeconds: 500 }],
    });
    const found = await service.getProperties();
    assert.equal(found.logging.write, true);
    assert.equal(found.hourMetrics.retentionPolicy.days, 5);
    assert.deepEqual(found.cors.map((rule) => [rule.allowedOrigins, rule.maxAgeInSeconds]), [["http://a.example", 500]]);
  },

  async access_policies_are_kept_as_a_list(account) {
    const table = await account.table();
    const start = new Date("2026-01-02T03:04:05Z");
    const expiry = new Date("2026-02-02T03:04:05Z");
    await table.setAccessPolicy([{ id: "whole", accessPolicy: { start, expiry, permission: "raud" } }]);
    const found = await table.getAccessPolicy();
    assert.deepEqual([...found], [{ id: "whole", accessPolicy: { start, expiry, permission: "raud" } }]);
  },

  async an_insert_answers_its_etag_and_is_taken_once(account) {
    const table = await account.table();
    const answer = await table.createEntity({ ...key, a: 1 });
    assert.match(answer.etag, /^W\/"datetime'2/);
    assert.equal((await table.getEntity("p", "r")).etag, answer.etag);
    await refused(409, "EntityAlreadyExists", table.createEntity(key));
    await refused(404, "ResourceNotFound", table.getEntity("p", "none"));
    await refused(404, "TableNotFound", account.tableNamed(account.freshName()).createEntity(key));
  },

  async a_merge_keeps_what_it_does_not_name_and_a_replace_does_not(account) {
    const table = await account.table();
    await table.createEntity({ ...key, a: 1, b: "two" });
    await table.updateEntity({ ...key, b: "three" }, "Merge");
    assert.deepEqual(await properties(table), { a: 1, b: "three" });
    await table.updateEntity({ ...key, c: true }, "Replace");
    assert.deepEqual(await properties(table), { c: true });
    await refused(404, "ResourceNotFound", table.updateEntity({ partitionKey: "p", rowKey: "none" }, "Merge"));
  },

  async an_upsert_inserts_or_writes_over(account) {
    const table = await account.table();
    await table.upsertEntity({ ...key, a: 1 }, "Merge");
    await table.upsertEntity({ ...key, b: 2 }, "Merge");
    assert.deepEqual(await properties(table), { a: 1, b: 2 });
    await table.upsertEntity({ ...key, c: 3 }, "Replace");
    assert.deepEqual(await properties(table), { c: 3 });
  },

  async a_write_with_an_old_etag_is_refused(account) {
    const table = await account.table();
    const { etag: old } = await table.createEntity({ ...key, a: 1 });
    const { etag } = await table.updateEntity({ ...key, a: 2 }, "Merge", { etag: old });
    assert.notEqual(etag, old);
    const lost = "UpdateConditionNotSatisfied";
    await refused(412, lost, table.updateEntity({ ...key, a: 3 }, "Merge", { etag: old }));
    await refused(412, lost, table.updateEntity({ ...key, a: 3 }, "Replace", { etag: old }));
    await refused(412, lost, table.deleteEntity("p", "r", { etag: old }));
    assert.deepEqual(await properties(table), { a: 2 });
    await table.deleteEntity("p", "r", { etag });
    await refused(404, "ResourceNotFound", table.deleteEntity("p", "r"));
  },

  async all_kinds_of_operations_go_together(account) {
    const table = await account.table();
    const etags = {};
    for (const rowKey of ["1", "2", "3", "4"]) {
      etags[rowKey] = (await table.createEntity({ partitionKey: "p", rowKey, a: 1, b: 1 })).etag;
    }
    const answer = await table.submitTransaction([
      ["create", { partitionKey: "p", rowKey: "0", a: 0 }],
      ["update", { partitionKey: "p", rowKey: "1", a: 2 }, "Merge"],
      ["update", { partitionKey: "p", rowKey: "2", a: 2 }, "Replace", { etag: etags["2"] }],
      ["delete", { partitionKey: "p", rowKey: "3" }],
      ["upsert", { partitionKey: "p", rowKey: "4", c: 4 }, "Merge"],
      ["upsert", { partitionKey: "p", rowKey: "5", d: 5 }, "Replace"],
    ]);
    assert.deepEqual([answer.status, answer.subResponses.map((part) => part.status)], [202, Array(6).fill(204)]);
    assert.deepEqual(answer.subResponses.map((part) => Boolean(part.etag)), [true, true, true, false, true, true]);
    assert.deepEqual((await collect(table.listEntities())).map((entity) => entity.rowKey), ["0", "1", "2", "4", "5"]);
    assert.deepEqual(await properties(table, "1"), { a: 2, b: 1 });
    assert.deepEqual(await properties(table, "2"), { a: 2 });
    assert.deepEqual(await properties(table, "4"), { a: 1, b: 1, c: 4 });
  },

  async a_batch_that_fails_names_its_operation_and_changes_nothing(account) {
    const table = await account.table();
    await table.createEntity({ partitionKey: "p", rowKey: "there" });
    const fill = [0, 1, 2].map((number) => ["upsert", { partitionKey: "p", rowKey: `${number}` }]);
    const there = ["create", { partitionKey: "p", rowKey: "there" }];
    const none = ["delete", { partitionKey: "p", rowKey: "none" }];
    assert.match((await refused(409, "EntityAlreadyExists", table.submitTransaction([...fill, there]))).message, /^3:/);
    assert.match((await refused(404, "ResourceNotFound", table.submitTransaction([fill[0], none, fill[1]]))).message, /^1:/);
    const twice = await refused(400, "InvalidDuplicateRow", table.submitTransaction([...fill, fill[0]]));
    assert.match(twice.message, /^3:/);
    assert.deepEqual((await collect(table.listEntities())).map((entity) => entity.rowKey), ["there"]);
  },

  async a_hundred_go_and_one_more_does_not(account) {
    const table = await account.table();
    const actions = [...Array(101).keys()].map((number) => ["upsert", { partitionKey: "p", rowKey: `${number}` }]);
    await table.submitTransaction(actions.slice(0, 100));
    assert.equal((await collect(table.listEntities())).length, 100);
    await refused(400, "InvalidInput", table.submitTransaction(actions));
  },
});
