// Cases of a scenario: named functions of the account, run in order, one line of answer for each.

import assert from "node:assert/strict";

const all = [];

/** Adds the functions of a module under its name. */
export function cases(module, functions) {
  for (const [name, run] of Object.entries(functions)) all.push([`${module}.${name}`, run]);
}

/** Prints one JSON object a line: the case, how long it took in milliseconds, and what was wrong with it, if anything. */
export async function runAll(account) {
  for (const [name, run] of all) {
    const begun = performance.now();
    let wrong = null;
    try {
      await run(account);
    } catch (error) {
      // A case fails alone; the others are still told of.
      wrong = `${error.name}: ${error.message}`;
    }
    console.log(JSON.stringify({ case: name, ms: Math.round(performance.now() - begun), wrong }));
  }
}

/** Awaits a refusal, and holds its status and code against the expected ones. Answers the error. */
export async function refused(status, code, promise) {
  let answer;
  try {
    answer = await promise;
  } catch (error) {
    const found = error.details?.odataError?.code ?? error.details?.errorCode ?? error.code;
    assert.deepEqual([error.statusCode, found], [status, code], error.message);
    return error;
  }
  throw new Error(`answered ${JSON.stringify(answer)}, expected a refusal by ${code}`);
}

/** All that an async iterator gives. */
export async function collect(items) {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
}
