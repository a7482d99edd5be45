// Values are exact, and stay text.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { cases } from "./cases.mjs";
import { visiting } from "./visit.mjs";

const NUMBERS = {
  a_most: "9223372036854775807",
  b_least: "-9223372036854775808",
  c_above: "9007199254740993",
  d_below: "-9007199254740993",
  e_one: "1.0",
  f_zero: "-0.0",
  g_none: "NaN",
  h_int: "1",
};

cases("values", {
  int64_extremes_round_trip: (place) =>
    visiting(place, "values", async (visit) => {
      await visit.start();
      await visit.open("/t/Values/rows", { filter: "PartitionKey eq 'numbers'" });
      assert.deepEqual(await visit.texts("tbody th"), Object.keys(NUMBERS));
      assert.deepEqual(await visit.texts("tbody td:nth-child(2)"), Object.values(NUMBERS));
      for (const [rk, text] of Object.entries(NUMBERS)) {
        await visit.open("/t/Values/e", { pk: "numbers", rk });
        assert.match(await visit.text("td.value"), new RegExp(`^${text}( |$)`));
        await visit.open("/t/Values/e/value", { pk: "numbers", rk, name: "value" });
        assert.equal((await visit.text("pre")).trim(), text);
      }
      // As literals of a filter, too.
      for (const [rk, literal] of [["a_most", "9223372036854775807L"], ["b_least", "-9223372036854775808L"], ["c_above", "9007199254740993L"]]) {
        await visit.open("/t/Values/rows", { filter: `PartitionKey eq 'numbers' and value eq ${literal}`, scan: "1" });
        assert.deepEqual(await visit.texts("tbody th"), [rk]);
      }
    }),

  hostile_values_stay_text: (place) =>
    visiting(place, "values", async (visit) => {
      await visit.start();
      const [pk, rk] = ["<b>&amp;", "<img src=x onerror='window.pwned=1'>\u202etxt"];
      const { page } = visit;
      const check = async () => {
        assert.equal(await page.evaluate(() => window.pwned), undefined);
        assert.equal(await page.locator("main img, main b img, main svg, main script, [onerror], [onload], [onmouseover]").count(), 0);
        // What reorders or hides characters is shown, and ends with its value.
        assert.doesNotMatch(await page.locator("main").innerText(), /[\u0000-\u0008\u200b\u202e]/u);
      };
      await visit.open("/t/Values");
      await check();
      await visit.follow(`text=${pk}`);
      assert.equal(await visit.text("h1"), pk);
      await check();
      await visit.follow("tbody th a");
      assert.equal(new URL(page.url()).searchParams.get("rk"), rk);
      await check();
      const value = (name) => page.locator("tr", { has: page.locator("th", { hasText: new RegExp(`^${name}$`) }) }).locator("td.value").innerText();
      assert.match(await value("script"), /^<script>window.pwned = 1<\/script>/);
      assert.match(await value("reversed"), /abc.*U\+202E.*def.*U\+200B.*ghi/s);
      assert.match(await value("controls"), /nul.*␀.*bell.*␇.*tab.*␉.*line.*␊.*end/s);
      assert.match(await value("empty"), /^""/);
      assert.ok((await value("long")).length < 2_000);
      for (const name of ["script", "long", "controls", "bytes", "größe_名"]) {
        await visit.open("/t/Values/e/value", { pk, rk, name });
        await check();
      }
      await visit.open("/t/Values/e/value", { pk, rk, name: "long" });
      // The page has the start of the value, the file all of it.
      const shown = (await visit.text("pre")).trim().length;
      assert.ok(shown >= 16_000 && shown < 32 << 10, `${shown} characters`);
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download")]);
      assert.equal(download.suggestedFilename(), "long");
      assert.equal((await readFile(await download.path(), "utf8")).length, 32 << 10);
    }),
});
