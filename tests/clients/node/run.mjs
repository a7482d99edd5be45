// Runs all cases with the official clients for Node: `node run.mjs CONNECTION_STRING`.

import { Account } from "./account.mjs";
import { runAll } from "./cases.mjs";

// Importing a module adds its cases.
import "./tables.mjs";
import "./tables_values.mjs";
import "./tables_queries.mjs";
import "./tables_sas.mjs";
import "./queues.mjs";
import "./blobs.mjs";
import "./blobs_leases.mjs";
import "./blobs_copies.mjs";
import "./blobs_tags.mjs";

await runAll(new Account(process.argv[2]));
