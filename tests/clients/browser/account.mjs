// An account of a server: its key stays in the process.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";

import { cases } from "./cases.mjs";
import { visiting } from "./visit.mjs";

/** Starts an emulator with an account, and returns its connection string. */
async function emulator(tables, key) {
  const args = ["emulator", "--silent", "--blobPort", "0", "--queuePort", "0", "--tablePort", "0"];
  const child = spawn(tables, args, { env: { ...process.env, AZURITE_ACCOUNTS: `secretive:${key}` }, stdio: ["ignore", "pipe", "ignore"] });
  const endpoints = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [, service, url] = line.match(/^Azurite (\w+) service is successfully listening at (\S+)/) ?? [];
    if (service) endpoints.push(`${service}Endpoint=${url}/secretive;`);
    if (endpoints.length === 3) break;
  }
  return { child, connection: `DefaultEndpointsProtocol=http;AccountName=secretive;AccountKey=${key};${endpoints.join("")}` };
}

cases("account", {
  account_key_in_no_byte_sent: async (place) => {
    const key = randomBytes(64).toString("base64");
    const { child, connection } = await emulator(place.tables, key);
    try {
      await visiting(place, "", async (visit) => {
        const sent = [];
        visit.page.on("response", (reply) => {
          const body = reply.body().then(String, () => "");
          sent.push(body.then(async (text) => `${reply.url()} ${JSON.stringify(await reply.allHeaders())} ${text}`));
        });
        await visit.start();
        for (const path of ["/", "/t/Missing", "/t/Missing/rows?filter=a%20eq", "/t/Missing/e?pk=a&rk=b", "/sas", "/nothing"]) {
          await visit.page.goto(`${visit.explorer.origin}${path}`);
        }
        // Missing pages are errors of the console.
        visit.faults = visit.faults.filter((fault) => !fault.includes("404"));
        const all = (await Promise.all(sent)).join("\n") + visit.explorer.output();
        assert.ok(all.includes("secretive"), all.slice(0, 2000));
        for (const secret of [key, encodeURIComponent(key), key.slice(8, 40), "AccountKey", "sig="]) {
          assert.ok(!all.includes(secret), secret);
        }
      }, { args: [], env: { TABLES_STORE: connection } });
    } finally {
      child.kill("SIGINT");
    }
  },
});
