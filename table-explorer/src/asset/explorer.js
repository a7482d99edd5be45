// @ts-check
"use strict";

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
copyButtons();
