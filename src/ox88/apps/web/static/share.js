// The position as FEN and the game as PGN: to copy, to download, to set up another one, and to play on.

import { copier, download, make } from "./dom.js";

export class Share {
  // study: the game. onfen(fen): called with a typed FEN; returns what is wrong with it, if anything.
  constructor(study, { onfen, onsetup, onclear, onplay }) {
    this.study = study;
    this.onfen = onfen;
    const button = (label, onclick) => make("button", { type: "button", class: "plain small", onclick }, label);
    this.fen = make("input", {
      type: "text",
      id: "fen",
      class: "fen",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 200,
    });
    this.wrong = make("p", { class: "wrong", id: "fen-wrong", role: "alert" });
    this.annotated = make("input", { type: "checkbox", checked: true });
    this.element = make(
      "div",
      { class: "card pad rows-tight", id: "share" },
      make("button", { type: "button", class: "primary", onclick: onplay }, "Play from here"),
      make(
        "form",
        { class: "rows-tight", onsubmit: (event) => this.#set(event) },
        make("label", { class: "field" }, make("span", {}, "FEN"), this.fen),
        this.wrong,
        make(
          "div",
          { class: "buttons" },
          make("button", { class: "plain small" }, "Set up"),
          copier("Copy FEN", () => study.at.fen, { class: "plain small" }),
          button("Place pieces", onsetup),
          button("Clear", onclear),
        ),
      ),
      make(
        "div",
        { class: "buttons" },
        copier("Copy PGN", () => this.#pgn(), { class: "plain small" }),
        button("Download PGN", () => download("ox88.pgn", this.#pgn())),
        make("label", { class: "tick" }, this.annotated, "with comments, variations and analysis"),
      ),
    );
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
