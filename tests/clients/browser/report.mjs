// The report on a design, its findings, and the follow-ups of writes.

import assert from "node:assert/strict";

import { cases } from "./cases.mjs";
import { areClean } from "./pages.mjs";
import { visiting } from "./visit.mjs";

cases("report", {
  report_and_findings_lead_to_rows: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      const { page } = visit;
      await visit.leads(() => visit.keys("g", "d"));
      assert.equal(await visit.text("h1"), "Design staff");
      // The report has its own style, and that of the page is not applied to it.
      const report = page.locator("main h2", { hasText: "Access patterns" });
      assert.equal(await report.evaluate((heading) => getComputedStyle(heading).fontSize), "19px");
      await visit.follow("text=/^\\d+ findings?$/");
      assert.match(await visit.text("main .links"), /older/);
      await visit.follow(".links >> text=/^Rows$|^Partitions$/");
      assert.match(page.url(), /\/t\/Staff(\/rows|\?order=busiest)$/);
      await areClean(visit, ["/design", "/design/findings", "/design/follow-ups"]);
    }, { design: "staff.toml" }),

  poison_and_parked_are_shown_and_retried: (place) =>
    visiting(place, "late", async (visit) => {
      await visit.start();
      const { page } = visit;
      assert.match(await visit.text("main section"), /^What is wrong now[^]*1 message in orders-poison[^]*1 parked follow-up[^]*1 pending follow-up/);
      await visit.follow("main section >> text=orders-poison");
      assert.match(await visit.text("main"), /received 0 times/);
      await visit.open("/");
      await visit.follow('main section a:text-is("Follow-ups")');
      const rows = async (title) => (await page.locator("section", { has: page.locator("h2", { hasText: title }) }).locator("tbody tr").allInnerTexts()).map((text) => text.split(/\s+/).join(" "));
      assert.match((await rows("Parked"))[0], /!x_\S+ Orders \S.* 9 the index table is full$/);
      assert.match((await rows("Pending"))[0], /!o_\S+ Orders 3 h 2 no response$/);
      await areClean(visit, ["/", "/design/follow-ups"]);
      await visit.follow("text=Retry all parked follow-ups");
      assert.match(await visit.text("[role=status]"), /1 follow-up is pending again/);
      assert.deepEqual([(await rows("Pending")).length, (await rows("Parked")).length], [2, 0]);
      await visit.open("/");
      assert.doesNotMatch(await visit.text("main section"), /parked/);
    }, { write: true }),
});
