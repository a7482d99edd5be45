// @ts-check
// All pages work without this file. It asks the server for parts of pages, and knows neither filters nor types.

/** @param {string} query @returns {HTMLElement | null} */
const find = (query) => document.querySelector(query);

/** @param {string} query @param {ParentNode} [within] @returns {HTMLElement[]} */
const all = (query, within = document) => [...within.querySelectorAll(query)].filter((each) => each instanceof HTMLElement);

/**
 * Returns the elements of a part of a page.
 * @param {string} address @param {Record<string, string>} [params] @param {AbortSignal} [signal]
 */
async function part(address, params = {}, signal) {
  const url = new URL(address, location.href);
  for (const [name, value] of Object.entries({ ...params, part: "1" })) url.searchParams.set(name, value);
  const reply = await fetch(url, { signal, credentials: "same-origin" });
  const found = new DOMParser().parseFromString(await reply.text(), "text/html").body;
  if (!reply.ok) throw new Error(found.querySelector(".banner")?.textContent ?? `status ${reply.status}`);
  return found;
}

// A status line for screen readers speaks at most every two seconds.
const status = document.createElement("p");
status.className = "away";
status.setAttribute("role", "status");
let spoken = "";
let speaking = 0;

/** @param {string} text */
function say(text) {
  spoken = text.replace(/\s+/g, " ").trim();
  if (speaking) return;
  speaking = window.setTimeout(() => {
    speaking = 0;
    if (status.textContent !== spoken) status.textContent = spoken;
  }, status.textContent ? 2000 : 150);
}

/** Stops what is running. @type {(() => void) | null} */
let stop = null;

/** The filter: its plan and its proposals, as one types. @param {HTMLInputElement} box */
function filterBox(box) {
  const plan = find("#plan");
  const list = find("#completion");
  if (!plan || !list) return;
  let asking = new AbortController();
  let timer = 0;
  let chosen = -1;
  let moved = false;
  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-haspopup", "listbox");
  box.setAttribute("aria-expanded", "false");
  const options = () => all("[role=option]", list);

  /** @param {Node[]} nodes */
  const show = (nodes) => {
    list.replaceChildren(...nodes);
    list.hidden = nodes.length === 0;
    box.setAttribute("aria-expanded", list.hidden ? "false" : "true");
    if (list.hidden) box.removeAttribute("aria-controls");
    else box.setAttribute("aria-controls", "proposals");
    moved = false;
    choose(list.hidden ? -1 : 0);
  };

  /** @param {number} index */
  const choose = (index) => {
    chosen = index;
    options().forEach((option, at) => option.setAttribute("aria-selected", at === index ? "true" : "false"));
    const option = options()[index];
    if (option) box.setAttribute("aria-activedescendant", option.id);
    else box.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  /** Forgets what was asked. Until the next answer, the plan is that of an older filter. */
  const begin = () => {
    window.clearTimeout(timer);
    asking.abort();
    asking = new AbortController();
    plan.setAttribute("aria-busy", "true");
    return asking.signal;
  };

  /** @param {boolean} everything */
  const ask = async (everything) => {
    const signal = begin();
    const at = box.selectionStart ?? box.value.length;
    /** @type {Record<string, string>} */
    const params = { filter: box.value, at: String(at) };
    if (everything) params.all = "1";
    try {
      const [planned, proposed] = await Promise.all([
        part(box.dataset.plan ?? "", params, signal),
        part(box.dataset.complete ?? "", params, signal),
      ]);
      if (signal.aborted) return;
      plan.replaceChildren(...planned.childNodes);
      if (find("#mistake")) box.setAttribute("aria-invalid", "true");
      else box.removeAttribute("aria-invalid");
      show(document.activeElement === box ? [...proposed.childNodes] : []);
      say(plan.querySelector(".class, .mistake")?.textContent ?? "");
    } catch (error) {
      if (!signal.aborted) say(`No plan: ${error}`);
    }
    if (!signal.aborted) plan.removeAttribute("aria-busy");
  };

  /** @param {HTMLElement | undefined} option */
  const accept = (option) => {
    if (!option) return;
    const rest = box.value.slice(box.selectionStart ?? box.value.length);
    const text = option.dataset.text ?? "";
    box.value = text + rest.trimStart();
    box.setSelectionRange(text.length, text.length);
    box.scrollLeft = box.scrollWidth;
    void ask(false);
  };

  box.addEventListener("input", () => {
    begin();
    timer = window.setTimeout(() => void ask(false), 120);
  });
  box.addEventListener("blur", () => show([]));
  list.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    if (event.target instanceof Element) accept(options().find((option) => option.contains(/** @type {Node} */ (event.target))));
  });
  box.addEventListener("keydown", (event) => {
    const { key } = event;
    const isOpen = !list.hidden;
    if (event.ctrlKey && key === " ") void ask(true);
    else if (event.ctrlKey && key === "Enter") box.form?.requestSubmit();
    else if (isOpen && (key === "ArrowDown" || key === "ArrowUp")) {
      const count = options().length;
      choose((chosen + (key === "ArrowDown" ? 1 : count - 1)) % count);
      moved = true;
    } else if (isOpen && (key === "Tab" && !event.shiftKey || key === "Enter" && moved)) accept(options()[chosen]);
    else if (isOpen && key === "Escape") show([]);
    else return;
    event.preventDefault();
  });
}

