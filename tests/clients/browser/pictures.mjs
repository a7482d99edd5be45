// Pictures for the book, written to the folder in `TABLES_PICTURES`. Without it, nothing is written.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { cases } from "./cases.mjs";
import { visiting } from "./visit.mjs";

const folder = process.env.TABLES_PICTURES;

const PAGES = {
  rows: "/t/Staff/rows?filter=PartitionKey%20eq%20'Sales'%20and%20RowKey%20lt%20'emp_000012'",
  entity: "/t/Staff/e?pk=Sales&rk=emp_000007",
  heat: "/heat",
};

if (folder) {
  cases("pictures", {
    are_written: async (place) => {
      // The name of the file has no folder.
      process.chdir(place.folder);
      await visiting(place, "staff", async (visit) => {
        mkdirSync(folder, { recursive: true });
        await visit.start();
        const { page } = visit;
        // Their load is what the heat map shows.
        for (let times = 0; times < 20; times++) await visit.open("/t/Staff/rows?filter=PartitionKey%20eq%20'Sales'");
        await visit.open("/t/Staff/rows?filter=PartitionKey%20eq%20'Development'");
        for (const [name, path] of Object.entries(PAGES)) {
          for (const [width, height] of [[1440, 420], [400, 400]]) {
            for (const colorScheme of ["light", "dark"]) {
              await page.setViewportSize({ width, height });
              await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
              await visit.open(path);
              await page.screenshot({ path: join(folder, `explorer-${name}-${width}-${colorScheme}.png`) });
            }
          }
        }
      }, { args: ["--store", "staff.tables"], design: "staff.toml" });
    },
  });
}
