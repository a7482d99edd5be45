// Reading on until a page is full, columns, and the ways between rows.

import assert from "node:assert/strict";

import { cases } from "./cases.mjs";
import { visiting } from "./visit.mjs";

const counts = async (visit) => (await visit.text(".counts")).match(/read ([\d,]+) · returned (\d+) · (\d+) request/).slice(1);
const isPart = (url) => url.pathname.endsWith("/rows") && url.searchParams.has("part");

cases("reading", {
  stop_ends_a_scan_and_keeps_rows: (place) =>
    visiting(place, "long", async (visit) => {
      await visit.start();
      const { page } = visit;
      // The page has two rows when a request is held. A slow machine reads less with each one.
      let asked = 0;
      let hold;
      const held = new Promise((resolve) => (hold = resolve));
      await page.route(isPart, async (route) => {
        asked++;
        if (await page.locator("tbody tr").count() < 2) await route.continue();
        else hold();
      });
      await visit.open("/t/Long/rows", { filter: "wanted", scan: "1" });
      await held;
      assert.ok(await page.isVisible("[data-stop]"));
      const before = await counts(visit);
      assert.deepEqual(before.slice(1), ["2", `${asked}`]);
      await page.keyboard.press("Escape");
      await page.locator("[data-stop]").waitFor({ state: "hidden" });
      assert.deepEqual(await counts(visit), before);
      assert.deepEqual(await visit.texts("tbody th"), ["00000005", "00020005"]);
      assert.equal(`${asked}`, before[2]);
      await page.unroute(isPart);
      await page.click("[data-continue]");
      await page.locator("tbody tr").nth(2).waitFor();
      await page.locator("[data-continue]").waitFor({ state: "detached" });
      assert.deepEqual((await counts(visit)).slice(0, 2), ["60,000", "3"]);
    }),

  columns_are_chosen_in_the_address: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      await visit.open("/t/Staff/rows", { filter: "PartitionKey eq 'Sales'" });
      await visit.page.click("summary");
      for (const name of ["name", "title", "active"]) await visit.page.uncheck(`input[name=columns][value=${name}]`);
      await visit.follow("text=Show");
      assert.match(visit.page.url(), /columns=salary/);
      assert.deepEqual(await visit.texts("thead th"), ["RowKey", "salary Int32", "Timestamp"].map((text) => text.replace(" ", "")));
      assert.match(visit.page.url(), /filter=/);
    }),

  x_selects_the_focused_row: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      const { page } = visit;
      const selected = () => page.locator("[name=row]:checked").evaluateAll((boxes) => boxes.map((box) => box.ariaLabel));
      await visit.open("/t/Staff/rows");
      await page.keyboard.press("x");
      assert.deepEqual(await selected(), []);
      for (const key of ["j", "j", "x", "k", "j", "j", "x"]) await page.keyboard.press(key);
      assert.deepEqual(await selected(), ["Select emp_000001", "Select emp_000002"]);
      await page.keyboard.press("x");
      assert.deepEqual(await selected(), ["Select emp_000001"]);
    }, { write: true }),

  keys_move_and_can_be_switched_off: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      const { page } = visit;
      const focused = () => page.evaluate(() => document.activeElement.innerText);
      await visit.open("/t/Staff/rows");
      for (const key of ["j", "j", "k", "j"]) await page.keyboard.press(key);
      assert.equal(await focused(), "emp_000001");
      await page.keyboard.press("ArrowRight");
      assert.equal(await focused(), "Person 1");
      await page.keyboard.press("ArrowDown");
      assert.equal(await focused(), "Person 2");
      await page.keyboard.press("ArrowLeft");
      await visit.leads(() => page.keyboard.press("Enter"));
      assert.equal(await visit.text("h1"), "emp_000002");
      await page.keyboard.press("/");
      await page.keyboard.type("Staff/Sales/emp_000003");
      await visit.leads(() => page.keyboard.press("Enter"));
      assert.equal(await visit.text("h1"), "emp_000003");
      await visit.leads(() => visit.keys("g", "t"));
      assert.equal(page.url(), `${visit.explorer.origin}/`);
      await page.keyboard.press("?");
      await page.locator("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
      // The focus returns to what opened it.
      await page.focus("[data-dialog]");
      await page.keyboard.press("Enter");
      await page.uncheck("dialog [data-keys]");
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
      assert.equal(await page.evaluate(() => document.activeElement.matches("[data-dialog]")), true);
      await page.keyboard.press("?");
      await visit.keys("g", "t");
      assert.equal(await page.locator("dialog").count(), 0);
      await visit.open("/keys");
      assert.equal(await page.isChecked("[data-keys]"), false);
    }),
});
