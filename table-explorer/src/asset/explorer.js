// @ts-check
"use strict";

/** Replaces the figures of a page every five seconds, unless nobody sees it. */
function poll() {
  const place = document.querySelector("[data-poll]");
  if (!(place instanceof HTMLElement)) return;
  setInterval(async () => {
    if (document.hidden || place.contains(document.activeElement)) return;
    const answer = await fetch(place.dataset.poll ?? "").catch(() => null);
    if (answer?.ok) place.innerHTML = await answer.text();
  }, 5000);
}

poll();
