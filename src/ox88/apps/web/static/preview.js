// A small board that shows the position after a move of a line, while the pointer or the keyboard is on it.

import { Chessground } from "/chessground/chessground.min.js";
import { make } from "./dom.js";

export class Preview {
  #ground = null;

  constructor() {
    this.wrap = make("div");
    this.element = make("div.preview", { "aria-hidden": "true", hidden: true }, this.wrap);
  }

  show(fen, last, orientation) {
    this.element.hidden = false; // chessground measures its element.
    this.#ground ??= Chessground(this.wrap, {
      viewOnly: true,
      coordinates: false,
      addDimensionsCssVarsTo: null,
      animation: { enabled: false },
    });
    this.#ground.set({ fen, orientation, lastMove: [last.slice(0, 2), last.slice(2, 4)] });
  }

  hide() {
    this.element.hidden = true;
  }
}
