// The explorer of a server: the load of all its clients.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { cases } from "./cases.mjs";
import { visiting } from "./visit.mjs";

/** Starts a server with an explorer. Returns its connection string and the process that prints the start address. */
async function served(tables) {
  const args = ["serve", "--in-memory", "--explorer-port", "0", "--show-keys", "--table-port", "0", "--queue-port", "0", "--blob-port", "0"];
  const child = spawn(tables, args, { stdio: ["ignore", "pipe", "ignore"] });
  let printed = "";
  const found = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      printed += `${line}\n`;
      const [url] = printed.match(/http:\S+token=\S+/) ?? [];
      const [connection] = printed.match(/DefaultEndpointsProtocol=\S+/) ?? [];
      if (url && connection) resolve({ child, url, connection });
    });
    child.once("exit", () => reject(new Error(`tables serve ended: ${printed}`)));
  });
  return found;
}

cases("served", {
  heat_names_the_hot_partition: async (place) => {
    const folder = mkdtempSync(join(tmpdir(), "served-"));
    const { child, url, connection } = await served(place.tables);
    try {
      // One partition has half of the entities, the next one half of the rest.
      const lines = [];
      for (let partition = 0, count = 800; count >= 1; partition++, count = Math.floor(count / 2)) {
        for (let row = 0; row < count; row++) lines.push(JSON.stringify({ PartitionKey: `p${partition}`, RowKey: `${row}` }));
      }
      const file = join(folder, "load.jsonl");
      writeFileSync(file, lines.join("\n"));
      const imported = spawnSync(place.tables, ["import", file, "--table", "Load"], { env: { ...process.env, TABLES_STORE: connection } });
      assert.equal(imported.status, 0, imported.stderr.toString());
      await visiting(place, "", async (visit) => {
        await visit.start();
        await visit.open("/heat");
        assert.match(await visit.text(".tile"), /requests\/s; 0 throttled/);
        assert.ok((await visit.texts("main h2")).includes("Commit group size"));
        const rows = (await visit.texts("section tbody tr")).map((text) => text.split(/\s+/));
        assert.deepEqual(rows.slice(0, 3).map(([partition, , entities]) => [partition, entities]), [["p0", "800"], ["p1", "400"], ["p2", "200"]]);
        await visit.follow("tbody th a");
        assert.equal(await visit.text("h1"), "p0");
        await visit.open("/t/Load?order=busiest");
        assert.deepEqual((await visit.texts("tbody th")).slice(0, 3), ["p0", "p1", "p2"]);
        await visit.open("/requests");
      }, { running: { url } });
    } finally {
      child.kill("SIGINT");
      await once(child, "exit");
      rmSync(folder, { recursive: true });
    }
  },

  figures_stop_in_a_hidden_tab_and_are_gray_when_old: (place) =>
    visiting(place, "staff", async (visit) => {
      const { page } = visit;
      // Time passes only as the case says.
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1000);
      await visit.start();
      await visit.open("/t/Staff/e?pk=Sales&rk=emp_000007");
      await visit.open("/heat");
      // Its own requests.
      assert.deepEqual(await visit.texts("section tbody th"), ["Sales staff"]);
      const part = (url) => new URL(url).searchParams.has("part");
      const polls = () => visit.requests.filter((request) => part(request.url())).length;
      const hide = (hidden) => page.evaluate((value) => Object.defineProperty(document, "hidden", { value, configurable: true }), hidden);
      const tick = () => Promise.all([page.waitForResponse((reply) => part(reply.url())), page.clock.runFor(5000)]);
      await tick();
      await hide(true);
      const before = polls();
      await page.clock.runFor(60_000);
      assert.equal(polls(), before);
      await hide(false);
      await tick();
      assert.equal(polls(), before + 1);
      assert.equal(await page.locator(".old").count(), 0);
      await page.route((url) => part(url), (route) => route.abort());
      await page.clock.runFor(5000);
      await page.locator(".old [data-age]", { hasText: /these figures are \d+ s old/ }).waitFor();
      await page.unrouteAll();
      await tick();
      await page.locator(".old").waitFor({ state: "detached" });
      for (const fault of visit.faults.splice(0)) assert.match(fault, /ERR_FAILED/);
    }),
});
