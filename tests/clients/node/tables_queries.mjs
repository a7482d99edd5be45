// Queries over three thousand entities: pages, filters, projections.

import assert from "node:assert/strict";
import { odata } from "@azure/data-tables";
import { cases, collect, refused } from "./cases.mjs";

const count = 3000;
const rowOf = (number) => `r${String(number).padStart(4, "0")}`;
const partitionOf = (number) => `p${String(Math.floor(number / 100)).padStart(2, "0")}`;

let written;

/** Thirty partitions of a hundred entities each, written once for all cases here. */
function threeThousand(account) {
  written ??= (async () => {
    const table = await account.table();
    for (let first = 0; first < count; first += 100) {
      const numbers = [...Array(100).keys()].map((number) => first + number);
      const entity = (number) => ({ partitionKey: partitionOf(number), rowKey: rowOf(number), number, large: BigInt(number) << 32n, even: number % 2 === 0, text: `text ${number}` });
      await table.submitTransaction(numbers.map((number) => ["create", entity(number)]));
    }
    return table;
  })();
  return written;
}

async function rows(table, filter) {
  return (await collect(table.listEntities({ queryOptions: { filter } }))).map((entity) => entity.rowKey);
}

const expected = (keep) => [...Array(count).keys()].filter(keep).map(rowOf);

cases("tables_queries", {
  async all_entities_come_once_and_in_order(account) {
    assert.deepEqual(await rows(await threeThousand(account)), expected(() => true));
  },

  async a_page_holds_a_thousand_unless_fewer_are_asked_for(account) {
    const table = await threeThousand(account);
    assert.deepEqual((await collect(table.listEntities().byPage())).map((page) => page.length), [1000, 1000, 1000]);
    const pages = await collect(table.listEntities().byPage({ maxPageSize: 700 }));
    assert.deepEqual(pages.map((page) => page.length), [700, 700, 700, 700, 200]);
  },

  async a_listing_goes_on_from_a_token(account) {
    const table = await threeThousand(account);
    const { value: first } = await table.listEntities().byPage({ maxPageSize: 250 }).next();
    const rest = await collect(table.listEntities().byPage({ maxPageSize: 1000, continuationToken: first.continuationToken }));
    assert.deepEqual([first, ...rest].flat().map((entity) => entity.rowKey), expected(() => true));
  },

  async filters_find_what_they_say(account) {
    const table = await threeThousand(account);
    assert.deepEqual(await rows(table, odata`PartitionKey eq ${"p07"} and RowKey ge ${"r0712"} and RowKey lt ${"r0715"}`), ["r0712", "r0713", "r0714"]);
    assert.deepEqual(await rows(table, odata`number ge ${2990} and even eq ${true}`), expected((number) => number >= 2990 && number % 2 === 0));
    assert.deepEqual(await rows(table, odata`large eq ${5n << 32n}`), ["r0005"]);
    assert.deepEqual(await rows(table, "not (number lt 2999)"), ["r2999"]);
    assert.deepEqual(await rows(table, "text eq 'text 1' or text eq 'text 2'"), ["r0001", "r0002"]);
    assert.deepEqual(await rows(table, "nothing ne 1"), []);
    assert.equal((await rows(table, "Timestamp gt datetime'2020-01-01T00:00:00Z'")).length, count);
  },

  async only_what_is_selected_comes(account) {
    const table = await threeThousand(account);
    const queryOptions = { filter: "RowKey eq 'r0712'", select: ["rowKey", "number"] };
    const [{ etag, ...found }] = await collect(table.listEntities({ queryOptions }));
    assert.deepEqual(found, { rowKey: "r0712", number: 712 });
    assert.match(etag, /^W\//);
    const alone = await table.getEntity("p07", "r0712", { queryOptions: { select: ["text"] } });
    assert.deepEqual([alone.text, alone.number, alone.rowKey], ["text 712", undefined, undefined]);
  },

  async a_filter_that_cannot_be_read_is_refused(account) {
    const table = await threeThousand(account);
    await refused(400, "InvalidInput", rows(table, "aaa bbb ccc"));
    await refused(404, "TableNotFound", rows(account.tableNamed(account.freshName()), ""));
  },
});
