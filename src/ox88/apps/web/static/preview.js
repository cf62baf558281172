// A small board that shows the position after a move of a line, while the pointer or the keyboard is on it.

import { Diagram } from "/viewer/diagram.js";
import { make } from "/viewer/dom.js";

export class Preview {
  #diagram = new Diagram({ pieces: "/viewer/pieces.svg", coordinates: false });

  constructor() {
    this.element = make("div.preview", { "aria-hidden": "true", hidden: true }, this.#diagram.element);
  }

  show(fen, uci, orientation) {
    this.#diagram.show({ fen, uci, orientation });
    this.element.hidden = false;
  }

  hide() {
    this.element.hidden = true;
  }
}
