#!/usr/bin/env node
// Starts the command that npm has installed for this platform.
"use strict";
const { spawn } = require("child_process");

const { name } = require("../package.json");
const native = `${name}-${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "tables.exe" : "tables";
let path;
try {
  path = require.resolve(`${native}/bin/${program}`);
} catch {
  console.error(`error: the package ${native} is not installed; install ${name} without --omit=optional, ` +
    "or build the command with cargo if this platform is not supported");
  process.exit(1);
}
const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`error: cannot start ${path}: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) {
    process.exit(code);
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
