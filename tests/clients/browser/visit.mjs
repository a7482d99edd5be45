// A person's visit of the explorer. It fails on errors of the console, reports of the policy, and requests elsewhere.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

import { Explorer } from "./explorer.mjs";

/** Time in milliseconds after which a wait fails: a loaded machine takes long. */
const LONGEST = 120_000;
/** Number of characters of a page in the report of a failed case. */
const SEEN = 2_000;

/**
 * Opens the explorer of a store in a fresh browser, runs a case, and checks what the browser reported. With `write`, the
 * store is a copy. `design` is a design in the folder of the stores. `running` is an explorer that is running. `after` is
 * called with the file when the explorer has ended.
 */
export async function visiting(place, store, run, { write = false, args = null, env = {}, context = {}, running = null, design = null, after = null } = {}) {
  const folder = write ? mkdtempSync(join(place.folder, "copy-")) : place.folder;
  const file = join(folder, `${store}.tables`);
  if (write) copyFileSync(join(place.folder, `${store}.tables`), file);
  const named = args ?? ["--store", file];
  if (design) named.push("--design", join(place.folder, design));
  const explorer = running
    ? new Explorer(running.url)
    : await Explorer.start(place.tables, write ? [...named, "--write"] : named, env);
  const opened = await place.browser.newContext({ viewport: { width: 1440, height: 900 }, ...context });
  opened.setDefaultTimeout(LONGEST);
  try {
    const visit = new Visit(explorer, opened);
    visit.page = await visit.tab();
    await run(visit);
    assert.deepEqual(visit.faults, []);
  } catch (error) {
    throw new Error(`${error.stack}\n${await seen(opened)}`);
  } finally {
    await opened.close();
    await explorer.stop();
    after?.(file);
    if (write) rmSync(folder, { recursive: true });
  }
}

/** Returns what the tabs show, for the report of a failed case. */
async function seen(context) {
  const texts = context.pages().map(async (page) => {
    const text = await page.locator("body").innerText({ timeout: 5_000 }).catch((error) => `${error}`);
    return `--- ${page.url()}\n${text.slice(0, SEEN)}`;
  });
  return (await Promise.all(texts)).join("\n");
}

export class Visit {
  constructor(explorer, context) {
    Object.assign(this, { explorer, context, faults: [], requests: [] });
  }

  /** Opens a tab that is watched. */
  async tab() {
    const page = await this.context.newPage();
    page.on("console", (message) => {
      if (message.type() !== "log") this.faults.push(`console ${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.faults.push(`error: ${error.stack}`));
    page.on("dialog", (dialog) => this.faults.push(`dialog: ${dialog.message()}`));
    page.on("request", (request) => {
      this.requests.push(request);
      if (new URL(request.url()).origin !== this.explorer.origin) this.faults.push(`request of ${request.url()}`);
    });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.blockedURI}`));
    });
    return page;
  }

  /** Exchanges the start token for a session. */
  async start() {
    await this.page.goto(this.explorer.url);
    assert.equal(this.page.url(), `${this.explorer.origin}/`);
  }

  /** Opens a page of the explorer, which must succeed. */
  async open(path, params = {}) {
    const query = new URLSearchParams(params).toString();
    const reply = await this.page.goto(`${this.explorer.origin}${path}${query ? `?${query}` : ""}`);
    assert.equal(reply.status(), 200, path);
    return reply;
  }

  /** Does something that leads to another page, and waits for it. */
  async leads(run, page = this.page) {
    await Promise.all([page.waitForEvent("load"), run()]);
  }

  /** Clicks what leads to another page. */
  follow(selector, page = this.page) {
    return this.leads(() => page.click(selector), page);
  }

  /** Presses keys without a pause, as the second key of a pair counts for a short time only. */
  keys(...names) {
    return Promise.all(names.map((name) => this.page.keyboard.press(name)));
  }

  /** Returns the cookie of the session, as a header. */
  async cookie() {
    const [cookie, ...others] = (await this.context.cookies()).filter(({ name }) => name.startsWith("tables-explorer-"));
    assert.equal(others.length, 0);
    return `${cookie.name}=${cookie.value}`;
  }

  /** Returns the text of an element. */
  text(selector) {
    return this.page.locator(selector).first().innerText();
  }

  /** Returns the texts of all elements. */
  texts(selector) {
    return this.page.locator(selector).allInnerTexts();
  }
}

/** Addresses of all pages of the store `staff`, for cases about every page. */
export const STAFF = [
  "/",
  "/keys",
  "/t/Staff",
  "/t/Staff/rows",
  "/t/Staff/rows?filter=PartitionKey%20eq%20'Sales'%20and%20salary%20ge%2041000",
  "/t/Staff/rows?filter=salary%20ge%2050000",
  "/t/Staff/rows?filter=salary%20ge%2050000&scan=1&columns=name,salary",
  "/t/Staff/e?pk=Sales&rk=emp_000007",
  "/t/Staff/e/value?pk=Sales&rk=emp_000007&name=title",
  "/q/jobs",
  "/q/jobs-poison",
  "/b/photos",
  "/export?table=Staff&filter=PartitionKey%20eq%20'Sales'",
  "/sas",
  "/t/Staff?order=busiest",
  "/design",
  "/design/findings",
  "/design/follow-ups",
];

/** Addresses of pages whose figures change. */
export const LIVE = ["/heat", "/heat?span=day", "/requests"];

/** Addresses of the pages that change it. */
export const FORMS = [
  "/t/Staff/rows?filter=PartitionKey%20eq%20'Sales'%20and%20RowKey%20lt%20'emp_000004'",
  "/t/Staff/new",
  "/t/Staff/e?pk=Sales&rk=emp_000007",
  "/t/Staff/e/value?pk=Sales&rk=emp_000007&name=title",
  "/t/Staff/e/key?pk=Sales&rk=emp_000007",
  "/t/Staff/e/delete?pk=Sales&rk=emp_000007",
  "/import",
  "/basket",
];
