// Entities with a design: their index rows, changes that include these, and the kinds of rows.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

import { cases } from "./cases.mjs";
import { visiting } from "./visit.mjs";

const entity = (rk, pk = "Sales") => `/t/Employees/e?pk=${pk}&rk=${encodeURIComponent(rk)}`;

/** Returns the field of a property. */
const field = (page, name) => page.locator("tr", { has: page.locator("th", { hasText: new RegExp(`^${name}$`) }) }).locator("[name=text]");

const press = (visit, task) => visit.follow(`main button[name=do][value=${task}]`);

/** Returns the state of each related row. */
const states = (visit) => visit.texts(".links li > :nth-child(3)");

/** Checks with `tables verify` that all index rows of a store show their entities. */
function isClean({ tables }, file) {
  const run = (...args) => {
    const { status, stdout, stderr } = spawnSync(tables, args, { encoding: "utf8" });
    assert.equal(status, 0, `${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };
  const design = `${file}.toml`;
  writeFileSync(design, run("schema", `${file.slice(0, file.lastIndexOf("/copy-"))}/company.rs`, "--name", "company"));
  assert.match(run("verify", "Employee", "--design", design, "--store", file), /no differences/);
}

const designing = (place, run) =>
  visiting(place, "company", async (visit) => {
    await visit.start();
    await run(visit, visit.page);
  }, { write: true, design: "company.rs", after: (file) => isClean(place, file) });

cases("design", {
  indexed_entity_edit_keeps_index_rows: (place) =>
    designing(place, async (visit, page) => {
      await visit.open(entity("empid_000001"));
      assert.deepEqual(await states(visit), ["current", "current"]);
      assert.equal(await page.locator("input[value=_tx]").count(), 0);
      await field(page, "email").fill("first@contoso.com");
      await field(page, "badge").fill("91");
      await press(visit, "save");
      assert.deepEqual(await states(visit), ["current", "current"]);
      await visit.follow("text=email_first@contoso.com");
      assert.match(await visit.text("main"), /a row of the index by_email/);
      assert.equal(await page.locator("main form").count(), 0);
      await visit.open(entity("Sales_000001", "badge_0091"));
      assert.deepEqual(await states(visit), ["its entity", "current"]);
      // Two entities in one transaction, with their rows.
      await visit.open(entity("empid_000002"));
      await field(page, "email").fill("second@contoso.com");
      await press(visit, "basket");
      await visit.open("/t/Employees/e/delete?pk=Sales&rk=empid_000003");
      await page.fill("[name=typed]", "empid_000003");
      await press(visit, "basket");
      assert.match(await visit.text("main"), /email_second@contoso.com[^]*After the commit/);
      await press(visit, "commit");
      for (const [rk, status] of [["empid_000003", 404], ["email_person3@contoso.com", 404], ["email_second@contoso.com", 200]]) {
        const reply = await page.request.get(`${visit.explorer.origin}${entity(rk)}`);
        assert.equal(reply.status(), status, rk);
      }
    }),

  related_rows_show_pending_then_current: (place) =>
    designing(place, async (visit, page) => {
      await visit.open(entity("empid_000005"));
      const pending = (await states(visit)).filter((state) => state === "pending").length;
      assert.ok(pending >= 1, "the badge has changed");
      assert.match(await visit.text(".links"), /!o_[^]*old/);
      await visit.follow("text=Verify and repair");
      assert.deepEqual(await states(visit), ["current", "current"]);
      assert.match(await visit.text(".links"), /0055/);
      assert.equal(await page.locator("text=Verify and repair").count(), 0);
    }),

  entities_are_shown_first: (place) =>
    visiting(place, "company", async (visit) => {
      await visit.start();
      const { page } = visit;
      await visit.open("/t/Employees/rows", { filter: "PartitionKey eq 'Sales'" });
      assert.deepEqual(await visit.texts("tbody th"), [1, 2, 3, 4, 5].map((id) => `empid_00000${id}`));
      await visit.follow("text=Employee.by_email");
      assert.match((await visit.texts("tbody th"))[0], /^email_/);
      await page.goBack();
      assert.equal(await page.locator("tbody th").count(), 5);
    }, { design: "company.rs" }),
});
