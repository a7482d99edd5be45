// The eight types of values at their ends, and keys with every character that may be in one.

import assert from "node:assert/strict";
import { odata } from "@azure/data-tables";
import { cases, collect, refused } from "./cases.mjs";

/** The entity as it comes back. */
async function roundTrip(account, properties, options) {
  const table = await account.table();
  await table.createEntity({ partitionKey: "p", rowKey: "r", ...properties });
  return table.getEntity("p", "r", options);
}

/** Holds each property as it comes back against what was sent. */
async function kept(account, properties) {
  const found = await roundTrip(account, properties);
  for (const [name, value] of Object.entries(properties)) assert.deepEqual(found[name], value, name);
}

const awkward = ["", " ", "a b", "O'Brien", "''", '"q"', "100%", "%25", "%2F", "a+b", "a&b=c;d", "(a,b)", "a:b@c$d!e*f~g", "..", "äöü", "日本語", "🦀"];

cases("tables_values", {
  async strings_and_booleans_are_kept(account) {
    await kept(account, { empty: "", quotes: "'a' \"b\" \\ /", lines: "\r\n\t\u0001", beyond: "𝄞🦀\u2028", long: "ä".repeat(32 * 1024), yes: true, no: false });
  },

  async integers_keep_both_ends(account) {
    await kept(account, { low: -(2 ** 31), high: 2 ** 31 - 1, lowest: -(2n ** 63n), highest: 2n ** 63n - 1n, small: 7n });
  },

  async doubles_keep_every_bit(account) {
    await kept(account, { tenth: 0.1, third: 1 / 3, largest: Number.MAX_VALUE, lowest: -Number.MAX_VALUE, smallest: Number.MIN_VALUE, power: 1.5e21 });
    const whole = { a: { type: "Double", value: "10.0" } };
    const found = await roundTrip(account, whole, { disableTypeConversion: true });
    assert.equal(Number(found.a.value), 10);
  },

  async doubles_that_are_no_numbers_are_kept(account) {
    const values = { plus: "Infinity", minus: "-Infinity", none: "NaN" };
    const sent = Object.entries(values).map(([name, value]) => [name, { type: "Double", value }]);
    const found = await roundTrip(account, Object.fromEntries(sent));
    for (const [name, value] of Object.entries(values)) assert.equal(String(found[name]), value);
  },

  async binaries_guids_and_times_are_kept(account) {
    await kept(account, {
      none: Buffer.alloc(0),
      all: Buffer.from(Uint8Array.from({ length: 65536 }, (_, number) => number % 256)),
      guid: { type: "Guid", value: "dd3cb8f8-93b7-44e2-b74a-c0aa3b27a6d2" },
      first: new Date("1601-01-01T00:00:00Z"),
      last: new Date("9999-12-31T23:59:59.999Z"),
    });
  },

  async times_keep_all_seven_digits(account) {
    const sent = { type: "DateTime", value: "2013-08-02T17:37:43.9004348Z" };
    const found = await roundTrip(account, { a: sent }, { disableTypeConversion: true });
    assert.deepEqual(found.a, sent);
  },

  async a_time_before_the_first_is_refused(account) {
    await refused(400, "OutOfRangeInput", roundTrip(account, { a: new Date("1600-12-31T00:00:00Z") }));
  },

  async awkward_keys_are_written_read_found_and_deleted(account) {
    const table = await account.table();
    for (const value of awkward) {
      for (const [partitionKey, rowKey] of [[value, "r"], ["p", value], [value, value]]) {
        await table.createEntity({ partitionKey, rowKey, a: 1 });
        await table.updateEntity({ partitionKey, rowKey, b: 2 }, "Merge");
        const found = await table.getEntity(partitionKey, rowKey);
        assert.deepEqual([found.partitionKey, found.rowKey, found.a, found.b], [partitionKey, rowKey, 1, 2]);
        const filter = odata`PartitionKey eq ${partitionKey} and RowKey eq ${rowKey}`;
        assert.equal((await collect(table.listEntities({ queryOptions: { filter } }))).length, 1, value);
        await table.deleteEntity(partitionKey, rowKey);
        await refused(404, "ResourceNotFound", table.getEntity(partitionKey, rowKey));
      }
    }
  },

  async awkward_keys_are_taken_in_a_batch(account) {
    const table = await account.table();
    await table.submitTransaction(awkward.map((rowKey) => ["create", { partitionKey: "%'+ ä", rowKey }]));
    assert.equal((await collect(table.listEntities())).length, awkward.length);
    await table.submitTransaction(awkward.map((rowKey) => ["delete", { partitionKey: "%'+ ä", rowKey }]));
    assert.deepEqual(await collect(table.listEntities()), []);
  },

  async a_character_that_no_key_has_is_refused(account) {
    const table = await account.table();
    for (const character of "/\\#?\t\n\u007f\u0085") {
      await refused(400, "OutOfRangeInput", table.createEntity({ partitionKey: "p", rowKey: `a${character}b` }));
    }
  },
});
