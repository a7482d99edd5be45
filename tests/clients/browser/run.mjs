// Runs all cases: `node run.mjs TABLES CHROMIUM FOLDER [NAME]`. The folder contains the stores of the test.

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

const [tables, executablePath, folder, only] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
try {
  await runAll({ tables, browser, folder }, only);
} finally {
  await browser.close();
}