/** Reads on until the page is full, or stopped. Rows are kept. @param {HTMLElement} found */
async function readOn(found) {
  const controller = new AbortController();
  const { signal } = controller;
  /** @param {boolean} isRunning */
  const show = (isRunning) => {
    const [button, link] = ["[data-stop]", "[data-continue]"].map((query) => all(query, found)[0]);
    const had = document.activeElement === button || document.activeElement === link;
    if (button) button.hidden = !isRunning;
    if (link) link.hidden = isRunning;
    if (had) (isRunning ? button : link)?.focus();
  };
  stop = () => controller.abort();
  show(true);
  try {
    while (found.dataset.more && !signal.aborted) {
      const next = (await part(found.dataset.more, {}, signal)).querySelector("#found");
      if (!(next instanceof HTMLElement) || signal.aborted) break;
      merge(found, next);
      show(true);
    }
  } catch (error) {
    if (!signal.aborted) tell(found, `The reading ended: ${error instanceof Error ? error.message : error}`);
  }
  stop = null;
  show(false);
}

/** Adds the rows of a part to the page. @param {HTMLElement} found @param {HTMLElement} next */
function merge(found, next) {
  const [rows, more] = [found, next].map((each) => each.querySelector("tbody"));
  if (rows && more) rows.append(...more.rows);
  else if (more) found.querySelector(".grid")?.replaceWith(...all(".grid, .more", next));
  else if (!rows) found.querySelector(".grid")?.replaceWith(...all(".grid", next));
  const [bar, after] = [found, next].map((each) => each.querySelector(".bar"));
  if (bar && after) {
    const focused = document.activeElement;
    const hook = focused instanceof HTMLElement && bar.contains(focused) ? focused : null;
    const menu = bar.querySelector("details");
    if (menu) after.querySelector("details")?.replaceWith(menu);
    bar.replaceWith(after);
    if (hook) {
      const same = hook.isConnected ? hook : all("[data-stop]", after)[0];
      if (same) same.hidden = false;
      (same ?? all("a, summary", after)[0])?.focus();
    }
    say(after.querySelector(".counts")?.textContent ?? "");
  }
  if (next.dataset.more) found.dataset.more = next.dataset.more;
  else delete found.dataset.more;
}

/** @param {HTMLElement} found @param {string} text */
function tell(found, text) {
  const counts = found.querySelector(".counts");
  if (counts) counts.textContent = text;
  say(text);
}

