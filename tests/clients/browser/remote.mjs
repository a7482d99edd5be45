// An account of another server, such as Azurite: its connection string takes the place of the folder.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { cases } from "./cases.mjs";
import { visiting } from "./visit.mjs";

cases("remote", {
  an_account_is_read_and_changed: async (place) => {
    const env = { TABLES_STORE: place.folder };
    const folder = mkdtempSync(join(tmpdir(), "remote-"));
    try {
      const file = join(folder, "people.jsonl");
      const row = (number) => JSON.stringify({ PartitionKey: "Sales", RowKey: `${number}`.padStart(3, "0"), Age: number });
      writeFileSync(file, Array.from({ length: 250 }, (_, number) => row(number)).join("\n"));
      const imported = spawnSync(place.tables, ["import", file, "--table", "People"], { env: { ...process.env, ...env } });
      assert.equal(imported.status, 0, imported.stderr.toString());
    } finally {
      rmSync(folder, { recursive: true });
    }
    await visiting(place, "", async (visit) => {
      await visit.start();
      const { page } = visit;
      await visit.follow('.side >> text="People"');
      assert.deepEqual(await visit.texts("tbody th"), ["Sales"]);
      await visit.follow("tbody th a");
      assert.equal(await page.locator("tbody tr").count(), 100);
      await page.keyboard.press("n");
      await page.locator("tbody th", { hasText: "100" }).waitFor();
      // A write to another machine is confirmed once.
      await visit.open("/t/People/e?pk=Sales&rk=007");
      await page.fill("[name=text]", "70");
      await visit.follow("main button[name=do][value=save]");
      await page.fill("[name=account-typed]", new URL(place.folder.match(/TableEndpoint=([^;]+)/)[1]).pathname.slice(1));
      await visit.follow("main button.main");
      assert.equal(await page.inputValue("[name=text]"), "70");
      // What the service cannot say is said so.
      await visit.open("/design/follow-ups");
      assert.match(await visit.text("main"), /cannot list commit records/);
      await visit.open("/heat");
      assert.match(await visit.text("main"), /sees only its own requests/);
      assert.deepEqual(await visit.texts("section tbody th"), ["Sales people"]);
      await visit.open("/requests");
      assert.ok((await visit.texts("tbody td:nth-child(2)")).includes("MergeEntity"));
    }, { args: ["--write"], env });
  },
});
