// The position as FEN and the game as PGN: to copy, to download, and to set up another one.

import { find } from "/viewer/dom.js";
import { copier, download, onClick } from "./controls.js";

export class Share {
  // study: the game. onfen(fen): called with a typed FEN; returns what is wrong with it, if anything.
  constructor(element, study, { onfen, onclear, onplay }) {
    this.study = study;
    this.fen = find("#fen", element);
    this.wrong = find("#fen-wrong", element);
    this.game = find("#pgn-out", element);
    const annotated = find("input[type=checkbox]", element);
    const pgn = () => study.pgn(!annotated.checked);
    find("form", element).addEventListener("submit", async (event) => {
      event.preventDefault();
      this.wrong.textContent = (await onfen(this.fen.value.trim())) ?? "";
    });
    const save = () => download("ox88.pgn", pgn());
    onClick(element, { play: onplay, clear: onclear, download: save });
    find("form .buttons", element).append(copier("Copy FEN", () => study.at.fen));
    find("[data-do=download]", element).before(copier("Copy PGN", pgn));
  }

  // Show the current position.
  show() {
    this.fen.value = this.study.at.fen;
    this.wrong.textContent = "";
    this.game.hidden = this.study.isEmpty;
  }
}
