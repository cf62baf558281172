// Setting up a position: placing pieces, and the fields of a FEN that the board does not show.

import { findAll, make, View } from "/viewer/dom.js";
import { lettersOf, START, turnOf } from "/viewer/words.js";
import { figure, onClick } from "./controls.js";

const KEPT = "ox88.setup"; // The FEN, while pieces are placed.
const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"];

export class Setup extends View {
  isOpen = false;
  // What has been chosen, also while the pieces do not allow it.
  #turn = "white";
  #rights = new Set();
  #passant = "-";
  #piece = null; // What a click on a square puts there; null for nothing.
  #isChess960 = false; // The position was opened with castling from other squares.

  // on.done(fen), on.play(fen): called with the position, to analyse or play it; return what is wrong with it, if any.
  constructor(element, board, on) {
    super(element);
    this.board = board;
    this.turns = findAll("[name=turn]", element);
    this.boxes = findAll("[type=checkbox]", element);
    this.#fillPalette();
    const { passant } = this.parts;
    element.addEventListener("change", ({ target }) => {
      if (target === passant) this.#passant = target.value;
      else if (target.name === "turn") this.#turn = target.value;
      else this.#rights[target.checked ? "add" : "delete"](target.value);
      this.changed();
    });
    const finish = (use) => async () => (this.parts.wrong.textContent = (await use(this.kept)) ?? "");
    onClick(element, {
      empty: () => this.open("8/8/8/8/8/8/8/8 w -"),
      start: () => this.open(START),
      done: finish(on.done),
      play: finish(on.play),
      cancel: on.cancel,
    });
  }

  // What a reload has interrupted; null if nothing.
  get kept() {
    return sessionStorage.getItem(KEPT);
  }

  open(fen) {
    const [placement, , rights = "", passant = "-"] = fen.split(" ");
    this.isOpen = true;
    this.#choose(null);
    this.#turn = turnOf(fen);
    this.#rights = new Set([...rights].filter((letter) => "KQkq".includes(letter)));
    this.#isChess960 = false;
    this.#isChess960 = [...this.#rights].some((letter) => !this.#canCastle(letter, lettersOf(fen)));
    this.#passant = passant;
    for (const each of this.turns) each.checked = each.value === this.#turn;
    this.parts.wrong.textContent = "";
    this.element.hidden = false;
    this.board.edit(placement);
    this.changed();
  }

  close() {
    this.isOpen = false;
    this.element.hidden = true;
    sessionStorage.removeItem(KEPT);
  }

  // Called when a square of the board is clicked.
  pick(square) {
    if (!this.isOpen || this.#piece === null || !square) return;
    this.board.put(square, this.#piece === "erase" ? null : { ...this.#piece });
    this.changed();
  }

  // Called when pieces have moved: offer what they allow.
  changed() {
    if (!this.isOpen) return;
    const squares = lettersOf(this.board.placement());
    for (const box of this.boxes) {
      const isPossible = this.#canCastle(box.value, squares);
      box.parentElement.hidden = !isPossible;
      box.checked = this.#rights.has(box.value) && isPossible;
    }
    this.parts.castling.hidden = this.boxes.every(({ parentElement }) => parentElement.hidden);
    const targets = passantSquares(squares, this.#turn);
    const options = targets.map((square) => make("option", { value: square }, `yes, on ${square}`));
    const { passant } = this.parts;
    passant.replaceChildren(make("option", { value: "-" }, "no"), ...options);
    passant.value = targets.includes(this.#passant) ? this.#passant : "-";
    passant.parentElement.hidden = !targets.length;
    const rights = this.boxes.flatMap(({ checked, value }) => (checked ? [value] : [])).join("") || "-";
    sessionStorage.setItem(KEPT, `${this.board.placement()} ${this.#turn[0]} ${rights} ${passant.value} 0 1`);
  }

  // True if king and rook are where castling begins: in Chess960 on any squares of the rank, the rook outside.
  #canCastle(right, squares) {
    const [first, kings, rook] = right < "a" ? [56, "K", "R"] : [0, "k", "r"];
    const rank = squares.slice(first, first + 8).join("");
    const king = rank.indexOf(kings);
    const isShort = right.toUpperCase() === "K";
    if (!this.#isChess960) return king === 4 && rank[isShort ? 7 : 0] === rook;
    return king >= 0 && (isShort ? rank.slice(king) : rank.slice(0, king)).includes(rook);
  }

  // Each button of the palette has its piece.
  #fillPalette() {
    const { eraser, palette } = this.parts;
    eraser.piece = "erase";
    const pieces = (color) =>
      ROLES.map((role) => {
        const onmousedown = (event) => this.board.drag({ color, role }, event);
        const ontouchstart = (event) => {
          event.currentTarget.click(); // chessground takes the end of the touch, so that no click follows.
          onmousedown(event);
        };
        const named = { "aria-label": `${color} ${role}`, onmousedown, ontouchstart };
        return Object.assign(make("button", named, figure(color, role)), { piece: { color, role } });
      });
    eraser.before(...pieces("white"));
    eraser.after(...pieces("black"));
    for (const button of palette.children)
      button.addEventListener("click", () => this.#choose(this.#piece === button.piece ? null : button.piece));
  }

  #choose(piece) {
    this.#piece = piece;
    for (const button of this.parts.palette.children)
      button.setAttribute("aria-pressed", String(button.piece === piece));
  }
}

// The squares that a pawn can have passed just now, beside a pawn that could capture it. squares: see lettersOf.
export function passantSquares(squares, turn) {
  const isWhite = turn === "white";
  const [passed, mover, other, ahead] = isWhite ? [24, "P", "p", -8] : [32, "p", "P", 8];
  return [...Array(8).keys()].flatMap((file) => {
    const at = passed + file;
    const isBeside = (file > 0 && squares[at - 1] === mover) || (file < 7 && squares[at + 1] === mover);
    const isPassed = squares[at] === other && squares[at + ahead] === " " && squares[at + 2 * ahead] === " ";
    return isPassed && isBeside ? ["abcdefgh"[file] + (isWhite ? "6" : "3")] : [];
  });
}
