// Shared access signatures: of a table, of a range of its keys, by a stored policy, of the account.

import assert from "node:assert/strict";
import { AzureNamedKeyCredential, TableServiceClient, generateAccountSas, generateTableSas } from "@azure/data-tables";
import { cases, collect, refused } from "./cases.mjs";

const soon = () => new Date(Date.now() + 3_600_000);
const denied = "AuthorizationPermissionMismatch";
const all = { query: true, add: true, update: true, delete: true };

function signed(account, table, permissions, options = {}) {
  return account.signedTable(table, generateTableSas(table.tableName, account.credential, { permissions, expiresOn: soon(), ...options }));
}

cases("tables_sas", {
  async each_operation_needs_its_letter(account) {
    const table = await account.table();
    await table.createEntity({ partitionKey: "p", rowKey: "r" });
    const needs = {
      query: (client) => client.getEntity("p", "r"),
      add: (client) => client.createEntity({ partitionKey: "p", rowKey: "new" }),
      update: (client) => client.updateEntity({ partitionKey: "p", rowKey: "r", a: 1 }, "Merge"),
      delete: (client) => client.deleteEntity("p", "r"),
    };
    for (const [letter, call] of Object.entries(needs)) {
      await refused(403, denied, call(signed(account, table, { ...all, [letter]: false })));
    }
    for (const [letter, call] of Object.entries(needs)) await call(signed(account, table, { [letter]: true }));
    await refused(403, denied, signed(account, table, { add: true }).upsertEntity({ partitionKey: "p", rowKey: "s" }));
    await signed(account, table, { add: true, update: true }).upsertEntity({ partitionKey: "p", rowKey: "s" });
  },

  async a_range_limits_what_is_read_and_written(account) {
    const table = await account.table();
    for (const partitionKey of ["a", "b", "c", "d"]) {
      await table.submitTransaction([0, 1, 2, 3, 4].map((row) => ["create", { partitionKey, rowKey: `${row}` }]));
    }
    const range = { startPartitionKey: "b", startRowKey: "3", endPartitionKey: "c", endRowKey: "1" };
    const client = signed(account, table, all, range);
    assert.deepEqual((await collect(client.listEntities())).map((entity) => entity.partitionKey + entity.rowKey), ["b3", "b4", "c0", "c1"]);
    await client.upsertEntity({ partitionKey: "b", rowKey: "5" });
    for (const [partitionKey, rowKey] of [["b", "2"], ["c", "2"], ["a", "9"], ["d", "0"]]) {
      await refused(403, "AuthorizationFailure", client.upsertEntity({ partitionKey, rowKey }));
      await refused(403, "AuthorizationFailure", client.deleteEntity(partitionKey, rowKey));
    }
  },

  async a_policy_gives_what_the_signature_leaves_out(account) {
    const table = await account.table();
    await table.setAccessPolicy([{ id: "readers", accessPolicy: { expiry: soon(), permission: "r" } }]);
    const client = signed(account, table, undefined, { expiresOn: undefined, identifier: "readers" });
    assert.deepEqual(await collect(client.listEntities()), []);
    await refused(403, denied, client.createEntity({ partitionKey: "p", rowKey: "r" }));
    await table.setAccessPolicy([]);
    await refused(403, "AuthenticationFailed", collect(client.listEntities()));
  },

  async a_signature_of_the_account_goes_by_kinds_of_resources(account) {
    const permissions = { query: true, write: true, delete: true, list: true, add: true, update: true };
    const only = (resourceTypes, letters) => account.signedTables(generateAccountSas(account.credential, { permissions: letters, resourceTypes, expiresOn: soon() }));
    const name = account.freshName();
    const service = only("sco", permissions);
    await service.createTable(name);
    assert.ok((await collect(service.listTables())).some((table) => table.name === name));
    await refused(403, "AuthorizationResourceTypeMismatch", only("o", permissions).createTable(account.freshName()));
    await refused(403, denied, only("sco", { query: true }).createTable(account.freshName()));
    await service.deleteTable(name);
  },

  async a_wrong_key_is_refused(account) {
    const wrong = new AzureNamedKeyCredential(account.name, "d3Jvbmc=");
    const service = new TableServiceClient(account.tableUrl, wrong, { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } });
    await refused(403, "AuthenticationFailed", collect(service.listTables()));
  },
});
