// A grid of squares over the board, for the keyboard and for screen readers.

import { make } from "/viewer/dom.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Squares {
  #cells = new Map();
  #grid;
  #current = "e2";
  #turned = null;

  // onpick(square): called when a square is chosen. orientation(): the side at the bottom.
  constructor(grid, onpick, orientation) {
    this.#grid = grid;
    this.onpick = onpick;
    this.orientation = orientation;
    grid.addEventListener("keydown", (event) => this.#key(event));
  }

  focus() {
    this.#cells.get(this.#current)?.focus();
  }

  // state: chessground's. position: as given to Board.show.
  update(state, position) {
    this.#arrange();
    const targets = new Set((state.selected && position?.dests?.[state.selected]) || []);
    for (const [square, cell] of this.#cells) {
      const piece = state.pieces.get(square);
      const words = [square, piece ? `${piece.color} ${piece.role}` : "empty"];
      if (state.selected === square) words.push("chosen");
      if (targets.has(square)) words.push("can be reached");
      const label = words.join(", ");
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      cell.setAttribute("aria-selected", String(state.selected === square));
      cell.tabIndex = square === this.#current ? 0 : -1;
    }
  }

  #arrange() {
    const side = this.orientation();
    if (side === this.#turned) return;
    this.#turned = side;
    const files = side === "white" ? [..."abcdefgh"] : [..."hgfedcba"];
    const ranks = side === "white" ? [..."87654321"] : [..."12345678"];
    this.#cells.clear();
    this.#grid.replaceChildren(
      ...ranks.map((rank) =>
        make("div", { role: "row" }, [
          files.map((file) => {
            const cell = make("div", { role: "gridcell", tabindex: -1, "data-square": file + rank });
            this.#cells.set(file + rank, cell);
            return cell;
          }),
        ]),
      ),
    );
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.onpick(this.#current);
    else if (event.key === "Escape") /** @type {HTMLElement} */ (document.activeElement).blur();
    else if (Object.hasOwn(STEPS, event.key)) this.#go(...STEPS[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #go(right, down) {
    const squares = [...this.#cells.keys()];
    const place = squares.indexOf(this.#current);
    const [column, row] = [(place % 8) + right, Math.floor(place / 8) + down];
    if (column < 0 || column > 7 || row < 0 || row > 7) return;
    this.#cells.get(this.#current).tabIndex = -1;
    this.#current = squares[8 * row + column];
    this.#cells.get(this.#current).tabIndex = 0;
    this.focus();
  }
}
