// Every page: its address, its accessibility, and its use without the script.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { cases } from "./cases.mjs";
import { FORMS, LIVE, visiting } from "./visit.mjs";

const requires = createRequire(import.meta.url);

const AXE = readFileSync(requires.resolve("axe-core/axe.min.js"), "utf8");
/** The sizes and colors of pages, and the rules that depend on them; the last one is checked with all rules. */
const LOOKS = [[1440, "light", ["color-contrast", "scrollable-region-focusable", "link-name", "region"]], [400, "dark", null]];

/** Returns the problems that axe finds on the page. Its copies of style sheets, in shadow trees, violate the policy. */
async function problems(page, rules) {
  const { violations } = await page.evaluate((runOnly) => globalThis.axe.run(document, { preload: false, ...runOnly }), rules && { runOnly: rules });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 200)} ${any[0]?.message ?? ""}`).join(" | ")}`);
}

/** Checks pages in both sizes and both colors. */
export async function areClean({ page, explorer }, paths) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const path of paths) {
    await page.goto(`${explorer.origin}${path}`);
    // Figures that are replaced meanwhile are no elements of the page.
    await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true }));
    await page.evaluate(AXE);
    for (const [width, colorScheme, rules] of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await problems(page, rules), [], `${width} ${colorScheme} ${path}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${path} is ${wide} wide`);
    }
    assert.equal(await page.locator("h1").count(), 1, path);
  }
}

/** A page of each kind, with few rows: the checks of a page take longer than the page. */
const KINDS = [
  "/",
  "/keys",
  "/link",
  "/t/Staff",
  "/t/Staff?order=busiest",
  "/t/Staff/rows?filter=PartitionKey%20eq%20'Sales'%20and%20RowKey%20lt%20'emp_000004'%20and%20salary%20ge%201",
  "/t/Staff/rows?filter=salary%20ge%2050000",
  "/t/Staff/e?pk=Sales&rk=emp_000007",
  "/t/Staff/e/value?pk=Sales&rk=emp_000007&name=title",
  "/q/jobs-poison",
  "/b/photos",
  "/export?table=Staff&filter=PartitionKey%20eq%20'Sales'",
  "/sas",
  "/design/follow-ups",
];

cases("pages", {
  every_view_survives_reload_and_back: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      const { page } = visit;
      // A sample ends after some milliseconds, so estimates differ.
      const content = async () => {
        await page.locator("[data-more]").waitFor({ state: "detached" });
        return page.locator("main").evaluate(withoutEstimates);
      };
      const withoutEstimates = (main) => {
        for (const estimate of main.querySelectorAll(".plan dl, .plan .source, .caution, .counts")) estimate.remove();
        return main.innerText;
      };
      for (const path of KINDS) {
        await visit.open(path);
        const before = await content();
        await page.reload();
        assert.equal(await content(), before, path);
        await page.goto(`${visit.explorer.origin}/t/Staff?after=Sales`);
        await page.goBack();
        assert.equal(page.url(), new URL(path, visit.explorer.origin).href.replaceAll("'", "'"));
        assert.equal(await content(), before, path);
      }
    }),

  axe_clean_400px_dark_keyboard_only: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      const { page } = visit;
      await areClean(visit, [...KINDS, ...LIVE]);
      // The first key leads to the content, and each step is visible.
      await visit.open("/t/Staff");
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "To the content");
      for (let step = 0; step < 40; step++) {
        await page.keyboard.press("Tab");
        const outline = await page.evaluate(() => {
          const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement);
          return document.activeElement === document.body || outlineStyle !== "none" && outlineWidth !== "0px" || boxShadow !== "none";
        });
        assert.ok(outline, `step ${step}: the focus is not visible`);
      }
    }),

  axe_clean_design: (place) =>
    visiting(place, "company", async (visit) => {
      await visit.start();
      const partition = `/t/Employees/rows?filter=${encodeURIComponent("PartitionKey eq 'Sales'")}`;
      await areClean(visit, [
        partition,
        `${partition}&kind=all`,
        "/t/Employees/e?pk=Sales&rk=empid_000005",
        "/t/Employees/e?pk=Sales&rk=email_person1%40contoso.com",
      ]);
    }, { design: "company.rs" }),

  axe_clean_forms: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      await visit.page.goto(`${visit.explorer.origin}/t/Staff/e?pk=Sales&rk=emp_000009`);
      await visit.page.locator("[name=text]").first().fill("Other");
      await visit.follow("text=Add to basket");
      await areClean(visit, FORMS);
    }, { write: true }),

  reading_works_without_the_script: (place) =>
    visiting(place, "long", async (visit) => {
      await visit.start();
      const { page } = visit;
      await visit.follow('.side >> text="Long"');
      await visit.follow("text=All rows");
      await page.fill("#filter", "wanted");
      await visit.follow("text=Run");
      assert.equal(await page.locator("#found").count(), 0);
      await visit.follow(".caution");
      const seen = await visit.texts("tbody th");
      while (await page.locator("[data-continue]").count()) {
        await visit.follow("[data-continue]");
        seen.push(...await visit.texts("tbody th"));
      }
      assert.deepEqual(seen, ["00000005", "00020005", "00040005"]);
      assert.match(await visit.text(".counts"), /^read 60,000 · returned 3 · /);
      await page.fill("[name=to]", "Long/p/00020005");
      await visit.leads(() => page.press("[name=to]", "Enter"));
      assert.equal(await visit.text("h1"), "00020005");
    }, { context: { javaScriptEnabled: false } }),

  the_script_is_typed: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      const script = await visit.page.getAttribute("script", "src");
      const { text } = await visit.explorer.ask(script);
      const folder = mkdtempSync(join(tmpdir(), "explorer-"));
      try {
        const file = join(folder, "explorer.js");
        writeFileSync(file, text);
        const options = "--noEmit --allowJs --checkJs --strict --moduleDetection force --module esnext --target es2022 --lib es2022,dom,dom.iterable";
        const checked = spawnSync(process.execPath, [requires.resolve("typescript/bin/tsc"), ...options.split(" "), file]);
        assert.equal(checked.stdout.toString(), "");
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
});
