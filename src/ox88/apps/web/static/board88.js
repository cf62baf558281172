// The board of 16 x 8 bytes: the squares, the grey half with its centre points, and the dummy square below a1. A ghost
// of the piece crawls over it, and a cursor shows where the scan of the pieces is.

import { find, make } from "/viewer/dom.js";
import { figure } from "./controls.js";
import { color, DUMMY, hex, isOnBoard, OFF, role, squareName } from "./squares88.js";

const CELLS = 0x80;

export class Board88 {
  #cells = [];
  #shown = new Array(CELLS + 1).fill(null);
  #ghostPiece = 0;
  #marked = [];

  constructor(element) {
    this.element = element;
    this.ghost = find(".ghost", element);
    this.cursor = find(".cursor", element);
    for (let square = 0; square <= CELLS; square++) {
      const ground = ((square >> 4) + square) & 1 ? "dark" : "light";
      const kind = square === DUMMY ? "dummy" : isOnBoard(square) ? ground : "grey";
      this.#cells.push(make(`div.cell.${kind}`, make("span.code", hex(square).slice(2))));
    }
    find(".field88", element).prepend(...this.#cells);
    const files = [..."0123456789abcdef"].map((digit, file) => (file < 8 ? `${"abcdefgh"[file]} ${digit}` : digit));
    find(".files", element).append(...files.map((words) => make("span", words)));
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
    this.#place(this.cursor, frame && frame.depth > 0 ? frame.from : null);
    const crawling = state.ghost;
    this.#place(this.ghost, crawling ? crawling.square : null);
    if (crawling) {
      this.#draw(crawling.piece);
      this.ghost.classList.toggle("off", (crawling.square & OFF) !== 0);
    }
    this.element.dataset.kind = event?.kind ?? "";
    if (isChanged)
      this.element.setAttribute("aria-label", `micro-Max's board of 16 by 8 bytes. ${spokenPieces(board)}`);
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

  #draw(value) {
    if (value === this.#ghostPiece) return;
    this.#ghostPiece = value;
    this.ghost.replaceChildren(piece(value));
  }

  #place(element, square) {
    element.hidden = square === null;
    if (square !== null) element.style.transform = `translate(${(square & 15) * 100}%, ${(square >> 4) * 100}%)`;
  }
}

const piece = (value) => figure(color(value), role(value));

function spokenPieces(board) {
  const of = (side) => {
    const found = [];
    for (let square = 0; square < CELLS; square++)
      if (isOnBoard(square) && board[square] & side && board[square] & 7)
        found.push(`${role(board[square])} ${squareName(square)}`);
    return found.join(", ");
  };
  return `White: ${of(8)}. Black: ${of(16)}.`;
}
