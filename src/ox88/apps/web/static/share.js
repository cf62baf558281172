// The position as FEN and the game as PGN: to copy, to download, to set up another one, and to play on.

import { make } from "/viewer/dom.js";
import { copier, download } from "./controls.js";

export class Share {
  // study: the game. onfen(fen): called with a typed FEN; returns what is wrong with it, if anything.
  constructor(study, { onfen, onsetup, onclear, onplay }) {
    this.study = study;
    this.onfen = onfen;
    const button = (label, onclick) => make("button.plain.small", { onclick }, label);
    this.fen = make("input#fen.fen", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 200 });
    this.wrong = make("p.wrong#fen-wrong", { role: "alert" });
    this.annotated = make("input", { type: "checkbox", checked: true });
    this.element = make("div.card.pad.rows-tight#share", [
      make("button.primary", { onclick: onplay }, "Play from here"),
      make("form.rows-tight", { onsubmit: (event) => this.#set(event) }, [
        make("label.field", [make("span", "FEN"), this.fen]),
        this.wrong,
        make("div.buttons", [
          make("button.plain.small", { type: "submit" }, "Set up"),
          copier("Copy FEN", () => study.at.fen),
          button("Place pieces", onsetup),
          button("Clear", onclear),
        ]),
      ]),
      make("div.buttons", [
        copier("Copy PGN", () => this.#pgn()),
        button("Download PGN", () => download("ox88.pgn", this.#pgn())),
        make("label.tick", [this.annotated, "with comments, variations and analysis"]),
      ]),
    ]);
  }

  #pgn() {
    return this.study.pgn(!this.annotated.checked);
  }

  async #set(event) {
    event.preventDefault();
    this.wrong.textContent = (await this.onfen(this.fen.value.trim())) ?? "";
  }

  // Show the current position.
  show() {
    this.fen.value = this.study.at.fen;
    this.wrong.textContent = "";
  }
}
