// Setting up a position: placing pieces, and the fields of a FEN that the board does not show.

import { icon, make } from "/viewer/dom.js";
import { figure, segments } from "./controls.js";
import { START } from "./study.js";

const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const RIGHTS = [
  ["K", "White, king's side"],
  ["Q", "White, queen's side"],
  ["k", "Black, king's side"],
  ["q", "Black, queen's side"],
];

export class Setup {
  #piece = null;
  #turn = "white";
  #rights = new Set();
  #passant = "-";
  #isChess960 = false; // The position was opened with castling from other squares.

  // ondone(fen): called with the position; returns what is wrong with it, if anything. onplay(fen): the same, to play
  // it.
  constructor(board, { ondone, onplay, oncancel }) {
    this.board = board;
    this.ondone = ondone;
    this.onplay = onplay;
    this.oncancel = oncancel;
    this.isOpen = false;
    this.element = make("div.card#setup", { hidden: true });
  }

  open(fen) {
    const [placement, turn, rights, passant] = fen.split(" ");
    this.isOpen = true;
    this.#piece = null;
    this.#turn = turn === "b" ? "black" : "white";
    this.#rights = new Set([...(rights ?? "")].filter((letter) => "KQkq".includes(letter)));
    this.#isChess960 = false;
    this.#isChess960 = [...this.#rights].some((letter) => !this.#canCastle(letter, squaresOf(placement)));
    this.#passant = passant ?? "-";
    this.#show();
    this.element.hidden = false;
    this.board.edit(placement);
    this.changed();
  }

  close() {
    this.isOpen = false;
    this.element.hidden = true;
  }

  // Called when a square of the board is clicked.
  pick(square) {
    if (this.#piece === null || !square) return;
    this.board.put(square, this.#piece === "erase" ? null : { ...this.#piece });
    this.changed();
  }

  // Called when pieces have moved: offer what they allow.
  changed() {
    const squares = squaresOf(this.board.placement);
    for (const box of this.boxes) {
      box.disabled = !this.#canCastle(box.value, squares);
      box.checked = this.#rights.has(box.value) && !box.disabled;
    }
    const targets = passantSquares(squares, this.#turn);
    const chosen = targets.includes(this.#passant) ? this.#passant : "-";
    this.passant.replaceChildren(
      ...["-", ...targets].map((square) =>
        make("option", { value: square, selected: square === chosen }, square === "-" ? "no" : `yes, on ${square}`),
      ),
    );
    this.passant.disabled = !targets.length;
  }

  // True if king and rook are where castling begins: in Chess960 on any squares of the rank, the rook outside.
  #canCastle(right, squares) {
    const isWhite = right < "a";
    const rank = squares.slice(isWhite ? 56 : 0, isWhite ? 64 : 8).join("");
    const king = rank.indexOf(isWhite ? "K" : "k");
    const rook = isWhite ? "R" : "r";
    if (this.#isChess960)
      return (
        king >= 0 &&
        (right.toUpperCase() === "K" ? rank.indexOf(rook, king) > king : rank.slice(0, king).includes(rook))
      );
    return king === 4 && rank[right.toUpperCase() === "K" ? 7 : 0] === rook;
  }

  #show() {
    const castle = (event) => this.#rights[event.target.checked ? "add" : "delete"](event.target.value);
    const turn = (side) => {
      this.#turn = side;
      this.changed();
    };
    this.boxes = RIGHTS.map(([letter]) => make("input", { type: "checkbox", value: letter, onchange: castle }));
    this.passant = make("select", { onchange: (event) => (this.#passant = event.target.value) });
    this.wrong = make("p.wrong", { role: "alert" });
    this.element.replaceChildren(
      make("header", make("h2", "Place pieces")),
      make("div.pad.rows", [
        make("div.palette", { role: "group", "aria-label": "Pieces" }, this.#palette()),
        make("p.muted", [
          "Choose a piece, then click on squares. Drag pieces to move them, or off the board to remove them.",
        ]),
        make("div.buttons", [
          make("button.plain.small", { onclick: () => this.open("8/8/8/8/8/8/8/8 w -") }, "Empty board"),
          make("button.plain.small", { onclick: () => this.open(START) }, "Start position"),
        ]),
        segments(
          "turn",
          "To move",
          [
            ["white", "White"],
            ["black", "Black"],
          ],
          this.#turn,
          turn,
        ),
        make("fieldset", [
          make("legend", "Castling rights"),
          make("div.rows-tight", [RIGHTS.map(([, words], index) => make("label", [this.boxes[index], ` ${words}`]))]),
        ]),
        make("label.field", [make("span", "Capture en passant"), this.passant]),
        this.wrong,
        make("div.buttons", [
          make("button.primary", { onclick: () => this.#finish(this.ondone) }, "Done"),
          make("button.plain", { onclick: () => this.#finish(this.onplay) }, "Play it"),
          make("button.plain", { onclick: () => this.oncancel() }, "Cancel"),
        ]),
      ]),
    );
  }

  #palette() {
    const choose = (piece, button) => {
      const again = button.getAttribute("aria-pressed") === "true";
      for (const each of button.parentElement.children) each.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-pressed", String(!again));
      this.#piece = again ? null : piece;
    };
    return ["white", "black"].flatMap((color) => [
      ...ROLES.map((role) =>
        make(
          "button",
          {
            "aria-label": `${color} ${role}`,
            "aria-pressed": "false",
            onclick: (event) => choose({ color, role }, event.currentTarget),
          },
          [figure(color, role)],
        ),
      ),
      color === "white"
        ? make(
            "button.erase",
            {
              "aria-label": "Remove pieces",
              "aria-pressed": "false",
              onclick: (event) => choose("erase", event.currentTarget),
            },
            [icon("erase")],
          )
        : null,
    ]);
  }

  async #finish(use) {
    const rights =
      this.boxes
        .filter((box) => box.checked)
        .map((box) => box.value)
        .join("") || "-";
    const wrong = await use(`${this.board.placement} ${this.#turn[0]} ${rights} ${this.passant.value} 0 1`);
    this.wrong.textContent = wrong ?? "";
  }
}

// The letters of 64 squares, from a8 to h1; a space is an empty square.
const squaresOf = (placement) => [...placement.replaceAll("/", "").replace(/\d/g, (count) => " ".repeat(count))];

// The squares that a pawn can have passed with its last move, beside a pawn that could capture it there.
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
