// Partitions and rows: what a query costs before it runs.

import assert from "node:assert/strict";

import { cases } from "./cases.mjs";
import { visiting } from "./visit.mjs";

/** Opens the rows of a table, without a filter. */
async function rowsOf(visit, table, filter = "") {
  await visit.start();
  await visit.open(`/t/${table}/rows`, { filter });
}

/** Types into the filter, and waits for its plan and its proposals. */
async function type(visit, text) {
  await visit.page.locator("#filter").focus();
  await visit.page.keyboard.press("End");
  await visit.page.keyboard.type(text);
  await planned(visit.page);
}

/** Waits until the plan and the proposals are those of the filter. */
const planned = (page) => page.locator("#plan:not([aria-busy])").waitFor({ state: "attached" });

cases("rows", {
  partitions_page_by_cursor_of_10e5: (place) =>
    visiting(place, "partitions", async (visit) => {
      await visit.start();
      await visit.open("/t/Wide");
      const key = (number) => `p${String(number).padStart(6, "0")}`;
      for (const first of [0, 100, 200]) {
        await visit.page.locator(`tbody th >> text=${key(first)}`).waitFor();
        assert.deepEqual(await visit.texts("tbody th"), [...Array(100).keys()].map((number) => key(first + number)));
        await visit.leads(() => visit.page.keyboard.press("n"));
      }
      await visit.open("/t/Wide", { after: "p099949" });
      assert.equal((await visit.texts("tbody th")).length, 50);
      assert.equal(await visit.page.locator("a[rel=next]").count(), 0);
    }),

  rows_first_page_reads_101_entities: (place) =>
    visiting(place, "long", async (visit) => {
      await visit.start();
      const reply = await visit.open("/t/Long/rows");
      assert.ok((await reply.body()).length <= 100_000);
      assert.equal(await visit.page.locator("tbody tr").count(), 100);
      const [, read] = (await visit.text(".counts")).match(/^read (\d+) · returned 100/);
      assert.ok(read <= 101, read);
    }),

  usual_rows_fill_a_page: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      const reply = await visit.open("/t/Staff/rows", { filter: "PartitionKey eq 'Sales'" });
      assert.equal(await visit.page.locator("tbody tr").count(), 100);
      assert.ok((await reply.body()).length <= 100_000);
    }, { write: true }),

  plan_shows_class_and_ranges_before_run: (place) =>
    visiting(place, "staff", async (visit) => {
      await rowsOf(visit, "Staff", "RowKey eq 'none'");
      const url = visit.page.url();
      await visit.page.locator("#filter").fill("");
      const figure = async (name) => visit.text(`.plan dl div:has(dt:text("${name}")) dd`);
      const classes = [];
      for (const text of ["PartitionKey eq 'Sales'", " and RowKey ge 'emp_000100'", " and salary ge 1", " and RowKey eq 'emp_000123'"]) {
        await type(visit, text);
        classes.push(await visit.text(".plan .class"));
      }
      assert.deepEqual(classes, ["row range", "row range", "row range", "point"]);
      assert.match(await visit.text(".ranges"), /PartitionKey 'Sales', RowKey 'emp_000123'[^]*row filter salary ge 1/);
      assert.deepEqual([await figure("Reads ≈"), await figure("Requests")], ["1", "1"]);
      assert.match(await visit.text(".source"), /exact/);
      assert.equal(visit.page.url(), url);
      assert.equal(await visit.page.locator("#found").count(), 0);
      // An error says what to write, at its column.
      await visit.page.locator("#filter").fill("");
      await type(visit, "salary == 3");
      assert.match(await visit.text("#mistake"), /\n\| salary == 3\n\| {8}\^\^ write `eq` instead of `==`/);
      assert.equal(await visit.page.getAttribute("#filter", "aria-invalid"), "true");
    }),

  scan_needs_consent: (place) =>
    visiting(place, "staff", async (visit) => {
      await rowsOf(visit, "Staff");
      await type(visit, "salary ge 50000");
      await visit.leads(() => visit.page.keyboard.press("Control+Enter"));
      assert.equal(await visit.text(".plan .class"), "table scan");
      assert.equal(await visit.page.locator("#found").count(), 0);
      assert.match(await visit.text(".caution"), /^Scan/);
      await visit.follow(".caution");
      assert.equal(await visit.page.locator("#found tbody tr").count(), 71);
      assert.match(visit.page.url(), /scan=1/);
    }),

  completion_by_keyboard: (place) =>
    visiting(place, "staff", async (visit) => {
      await rowsOf(visit, "Staff");
      const { page } = visit;
      const options = async () => (await visit.texts("[role=option]")).map((text) => text.replace(/\s+/g, " "));
      const chosen = () => page.evaluate(() => document.querySelector(`#${document.activeElement.getAttribute("aria-activedescendant")}`)?.innerText);
      await type(visit, "part");
      assert.deepEqual(await options(), ["PartitionKey String · row range"]);
      assert.equal(await page.getAttribute("#filter", "role"), "combobox");
      await page.keyboard.press("Tab");
      assert.equal(await page.inputValue("#filter"), "PartitionKey ");
      await planned(page);
      assert.equal((await options()).length, 6);
      await type(visit, "eq ");
      await page.keyboard.press("ArrowDown");
      assert.match(await chosen(), /^'Sales'/);
      await page.keyboard.press("Enter");
      assert.equal(await page.inputValue("#filter"), "PartitionKey eq 'Sales' ");
      await type(visit, "and ");
      assert.deepEqual((await options()).filter((text) => /RowKey|salary/.test(text)), ["RowKey String · point", "salary Int32 · partition scan"]);
      await page.keyboard.press("Escape");
      assert.equal(await page.getAttribute("#filter", "aria-expanded"), "false");
      assert.equal(await page.evaluate(() => document.activeElement.id), "filter");
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "Run");
    }),
});
