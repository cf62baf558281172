// A hint in a game: the best move by Ox88 at full strength. The first press marks its piece, the second shows the move.

const ENOUGH = 1000; // Milliseconds of search.

export class Hint {
  #fen = ""; // Of the position that the hint is for.
  #move = ""; // The best move so far (UCI).
  #asked = 0; // The message of the search, while it runs.
  #isDue = false; // The search has had its time.
  #isWhole = false; // The move is shown, not only its piece.
  #timer = 0;

  // button: says what it does next. onchange(): called when there is something else to draw.
  /** @param {import("./socket.js").Socket} socket */
  constructor(button, socket, onchange) {
    this.button = button;
    this.socket = socket;
    this.onchange = onchange;
    socket.on("info", ({ id, lines, over }) => {
      if (id !== this.#asked) return;
      this.#move = lines?.[0]?.moves[0] ?? this.#move;
      if (this.#isDue || over) this.#end();
    });
    socket.on("lost", () => this.keep(""));
  }

  // start, moves: of the game. fen: of its last position.
  press(start, moves, fen) {
    if (fen === this.#fen) this.#isWhole = !this.#asked;
    else {
      this.keep(fen);
      this.#fen = fen;
      this.#asked = this.socket.say("analyse", { start, moves, lines: 1 });
      this.#timer = setTimeout(() => this.#end(), ENOUGH);
    }
    this.#show();
  }

  // What is to be drawn in a position: a square, a move, or nothing.
  at(fen) {
    if (fen !== this.#fen || this.#asked) return [];
    return [this.#isWhole ? this.#move : this.#move.slice(0, 2)];
  }

  // Forget what is for another position than this one; "" for none. The caller draws.
  keep(fen) {
    if (fen === this.#fen) return;
    clearTimeout(this.#timer);
    if (this.#asked) this.socket.say("stop");
    this.#asked = 0;
    this.#fen = this.#move = "";
    this.#isDue = this.#isWhole = false;
    this.#label();
  }

  #end() {
    this.#isDue = true;
    if (!this.#move) return; // The search may have had to wait.
    this.socket.say("stop");
    this.#asked = 0;
    this.#show();
  }

  #show() {
    this.#label();
    this.onchange();
  }

  #label() {
    const isMarked = this.#move && !this.#asked && !this.#isWhole;
    this.button.textContent = this.#asked ? "Thinking …" : isMarked ? "Show the move" : "Hint";
  }
}
