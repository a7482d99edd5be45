// `tables explore` as a process, and requests that no browser would send.

import { spawn } from "node:child_process";
import { request } from "node:http";
import { createInterface } from "node:readline";

/** A running explorer. */
export class Explorer {
  constructor(url) {
    this.url = url;
    this.origin = new URL(url).origin;
  }

  /** Starts it with arguments, and returns when it listens. */
  static async start(tables, args, env = {}) {
    const child = spawn(tables, ["explore", ...args], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
    const line = await new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("exit", (code) => reject(new Error(`tables explore ended with ${code}: ${printed}`)));
    });
    const explorer = new Explorer(line.replace(/^explorer /, ""));
    explorer.child = child;
    explorer.output = () => printed;
    return explorer;
  }

  /** Ends the process, if this is one. */
  async stop() {
    if (!this.child) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGINT");
    await ended;
  }

  /** Sends a request with these headers only. Returns the status, the headers and the body. */
  ask(path, { method = "GET", headers = {}, body = "" } = {}) {
    const { hostname, port } = new URL(this.origin);
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method, headers: { "content-length": Buffer.byteLength(body), ...headers } });
      sent.on("response", (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (some) => (text += some));
        reply.on("end", () => resolve({ status: reply.statusCode, headers: reply.headers, text }));
      });
      sent.on("error", reject).end(body);
    });
  }
}
