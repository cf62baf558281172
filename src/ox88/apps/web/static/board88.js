// micro-Max's squares, pieces and moves, and its board of 16 x 8 bytes. Squares go from a8 = 0x00 to h1 = 0x77. A piece
// is its type, 1 to 7, plus 8 for White or 16 for Black, plus 32 while it has not moved.

import { make, View } from "/viewer/dom.js";
import { lettersOf } from "/viewer/words.js";
import { figure } from "./controls.js";

export const [WHITE, BLACK, BOTH, VIRGIN, DUMMY, OFF, INFINITY, MATE] = [8, 16, 24, 32, 0x80, 0x88, 8000, 4000];
const KING = 4;
export const ROOT = 8; // In place of the last move's square, at the root.
const ROLES = ["piece", "pawn", "pawn", "knight", "king", "bishop", "rook", "queen"];
const LETTERS = ["", "", "", "N", "K", "B", "R", "Q"];
const [FILES, TYPES] = ["abcdefgh", " PpNKBRQ"];
export const role = (piece) => ROLES[piece & 7];
export const letter = (piece) => LETTERS[piece & 7];
export const color = (piece) => (piece & WHITE ? "white" : "black");
export const sideName = (side) => (side === WHITE ? "White" : "Black");
export const hex = (number) => `0x${(number & 0xff).toString(16).padStart(2, "0")}`;
export const isOnBoard = (square) => (square & OFF) === 0;
export const squareName = (square) => (isOnBoard(square) ? FILES[square & 7] + (8 - (square >> 4)) : hex(square));
export const pieceName = (piece) => (piece & 7 ? `${color(piece)} ${role(piece)}` : "nothing");

// A move as this page writes it: Ng1–f3, e4×d5, a7–a8=Q, O-O. micro-Max tries illegal moves too, so the short form,
// which leaves out where a piece comes from, would not say enough.
export function moveName({ piece, from, to, captured }) {
  if ((piece & 7) === KING && Math.abs(to - from) === 2) return to > from ? "O-O" : "O-O-O";
  const isPawn = (piece & 7) <= 2;
  const takes = captured & 7 || (isPawn && (to - from) & 7); // En passant the square is empty.
  const queen = isPawn && (to >> 4) % 7 === 0 ? "=Q" : "";
  return `${letter(piece)}${squareName(from)}${takes ? "×" : "–"}${squareName(to)}${queen}`;
}

// The name of a move that the server writes as g1f3, in the position of a FEN.
export function nameIn(fen, uci) {
  const letters = lettersOf(fen);
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)].map(([file, rank]) => 16 * (8 - rank) + FILES.indexOf(file));
  const [piece, captured] = [from, to].map((square) => typeOf(letters[(square + (square & 7)) / 2]));
  return moveName({ piece, from, to, captured });
}
const typeOf = (letter) => TYPES.indexOf(letter === "p" ? letter : letter.toUpperCase());

const CELLS = 0x80;

export class Board88 extends View {
  #cells = [];
  #shown = new Array(CELLS + 1).fill(null);
  #ghostPiece = 0;
  #marked = [];

  constructor(element) {
    super(element);
    for (let square = 0; square <= CELLS; square++) {
      const ground = ((square >> 4) + square) & 1 ? "dark" : "light";
      const kind = square === DUMMY ? "dummy" : isOnBoard(square) ? ground : "grey";
      const cell = make(`div.cell.${kind}`, make("span.code", hex(square).slice(2)));
      if (isOnBoard(square) && (square & 15) === 0) cell.dataset.rank = squareName(square)[1];
      this.#cells.push(cell);
    }
    this.parts.field.prepend(...this.#cells);
    const files = [..."0123456789abcdef"].map((digit, file) =>
      file < 8 ? ["abcdefgh"[file], make("i", ` ${digit}`)] : digit,
    );
    this.parts.files.append(...files.map((words) => make("span", [words])));
  }

  // state: see replay.js.
  show(state) {
    const { board, frame, event } = state;
    let isChanged = false;
    for (let square = 0; square <= CELLS; square++) isChanged = this.#fill(square, board[square]) || isChanged;
    for (const [cell, name] of this.#marked) cell.classList.remove(name);
    this.#marked = [];
    const mark = (square, name) => {
      if (!this.#cells[square]) return;
      this.#cells[square].classList.add(name);
      this.#marked.push([this.#cells[square], name]);
    };
    if (frame && isOnBoard(frame.from)) mark(frame.from, "from");
    for (const [square, name] of Object.entries(state.marks)) mark(square, name);
    if (frame?.enPassant >= 0 && isOnBoard(frame.enPassant)) mark(frame.enPassant, "passed");
    this.#place(this.parts.cursor, frame && frame.depth > 0 ? frame.from : null);
    const crawling = state.ghost;
    this.#place(this.parts.ghost, crawling ? crawling.square : null);
    if (crawling) {
      if (crawling.piece !== this.#ghostPiece) this.parts.ghost.replaceChildren(piece(crawling.piece));
      this.#ghostPiece = crawling.piece;
      this.parts.ghost.classList.toggle("off", (crawling.square & OFF) !== 0);
    }
    this.element.dataset.kind = event?.kind ?? "";
    const pieces = isChanged && `White: ${piecesOf(board, WHITE)}. Black: ${piecesOf(board, BLACK)}.`;
    if (pieces) this.element.setAttribute("aria-label", `micro-Max's board of 16 by 8 bytes. ${pieces}`);
  }

  // Returns true if the square has another value now.
  #fill(square, value) {
    if (this.#shown[square] === value) return false;
    this.#shown[square] = value;
    const cell = this.#cells[square];
    while (cell.children.length > 1) cell.lastChild.remove();
    if (square !== DUMMY && !isOnBoard(square)) cell.append(make("span.points", String(value)));
    else if (value & 7) cell.append(piece(value));
    return true;
  }

  #place(element, square) {
    element.hidden = square === null;
    if (square === null) return;
    element.style.setProperty("--column", square & 15);
    element.style.setProperty("--row", square >> 4);
  }
}

const piece = (value) => figure(color(value), role(value));

function piecesOf(board, side) {
  const squares = [...board.keys()].filter((square) => isOnBoard(square) && board[square] & side && board[square] & 7);
  return squares.map((square) => `${role(board[square])} ${squareName(square)}`).join(", ");
}
