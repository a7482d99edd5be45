// Changes: of one entity, of two people at once, and of several entities in one transaction.

import assert from "node:assert/strict";

import { cases } from "./cases.mjs";
import { visiting } from "./visit.mjs";

const entity = (rk) => `/t/Staff/e?pk=Sales&rk=${rk}`;

/** Returns the field of a property. */
const field = (page, name) => page.locator("tr", { has: page.locator("th", { hasText: new RegExp(`^${name}$`) }) }).locator("[name=text]");

/** Returns the values of all properties in the form. */
async function values(page) {
  const names = await page.locator("table.props th[scope=row] bdi").allInnerTexts();
  const found = {};
  for (const name of names) found[name] = await field(page, name).inputValue();
  return found;
}

/** Opens an entity, types values, and presses a button. */
async function change(page, origin, rk, values, button = "save") {
  await page.goto(`${origin}${entity(rk)}`);
  await fill(page, values);
  await press(page, button);
}

async function fill(page, values) {
  for (const [name, value] of Object.entries(values)) await field(page, name).fill(value);
}

const press = (page, task) => Promise.all([page.waitForEvent("load"), page.click(`main button[name=do][value=${task}]`)]);

/** Runs a case with a store that can be changed, and a second tab for somebody else. */
const changing = (place, store, run) =>
  visiting(place, store, async (visit) => {
    await visit.start();
    await run(visit, visit.page, await visit.tab(), visit.explorer.origin);
  }, { write: true });

cases("edit", {
  edit_sends_if_match_and_only_changes: (place) =>
    changing(place, "staff", async (visit, page, other, origin) => {
      await visit.open(entity("emp_000010"));
      const before = await values(page);
      const etag = await page.getAttribute("[name=etag]", "value");
      await fill(page, { salary: "41000" });
      await visit.leads(() => page.keyboard.press("Control+s"));
      assert.deepEqual(await values(page), { ...before, salary: "41000" });
      assert.notEqual(await page.getAttribute("[name=etag]", "value"), etag);
      // A form of the older version changes nothing, whatever it contains.
      await other.goto(`${origin}${entity("emp_000010")}`);
      await change(page, origin, "emp_000010", { salary: "42000" });
      await fill(other, { title: "Boss" });
      await press(other, "save");
      assert.match(await other.locator("[role=alert]").innerText(), /changed while you were editing/);
      await visit.open(entity("emp_000010"));
      assert.deepEqual(await values(page), { ...before, salary: "42000" });
      // An invalid value is not sent, and stays in the form.
      await fill(page, { salary: "1.5" });
      await press(page, "save");
      assert.equal(await field(page, "salary").inputValue(), "1.5");
      assert.match(await page.locator("main").innerText(), /Nothing was saved/);
    }),

  conflict_three_way_merge: (place) =>
    changing(place, "staff", async (visit, page, other, origin) => {
      const rk = "emp_000020";
      await visit.open(entity(rk));
      await change(other, origin, rk, { title: "Theirs", salary: "1" });
      await fill(page, { name: "Mine", salary: "2" });
      await press(page, "save");
      const line = (name) => page.locator("tr", { has: page.locator("th code", { hasText: new RegExp(`^${name}$`) }) });
      assert.equal(await line("title").locator("input[value=stored]").isChecked(), true);
      assert.equal(await line("name").locator("input[value=yours]").isChecked(), true);
      assert.equal(await line("salary").locator("input:checked").count(), 0);
      await line("salary").locator("input[value=yours]").check();
      await press(page, "save");
      const { title, name, salary } = await values(page);
      assert.deepEqual({ title, name, salary }, { title: "Theirs", name: "Mine", salary: "2" });
    }),

  deleted_meanwhile: (place) =>
    changing(place, "staff", async (visit, page, other, origin) => {
      const rk = "emp_000030";
      await visit.open(entity(rk));
      await other.goto(`${origin}/t/Staff/e/delete?pk=Sales&rk=${rk}`);
      await press(other, "delete");
      await fill(page, { name: "Again" });
      await press(page, "save");
      assert.match(await page.locator("[role=alert]").innerText(), /was deleted/);
      await press(page, "insert");
      await visit.open(entity(rk));
      assert.equal((await values(page)).name, "Again");
    }),

  basket_commits_one_transaction_and_maps_the_failing_row: (place) =>
    changing(place, "staff", async (visit, page, other, origin) => {
      for (const rk of ["emp_000040", "emp_000041"]) await change(page, origin, rk, { salary: "77" }, "basket");
      await change(other, origin, "emp_000041", { name: "Theirs" });
      await page.goto(`${origin}/basket`);
      assert.equal(await page.locator("tr.edited").count(), 2);
      await page.reload();
      await press(page, "commit");
      assert.match(await page.locator("[role=alert]").innerText(), /Nothing was committed[^]*emp_000041/);
      await other.goto(`${origin}${entity("emp_000040")}`);
      assert.notEqual((await values(other)).salary, "77");
      await visit.follow("text=Compare");
      await press(page, "basket");
      await page.goto(`${origin}/basket`);
      await press(page, "commit");
      for (const [rk, name] of [["emp_000040", "Person 40"], ["emp_000041", "Theirs"]]) {
        await visit.open(entity(rk));
        const found = await values(page);
        assert.deepEqual([found.salary, found.name], ["77", name]);
      }
    }),

  int64_extremes_survive_a_save: (place) =>
    changing(place, "values", async (visit, page) => {
      // Saving a form whose value was not touched, and typing an extreme.
      for (const [rk, typed] of [["a_most", "9223372036854775806"], ["b_least", "-9223372036854775807"], ["c_above", "-9007199254740993"], ["f_zero", "-0.0"]]) {
        await visit.open(`/t/Values/e?pk=numbers&rk=${rk}`);
        await fill(page, { value: typed });
        await press(page, rk === "f_zero" ? "replace" : "save");
          assert.equal((await values(page)).value, typed);
      }
    }),
});
