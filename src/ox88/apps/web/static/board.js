// The board: chessground, with squares for the keyboard above it and a chooser for promotions.

import { Chessground } from "/chessground/chessground.min.js";
import { arrowOf } from "/viewer/commands.js";
import { find } from "/viewer/dom.js";
import { choosePromotion } from "./promotion.js";
import { Squares } from "./squares.js";

const BRUSHES = {
  best: { key: "best", color: "#1d8f6d", opacity: 0.85, lineWidth: 11 },
  good: { key: "good", color: "#2f6f9f", opacity: 0.6, lineWidth: 9 },
  threat: { key: "threat", color: "#c2282e", opacity: 0.75, lineWidth: 11 },
  other: { key: "other", color: "#6c7280", opacity: 0.5, lineWidth: 7 },
};

export class Board {
  #ground;
  #squares;
  #element;
  #shown = null;
  #closeChooser = null;
  #promotion = null; // The piece that a premove of a pawn makes.

  // onMove(uci): called after a move. onSelect(square): called for clicks while pieces are placed. onChange(): called
  // when pieces have moved. onDraw(shapes): called when arrows or marked squares are drawn, see commands.js.
  constructor(element, { onMove, onSelect, onChange, onDraw }) {
    this.#element = element;
    this.onMove = onMove;
    this.onDraw = onDraw;
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
          onSelect(square);
          queueMicrotask(() => this.#tellSquares()); // chessground selects the square after this call.
        },
        change: () => {
          this.#tellSquares();
          onChange();
        },
      },
    });
    this.#squares = new Squares(
      find(".squares", element),
      (square) => this.#pick(square),
      () => this.#ground.state.orientation,
    );
    // chessground remembers where the board is, but whatever changes the page may have moved it since.
    for (const type of ["pointerdown", "pointermove", "pointerup"]) {
      window.addEventListener(type, () => this.#ground.state.dom.bounds.clear(), { capture: true, passive: true });
    }
  }

  get orientation() {
    return this.#ground.state.orientation;
  }

  get placement() {
    return this.#ground.getFen();
  }

  // fen, turn, last (uci), check, dests (of the side that may move), movable (a colour, "both" or null), premoves.
  // waiting: a move (UCI) that stands on the board already. shapes: arrows and marked squares that belong to the
  // position; else they are the person's own, until it changes.
  show(position) {
    const isSame = position.fen === this.#shown?.fen;
    if (!isSame) this.#closeChooser?.();
    const own = isSame && !this.#shown.shapes ? this.#ground.state.drawable.shapes : [];
    this.#shown = position;
    const { fen, turn, last, check, dests, movable, premoves, waiting, shapes } = position;
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
        dests: new Map(Object.entries(dests ?? {})),
      },
      premovable: { enabled: Boolean(premoves) },
    });
    if (waiting) this.#ground.move(waiting.slice(0, 2), waiting.slice(2, 4));
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

  // Draw an arrow for the first move of each line, best line first, or a circle on a square; and further shapes.
  // brushes: of the best lines.
  arrows(moves, further = [], brushes = ["best", "good"]) {
    const shapes = moves.map((uci, rank) => arrowOf(uci, brushes[rank] ?? "other"));
    this.#ground.setAutoShapes([...shapes.reverse(), ...further]);
  }

  // Let a new piece be dragged from where a pointer was pressed.
  drag(piece, event) {
    this.#ground.dragNewPiece(piece, event, true);
  }

  focus() {
    this.#squares.focus();
  }

  #tellSquares() {
    this.#squares?.update(this.#ground.state, this.#shown);
  }

  #pick(square) {
    this.#ground.selectSquare(square);
    this.#tellSquares();
  }

  // Arrows or marked squares are drawn; or a click erases them all, but not what belongs to the position.
  #drew(shapes) {
    const isClick = !this.#ground.state.drawable.current;
    if (isClick && this.#shown?.shapes) return this.#ground.setShapes([...this.#shown.shapes]);
    if (this.#shown?.shapes) this.#shown.shapes = shapes;
    this.onDraw(shapes);
  }

  async #moved(from, to, made) {
    if (!this.#shown) return;
    const chosen = made.premove && this.#promotion;
    const color = promoted(this.#ground.state.pieces.get(to), to);
    const promotion = color ? chosen || (await this.#choose(to, color)) : "";
    if (promotion || !color) this.onMove(from + to + promotion);
    else if (this.#shown) this.show(this.#shown);
  }

  async #premoved(from, to) {
    const color = promoted(this.#ground.state.pieces.get(from), to);
    if (!color) return;
    const promotion = await this.#choose(to, color);
    if (promotion === "") this.#ground.cancelPremove();
    else this.#promotion = promotion; // If the premove has been played meanwhile, the choice is offered again.
  }

  #choose(square, color) {
    return new Promise((resolve) => {
      this.#closeChooser = choosePromotion(this.#element, square, color, this.orientation, (letter) => {
        this.#closeChooser = null;
        resolve(letter);
      });
    });
  }
}

// The colour of a pawn that is promoted on a square; else null.
const promoted = (piece, square) => (piece?.role === "pawn" && "18".includes(square[1]) ? piece.color : null);

const plain = ({ brush, orig, dest }) => (dest ? { brush, orig, dest } : { brush, orig });

export const inBoard = (element) => Boolean(element.closest?.("#board"));
