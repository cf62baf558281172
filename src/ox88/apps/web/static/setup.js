// Setting up a position: placing pieces, and the fields of a FEN that the board does not show.

import { figure, icon, make, segments } from "./dom.js";
import { START } from "./study.js";

const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"];

export class Setup {
  #piece = null;
  #turn = "white";
  #rights = new Set();

  // ondone(fen): called with the position; returns what is wrong with it, if anything.
  constructor(board, { ondone, oncancel }) {
    this.board = board;
    this.ondone = ondone;
    this.oncancel = oncancel;
    this.isOpen = false;
    this.element = make("div", { class: "card", id: "setup", hidden: true });
  }

  open(fen) {
    const [placement, turn, rights] = fen.split(" ");
    this.isOpen = true;
    this.#piece = null;
    this.#turn = turn === "b" ? "black" : "white";
    this.#rights = new Set([...(rights ?? "")].filter((letter) => "KQkq".includes(letter)));
    this.#show();
    this.element.hidden = false;
    this.board.edit(placement);
  }

  close() {
    this.isOpen = false;
    this.element.hidden = true;
  }

  // Called when a square of the board is clicked.
  pick(square) {
    if (this.#piece === null || !square) return;
    this.board.put(square, this.#piece === "erase" ? null : { ...this.#piece });
  }

  #show() {
    const rights = [["K", "White, king's side"], ["Q", "White, queen's side"], ["k", "Black, king's side"], ["q", "Black, queen's side"]];
    this.wrong = make("p", { class: "wrong", role: "alert" });
    this.element.replaceChildren(
      make("header", {}, make("h2", {}, "Place pieces")),
      make(
        "div",
        { class: "pad rows" },
        make("div", { class: "palette", role: "group", "aria-label": "Pieces" }, this.#palette()),
        make("p", { class: "muted" }, "Choose a piece, then click on squares. Drag pieces to move them, or off the board to remove them."),
        make(
          "div",
          { class: "buttons" },
          make("button", { type: "button", class: "plain small", onclick: () => this.open("8/8/8/8/8/8/8/8 w -") }, "Empty board"),
          make("button", { type: "button", class: "plain small", onclick: () => this.open(START) }, "Start position"),
        ),
        segments("turn", "To move", [["white", "White"], ["black", "Black"]], this.#turn, (turn) => (this.#turn = turn)),
        make(
          "fieldset",
          {},
          make("legend", {}, "Castling rights"),
          make("div", { class: "rows-tight" }, rights.map(([letter, words]) => make("label", {}, make("input", { type: "checkbox", checked: this.#rights.has(letter), onchange: (event) => this.#rights[event.target.checked ? "add" : "delete"](letter) }), ` ${words}`))),
        ),
        this.wrong,
        make(
          "div",
          { class: "buttons" },
          make("button", { type: "button", class: "primary", onclick: () => this.#finish() }, "Done"),
          make("button", { type: "button", class: "plain", onclick: () => this.oncancel() }, "Cancel"),
        ),
      ),
    );
  }

  #palette() {
    const choose = (piece, button) => {
      const again = button.getAttribute("aria-pressed") === "true";
      for (const each of button.parentElement.children) each.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-pressed", String(!again));
      this.#piece = again ? null : piece;
    };
    const pieces = ["white", "black"].flatMap((color) => [
      ...ROLES.map((role) => make("button", { type: "button", "aria-label": `${color} ${role}`, "aria-pressed": "false", onclick: (event) => choose({ color, role }, event.currentTarget) }, figure(color, role))),
      color === "white" ? make("button", { type: "button", class: "erase", "aria-label": "Remove pieces", "aria-pressed": "false", onclick: (event) => choose("erase", event.currentTarget) }, icon("erase")) : null,
    ]);
    return pieces;
  }

  async #finish() {
    const rights = [..."KQkq"].filter((letter) => this.#rights.has(letter)).join("") || "-";
    const wrong = await this.ondone(`${this.board.placement} ${this.#turn[0]} ${rights} - 0 1`);
    this.wrong.textContent = wrong ?? "";
  }
}
