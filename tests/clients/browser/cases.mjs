// Cases of the explorer in a browser: named functions of a place, run in order, one line of JSON for each.

const all = [];

/** Adds the functions of a module under its name. */
export function cases(module, functions) {
  for (const [name, run] of Object.entries(functions)) all.push([`${module}.${name}`, run]);
}

/** Runs all cases of a folder or of a remote account, or those whose name contains a text. */
export async function runAll(place, only = "") {
  for (const [name, run] of all.filter(([name]) => name.startsWith("remote.") === place.isRemote && name.includes(only))) {
    const begun = performance.now();
    let wrong = null;
    try {
      await run(place);
    } catch (error) {
      wrong = error.stack ?? `${error}`;
    }
    console.log(JSON.stringify({ case: name, ms: Math.round(performance.now() - begun), wrong }));
  }
}
