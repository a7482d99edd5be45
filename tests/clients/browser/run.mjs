// Runs all cases: `node run.mjs TABLES CHROMIUM FOLDER [NAME]`. The folder contains the stores of the test. With the
// connection string of another server in place of the folder, the cases of `remote.mjs` run.

import { chromium } from "playwright-core";

import { runAll } from "./cases.mjs";

// Importing a module adds its cases.
import "./access.mjs";
import "./account.mjs";
import "./rows.mjs";
import "./reading.mjs";
import "./values.mjs";
import "./edit.mjs";
import "./design.mjs";
import "./served.mjs";
import "./services.mjs";
import "./pages.mjs";
import "./pictures.mjs";
import "./remote.mjs";
import "./report.mjs";

const [tables, executablePath, where, only] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
try {
  await runAll({ tables, browser, folder: where, isRemote: where.includes("AccountName=") }, only);
} finally {
  await browser.close();
}
