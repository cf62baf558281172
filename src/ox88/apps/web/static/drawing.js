// Drawing on the board without a mouse: while it is on, a square that is chosen begins an arrow or ends it, and one
// that is chosen twice is marked.

import { find } from "/viewer/dom.js";
import { onClick } from "./controls.js";

export class Drawing {
  isOn = false;
  #from = ""; // Where an arrow begins.

  // ondraw(shape): called with an arrow or a marked square, see commands.js.
  // onchange(): called when it is switched on or off, and when an arrow begins.
  constructor(element, { ondraw, onchange }) {
    this.ondraw = ondraw;
    this.onchange = onchange;
    this.button = find("button", element);
    this.colour = find("select", element);
    this.words = find("[role=status]", element);
    onClick(element, { draw: () => this.switch(!this.isOn) });
  }

  switch(isOn) {
    this.isOn = isOn;
    this.#from = "";
    this.button.setAttribute("aria-pressed", String(isOn));
    this.words.textContent = isOn ? "Choose two squares for an arrow, one square twice to mark it." : "";
    this.onchange();
  }

  // The square where an arrow begins, to be shown.
  get begun() {
    return this.#from ? [{ brush: this.colour.value, orig: this.#from }] : [];
  }

  pick(square) {
    if (!this.isOn || !square) return;
    const [orig, brush] = [this.#from, this.colour.value];
    this.#from = orig ? "" : square;
    if (orig) this.ondraw(square === orig ? { brush, orig } : { brush, orig, dest: square });
    this.onchange();
  }
}
