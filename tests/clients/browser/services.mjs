// Queues, blobs and files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { cases } from "./cases.mjs";
import { visiting } from "./visit.mjs";

const SCRIPT = "<script>window.pwned = 1</script>";

/** Saves what a click downloads, and returns its name and its text. */
async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  return [download.suggestedFilename(), readFileSync(await download.path(), "utf8")];
}

cases("services", {
  poison_is_shown_first_and_peeked: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      assert.match(await visit.text("main section"), /^What is wrong now[^]*1 message in jobs-poison/);
      for (let times = 0; times < 2; times++) {
        await visit.open("/");
        await visit.follow("main section >> text=jobs-poison");
        assert.equal((await visit.text("pre")).trim(), SCRIPT);
        assert.match(await visit.text("main"), /received 0 times/);
      }
    }),

  blobs_are_text_or_files: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      const { page } = visit;
      await visit.open("/b/photos");
      await visit.follow("main table a");
      assert.match(await visit.text("main"), /<script>window\.pwned = 1<\/script>/);
      assert.equal(await page.locator("main script, main img, iframe").count(), 0);
      assert.equal(await page.evaluate(() => window.pwned), undefined);
      const [, text] = await saved(page, "text=Download");
      assert.equal(text, SCRIPT);
    }),

  export_writes_the_filter: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      await visit.open("/t/Staff/rows", { filter: "PartitionKey eq 'Sales' and RowKey lt 'emp_000003'" });
      await visit.follow("text=Export");
      const [name, text] = await saved(visit.page, "main form button.main");
      assert.match(name, /^Staff/);
      assert.deepEqual(text.match(/emp_\d+/g), ["emp_000000", "emp_000001", "emp_000002"]);
    }),
});