/** Opens a page in a window of this one. @param {HTMLAnchorElement} link */
async function openDialog(link) {
  const content = await part(link.href);
  const dialog = document.createElement("dialog");
  dialog.className = "card";
  dialog.setAttribute("aria-label", link.textContent ?? "");
  const close = document.createElement("button");
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.append(...content.childNodes, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  keySwitch(dialog);
  dialog.showModal();
}

// Keys without Ctrl can be switched off. A cookie keeps that, as the port differs each time.
const OFF = "tables-explorer-keys=off";
const areKeysOn = () => !document.cookie.split("; ").includes(OFF);

/** @param {ParentNode} within */
function keySwitch(within) {
  for (const box of all("[data-keys]", within)) {
    if (!(box instanceof HTMLInputElement)) continue;
    box.checked = areKeysOn();
    box.addEventListener("change", () => {
      document.cookie = `${OFF}; SameSite=Strict; Path=/; Max-Age=${box.checked ? 0 : 31536000}`;
    });
  }
}

/** Moves to another cell or row of a table. @param {number} down @param {number} right @param {boolean} isOfRows */
function move(down, right, isOfRows) {
  const focused = document.activeElement;
  const cell = focused instanceof Element ? focused.closest("tbody td, tbody th") : null;
  if (!(cell instanceof HTMLTableCellElement)) {
    const first = isOfRows ? find("tbody th a") : null;
    first?.focus();
    return first !== null;
  }
  const rows = all("tr", cell.closest("tbody") ?? document);
  const row = rows[rows.findIndex((each) => each.contains(cell)) + down];
  const cells = row ? all("td, th", row) : [];
  const to = isOfRows ? cells.find((each) => each.matches("th")) : cells[cell.cellIndex + right];
  if (!to) return false;
  const inside = all("a, button, input", to)[0];
  if (!inside) to.tabIndex = -1;
  (inside ?? to).focus();
  return true;
}

/** @type {Record<string, [number, number]>} */
const MOVES = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
let begun = "";

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.metaKey || find("dialog[open]")) return;
  const { key, target } = event;
  const isField = target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
  const isPlain = !isField && !event.ctrlKey;
  const moves = MOVES[key];
  if (key === "Escape" && stop) stop();
  else if (isPlain && moves) {
    if (!move(...moves, false)) return;
  } else if (!event.ctrlKey && (isField || !areKeysOn())) return;
  else if (isPlain && (key === "j" || key === "k")) {
    if (!move(key === "j" ? 1 : -1, 0, true)) return;
  } else if (key === "g" && !begun && !event.ctrlKey) {
    begun = "g ";
    window.setTimeout(() => { begun = ""; }, 1500);
  } else {
    const name = begun + (event.ctrlKey ? "Ctrl " : "") + key;
    begun = "";
    const query = `[data-key="${CSS.escape(name)}"]`;
    // That of the row, before that of the page, but not that of another row.
    const row = target instanceof Element ? target.closest("tr") : null;
    const hook = (row && all(query, row)[0]) ?? all(query).find((each) => !each.closest("tbody"));
    if (!hook) return;
    if (hook instanceof HTMLInputElement && hook.type !== "checkbox") {
      hook.focus();
      hook.select();
    } else hook.click();
  }
  event.preventDefault();
});

/** Replaces the figures of a page every five seconds, unless nobody sees it. Old ones are gray. @param {HTMLElement} place */
function poll(place) {
  let last = Date.now();
  setInterval(async () => {
    if (document.hidden || place.contains(document.activeElement)) return;
    const found = await part(place.dataset.poll ?? "").catch(() => null);
    place.classList.toggle("old", !found);
    const age = find("[data-age]");
    if (found) {
      place.replaceChildren(...found.childNodes);
      last = Date.now();
    } else if (age) age.textContent = `No response: these figures are ${Math.round((Date.now() - last) / 1000)} s old`;
  }, 5000);
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("[data-stop], [data-continue], [data-dialog]") : null;
  const found = find("#found");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.matches("[data-stop]")) stop?.();
  else if (link.matches("[data-continue]") && found) void readOn(found);
  else if (link instanceof HTMLAnchorElement && link.matches("[data-dialog]")) void openDialog(link);
  event.preventDefault();
});

/** Copies the value of the element that a button names with `data-copy`. Without the script there is no such button. */
function copyButtons() {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    const source = document.getElementById(button.dataset.copy ?? "");
    if (!(source instanceof HTMLInputElement)) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      source.select();
      await navigator.clipboard.writeText(source.value);
      button.textContent = "Copied";
    });
  }
}

find("main")?.append(status);
copyButtons();
keySwitch(document);
const box = find("#filter");
if (box instanceof HTMLInputElement) filterBox(box);
const found = find("#found");
if (found?.dataset.more) void readOn(found);
const figures = find("[data-poll]");
if (figures) poll(figures);
