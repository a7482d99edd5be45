// Who may open a page.

import assert from "node:assert/strict";
import { createServer } from "node:http";

import { cases } from "./cases.mjs";
import { LIVE, STAFF, visiting } from "./visit.mjs";

/** Serves a page on another port of this machine. */
async function elsewhere(html) {
  const server = createServer((_, reply) => reply.setHeader("content-type", "text/html").end(html));
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return server;
}

cases("access", {
  token_opens_once: (place) =>
    visiting(place, "staff", async (visit) => {
      assert.equal((await visit.explorer.ask("/")).status, 403);
      await visit.start();
      assert.equal(await visit.text("h1"), (await visit.page.title()).split(" · ").at(-1));
      const [cookie] = await visit.context.cookies();
      assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path, cookie.expires], [true, "Strict", "/", -1]);
      const again = await visit.explorer.ask(visit.explorer.url.replace(visit.explorer.origin, ""));
      assert.equal(again.status, 403);
      assert.match(again.text, /has been used/);
      assert.equal(again.headers["set-cookie"], undefined);
    }),

  foreign_host_is_421: (place) =>
    visiting(place, "staff", async (visit) => {
      const start = visit.explorer.url.replace(visit.explorer.origin, "");
      for (const host of ["evil.example", `evil.example:${new URL(visit.explorer.origin).port}`, "127.0.0.1"]) {
        for (const path of ["/", start, "/t/Staff", "/favicon.ico"]) {
          const { status, text } = await visit.explorer.ask(path, { headers: { host } });
          assert.equal(status, 421, `${host} ${path}`);
          assert.doesNotMatch(text, /Staff/);
        }
      }
      await visit.start();
    }),

  other_port_of_loopback_reads_and_writes_nothing: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      const { origin } = visit.explorer;
      const server = await elsewhere(`<!doctype html><iframe src="${origin}/t/Staff"></iframe><a href="${origin}/t/Staff">go</a>
        <form method="post" action="${origin}/t/Staff/e"><button>send</button></form>`);
      try {
        // Not watched: the browser reports what it refuses.
        const page = await visit.context.newPage();
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        const found = await page.evaluate(async (origin) => {
          const attempt = async (path, options) => {
            try {
              const reply = await fetch(origin + path, { credentials: "include", ...options });
              return `${reply.type} ${reply.status} ${await reply.text()}`.trim();
            } catch {
              return "refused";
            }
          };
          return [
            await attempt("/t/Staff", {}),
            await attempt("/t/Staff", { mode: "no-cors" }),
            await attempt("/t/Staff/e", { method: "POST", body: "pk=a", headers: { "x-form-token": "x" } }),
            await attempt("/t/Staff/e", { method: "POST", body: "pk=a", mode: "no-cors" }),
            String(document.querySelector("iframe").contentDocument),
          ];
        }, origin);
        // The policy of resources refuses even responses that the script could not read.
        assert.deepEqual(found, ["refused", "refused", "refused", "refused", "null"]);
        await visit.follow("button", page);
        assert.match(await page.content(), /Request of another page/);
        await page.goBack();
        await visit.follow("a", page);
        assert.equal(await page.locator("h1").innerText(), "Open this page?");
        assert.doesNotMatch(await page.content(), /Development/);
        await visit.follow("a.button", page);
        assert.equal(await page.locator("h1").innerText(), "Staff");
        await page.close();
      } finally {
        server.close();
      }
    }, { write: true }),

  foreign_origin_post_is_403: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      const cookie = await visit.cookie();
      const { origin } = visit.explorer;
      const host = new URL(origin).host;
      const foreign = [{}, { origin: "null" }, { origin: "https://evil.example" }, { origin: "http://127.0.0.1:1" }];
      for (const headers of [...foreign, { origin }, { origin, "x-form-token": "x" }]) {
        const reply = await visit.explorer.ask("/t/Staff/e", { method: "POST", headers: { host, cookie, ...headers }, body: "a=b" });
        assert.equal(reply.status, 403, JSON.stringify(headers));
      }
      // Without the session, even a request of the page itself.
      assert.equal((await visit.explorer.ask("/", { method: "POST", headers: { host, origin } })).status, 403);
    }, { write: true }),

  no_third_party_request_and_no_inline_code: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      for (const path of [...STAFF, ...LIVE]) {
        const headers = (await visit.open(path)).headers();
        assert.match(headers["content-security-policy"], /^default-src 'none'; script-src 'self'; style-src 'self';/);
        assert.deepEqual(
          [headers["x-content-type-options"], headers["cache-control"], headers["cross-origin-opener-policy"]],
          ["nosniff", "no-store", "same-origin"],
        );
        const inline = await visit.page.evaluate(() => {
          const isInline = (each) =>
            each.matches("style, script:not([src])") || [...each.attributes].some(({ name }) => name === "style" || name.startsWith("on"));
          return [...document.querySelectorAll("*")].filter(isInline).map((each) => each.outerHTML);
        });
        assert.deepEqual(inline, [], path);
      }
      assert.ok(visit.requests.length > STAFF.length);
    }),

  read_only_has_no_way_to_write: (place) =>
    visiting(place, "staff", async (visit) => {
      await visit.start();
      for (const path of [...STAFF, ...LIVE]) {
        await visit.open(path);
        assert.equal(await visit.text(".state"), "Read-only");
        assert.match(await visit.page.getAttribute(".state", "title"), /--write/);
        assert.equal(await visit.page.locator("form[method=post], textarea, [name=form-token]").count(), 0, path);
      }
    }),
});
