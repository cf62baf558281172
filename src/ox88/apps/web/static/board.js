// The board: chessground, with squares for the keyboard and for screen readers above it, and a chooser for promotions.

import { Chessground } from "/chessground/chessground.min.js";
import { find, make, View } from "/viewer/dom.js";
import { arrowOf, turnOf } from "/viewer/words.js";
import { figure } from "./controls.js";

const BRUSHES = {
  best: { key: "best", color: "#1d8f6d", opacity: 0.85, lineWidth: 11 },
  good: { key: "good", color: "#2f6f9f", opacity: 0.6, lineWidth: 9 },
  threat: { key: "threat", color: "#c2282e", opacity: 0.75, lineWidth: 11 },
  other: { key: "other", color: "#6c7280", opacity: 0.5, lineWidth: 7 },
};

const PROMOTIONS = { q: "queen", n: "knight", r: "rook", b: "bishop" };

export class Board extends View {
  #ground;
  #squares;
  #shown = null;
  #closeChooser = null;
  #promotion = null; // The piece that a premove of a pawn makes.

  // on.move(uci): called after a move. on.select(square): called for clicks while pieces are placed. on.change():
  // called when pieces have moved. on.draw(shapes): called when arrows or marked squares are drawn, see words.js.
  constructor(element, on) {
    super(element, on);
    // Screen readers read the squares above it.
    this.#ground = Chessground(find("[aria-hidden]", element), {
      addDimensionsCssVarsTo: null,
      animation: { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180 },
      disableContextMenu: true,
      draggable: { showGhost: true },
      movable: { free: false, events: { after: (from, to, made) => this.#moved(from, to, made) } },
      premovable: {
        enabled: true,
        events: { set: (from, to) => this.#premoved(from, to), unset: () => (this.#promotion = null) },
      },
      drawable: { brushes: BRUSHES, onChange: (shapes) => this.#drew(shapes.map(plain)) },
      events: {
        select: (square) => {
          on.select(square);
          queueMicrotask(() => this.#tellSquares()); // chessground selects the square after this call.
        },
        change: () => {
          this.#tellSquares();
          on.change();
        },
      },
    });
    this.#squares = new Squares(find(".squares", element), (square) => {
      this.#ground.selectSquare(square);
      this.#tellSquares();
    });
    // chessground remembers where the board is, but whatever changes the page may have moved it since.
    const forget = () => this.#ground.state.dom.bounds.clear();
    for (const type of ["pointerdown", "pointermove", "pointerup"])
      window.addEventListener(type, forget, { capture: true, passive: true });
  }

  orientation = () => this.#ground.state.orientation;
  placement = () => this.#ground.getFen();

  // fen, last (uci), check, movable (a colour, "both" or null), dests (if something is movable), premoves.
  // waiting: a move that stands on the board already, if it is written as UCI. shapes: arrows and marked squares that
  // belong to the position; else they are the person's own, until it changes.
  show(position) {
    const isSame = position.fen === this.#shown?.fen;
    if (!isSame) this.#closeChooser?.();
    const own = isSame && !this.#shown.shapes ? this.#ground.state.drawable.shapes : [];
    const { fen, last, check, movable, premoves, waiting, shapes } = position;
    const dests = (movable && position.dests) || {};
    const turn = turnOf(fen);
    this.#shown = { ...position, dests };
    this.#ground.set({
      fen,
      turnColor: turn,
      check: check ? turn : false,
      lastMove: last?.match(/[a-h][1-8]/g) ?? undefined, // None if a side has passed.
      drawable: { shapes: [...(shapes ?? own)], eraseOnMovablePieceClick: !shapes },
      selected: this.#ground.state.selected,
      draggable: { deleteOnDropOff: false },
      movable: {
        free: false,
        color: movable === "both" ? turn : (movable ?? undefined),
        dests: new Map(Object.entries(dests)),
      },
      premovable: { enabled: Boolean(premoves) },
    });
    const [, from, to] = waiting?.match(/^([a-h][1-8])([a-h][1-8])/) ?? [];
    if (from) this.#ground.move(from, to);
    if (movable === turn || movable === "both") this.#ground.playPremove();
    else if (!premoves) this.#ground.cancelPremove();
    this.#tellSquares();
  }

  // Let pieces be moved freely, to set up a position.
  edit(fen) {
    this.#closeChooser?.();
    this.#shown = null;
    this.arrows([]);
    this.#ground.set({
      fen,
      lastMove: undefined,
      check: false,
      draggable: { deleteOnDropOff: true },
      movable: { free: true, color: "both", dests: undefined },
      premovable: { enabled: false },
    });
    this.#tellSquares();
  }

  put(square, piece) {
    this.#ground.setPieces(new Map([[square, piece ?? undefined]]));
    this.#ground.selectSquare(null);
    this.#tellSquares();
  }

  turn(color) {
    this.#closeChooser?.();
    this.#ground.set({ orientation: color });
    this.#tellSquares();
  }

  // Draw an arrow for each move, or a circle for a square, and further shapes. brushes: of the first moves, the best.
  arrows(moves, further = [], brushes = ["best", "good"]) {
    const shapes = moves.map((uci, rank) => arrowOf(uci, brushes[rank] ?? "other"));
    this.#ground.setAutoShapes([...shapes.reverse(), ...further]);
  }

  // Let a new piece be dragged from where a pointer was pressed.
  drag = (piece, event) => this.#ground.dragNewPiece(piece, event, true);
  focus = () => this.#squares.focus();
  #tellSquares = () => this.#squares?.update(this.#ground.state, this.#shown);

  // Arrows or marked squares are drawn; or a click erases them all, but not what belongs to the position.
  #drew(shapes) {
    const isClick = !this.#ground.state.drawable.current;
    if (isClick && this.#shown?.shapes) return this.#ground.setShapes([...this.#shown.shapes]);
    if (this.#shown?.shapes) this.#shown.shapes = shapes;
    this.on.draw(shapes);
  }

  async #moved(from, to, made) {
    if (!this.#shown) return;
    const chosen = made.premove && this.#promotion;
    const color = promoted(this.#ground.state.pieces.get(to), to);
    const promotion = color ? chosen || (await this.#choose(to, color)) : "";
    if (promotion || !color) this.on.move(from + to + promotion);
    else if (this.#shown) this.show(this.#shown);
  }

  async #premoved(from, to) {
    const color = promoted(this.#ground.state.pieces.get(from), to);
    if (!color) return;
    const promotion = await this.#choose(to, color);
    if (promotion === "") this.#ground.cancelPremove();
    else this.#promotion = promotion; // If the premove has been played meanwhile, the choice is offered again.
  }

  // Offer four pieces on the squares of the pawn's file. Returns the letter of the one that is chosen; "" if the person
  // cancels; null if something else is shown.
  #choose = (square, color) => new Promise((resolve) => this.#offerPieces(square, color, resolve));

  #offerPieces(square, color, resolve) {
    /** @type {any} */ const before = document.activeElement;
    const close = (letter) => {
      this.#closeChooser = null;
      chooser.remove();
      before?.focus({ preventScroll: true });
      resolve(letter);
    };
    const isWhite = this.orientation() === "white";
    const column = "abcdefgh".indexOf(square[0]);
    const left = `${12.5 * (isWhite ? column : 7 - column)}%`;
    const buttons = Object.entries(PROMOTIONS).map(([letter, role], row) => {
      const style = { left, top: `${12.5 * ((square[1] === "8") === isWhite ? row : 7 - row)}%` };
      return make("button", { "aria-label": role, style, onclick: () => close(letter) }, figure(color, role));
    });
    const chooser = make("div.promotion", { role: "dialog", "aria-label": "The pawn becomes" }, buttons);
    chooser.addEventListener("click", (event) => event.target === chooser && close(""));
    chooser.addEventListener("keydown", (event) => {
      event.stopPropagation();
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (event.key === "Escape") close("");
      else if (step) buttons.at((buttons.indexOf(document.activeElement) + step) % 4).focus();
      else if (Object.hasOwn(PROMOTIONS, event.key)) close(event.key);
      else return;
      event.preventDefault();
    });
    this.element.append(chooser);
    buttons[0].focus({ preventScroll: true });
    this.#closeChooser = () => close(null);
  }
}

// The colour of a pawn that is promoted on a square; else null.
const promoted = (piece, square) => (piece?.role === "pawn" && "18".includes(square[1]) ? piece.color : null);
const plain = ({ brush, orig, dest }) => (dest ? { brush, orig, dest } : { brush, orig });
export const inBoard = (element) => Boolean(element.closest?.("#board"));

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// A grid of squares over the board, for the keyboard and for screen readers.
class Squares {
  #cells = new Map();
  #grid;
  #current = "e2";
  #turned = null;

  // onpick(square): called when a square is chosen.
  constructor(grid, onpick) {
    this.#grid = grid;
    grid.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter" || event.key === " ") onpick(this.#current);
      else if (event.key === "Escape") /** @type {HTMLElement} */ (document.activeElement).blur();
      else if (Object.hasOwn(STEPS, event.key)) this.#go(...STEPS[event.key]);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  focus = () => this.#cells.get(this.#current)?.focus();

  // state: chessground's. position: as given to Board.show.
  update(state, position) {
    this.#arrange(state.orientation);
    const targets = new Set((state.selected && position?.dests[state.selected]) || []);
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

  // side: at the bottom.
  #arrange(side) {
    if (side === this.#turned) return;
    this.#turned = side;
    const [files, ranks] = side === "white" ? ["abcdefgh", "87654321"] : ["hgfedcba", "12345678"];
    const cell = (name) => make("div", { role: "gridcell", tabindex: -1, "data-square": name });
    const rows = [...ranks].map((rank) => [...files].map((file) => cell(file + rank)));
    this.#cells = new Map(rows.flat().map((each) => [each.dataset.square, each]));
    this.#grid.replaceChildren(...rows.map((cells) => make("div", { role: "row" }, cells)));
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
