// A hint in a game: the best move by Ox88 at full strength. The first press marks its piece, the second shows the move.

import { fail } from "./controls.js";
import { Latest, socket } from "./socket.js";

export class Hint {
  #fen = ""; // Of the position that the hint is for.
  #move = ""; // The best move (UCI), once it has come.
  #isWhole = false; // The move is shown, not only its piece.
  #latest = new Latest();

  // button: says what it does next. onchange(): called when there is something else to draw.
  constructor(button, onchange) {
    this.button = button;
    this.onchange = onchange;
  }

  // fen: of the game's last position.
  async press(fen) {
    if (fen === this.#fen) this.#isWhole = Boolean(this.#move);
    else {
      this.keep("");
      this.#fen = fen;
      this.#label();
      const refuse = (error) => {
        this.keep("");
        fail(error);
      };
      this.#move = (await this.#latest.of(socket.ask("hint")).catch(refuse))?.move ?? "";
    }
    this.#label();
    this.onchange();
  }

  // What is to be drawn in a position: a square, a move, or nothing.
  at(fen) {
    if (fen !== this.#fen || !this.#move) return [];
    return [this.#isWhole ? this.#move : this.#move.slice(0, 2)];
  }

  // Forget what is for another position than this one; "" for none. The caller draws.
  keep(fen) {
    if (fen === this.#fen) return;
    this.#latest.drop();
    this.#fen = this.#move = "";
    this.#isWhole = false;
    this.#label();
  }

  #label() {
    const isMarked = this.#move && !this.#isWhole;
    this.button.textContent = this.#fen && !this.#move ? "Thinking …" : isMarked ? "Show the move" : "Hint";
  }
}
