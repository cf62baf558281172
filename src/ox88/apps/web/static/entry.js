// A field for a move that is written. What is wrong with the move stands below it.

import { find } from "/viewer/dom.js";

export class Entry {
  // onmove(text): called with what has been written.
  constructor(form, onmove) {
    this.field = find("input", form);
    this.wrong = find(`#${this.field.getAttribute("aria-describedby")}`);
    this.field.addEventListener("input", () => this.say(""));
    this.field.addEventListener("keydown", ({ key }) => key === "Escape" && this.field.blur());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text) onmove(text);
    });
  }

  // wrong: what is wrong with the text, which stays, to be corrected.
  say(wrong) {
    this.wrong.textContent = wrong;
    this.field.setAttribute("aria-invalid", String(Boolean(wrong)));
    if (wrong) this.field.select();
  }

  clear() {
    this.field.value = "";
    this.say("");
  }
}
