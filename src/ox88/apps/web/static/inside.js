// The pictures of `ox88 show` for the position on the board.

import { find, make } from "./dom.js";
import { capital } from "./words.js";

const VIEWS = [
  ["0x88", "0x88: squares in hex, piece list"],
  ["attacks", "Rays and attacks of a piece"],
  ["bitboard", "Bitboards"],
  ["difference", "The difference table"],
  ["rotated", "Rotated bitboards"],
  ["micromax", "micro-Max's board"],
  ["steps", "micro-Max's steps"],
];
const WITH_SQUARE = ["attacks", "difference", "rotated"];
const FILES = [..."abcdefgh"];

export class Inside {
  #fen = null;
  #serial = 0;
  #timer = 0;

  constructor(element, socket) {
    this.element = element;
    this.socket = socket;
    this.isOpen = false;
    this.view = localStorage.getItem("ox88.view") ?? "0x88";
    this.square = "";
    this.bits = "";
  }

  toggle(fen) {
    this.isOpen = !this.isOpen;
    this.element.hidden = !this.isOpen;
    if (this.isOpen && !this.element.children.length) this.#build();
    this.#fen = null;
    this.show(fen);
  }

  show(fen) {
    if (!this.isOpen || fen === this.#fen) return;
    this.#fen = fen;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), 100);
  }

  #build() {
    const squares = FILES.flatMap((file) => [..."12345678"].map((rank) => file + rank));
    const change = (name) => (event) => {
      this[name] = event.target.value;
      if (name === "view") localStorage.setItem("ox88.view", this.view);
      this.#ask();
    };
    this.element.append(
      make("header", {}, make("h2", {}, "Look inside")),
      make(
        "div",
        { class: "pad views" },
        make("label", { class: "field" }, make("span", {}, "View"), make("select", { id: "view", onchange: change("view") }, VIEWS.map(([value, label]) => make("option", { value, selected: value === this.view }, label)))),
        make("label", { class: "field", id: "of-square" }, make("span", {}, "Seen from"), make("select", { onchange: change("square") }, make("option", { value: "" }, "default"), squares.map((square) => make("option", { value: square }, square)))),
        make("label", { class: "field", id: "of-bits" }, make("span", {}, "Bits, with & | ^ ~"), make("input", { type: "text", placeholder: "white & ~pawns", onchange: change("bits"), autocapitalize: "off", spellcheck: "false" })),
      ),
      make("div", { class: "picture", id: "picture" }),
    );
  }

  async #ask() {
    find("#of-square", this.element).hidden = !WITH_SQUARE.includes(this.view);
    find("#of-bits", this.element).hidden = this.view !== "bitboard";
    const serial = ++this.#serial;
    const square = WITH_SQUARE.includes(this.view) ? this.square : "";
    const bits = this.view === "bitboard" ? this.bits.trim() : "";
    try {
      const { svg } = await this.socket.ask("show", { fen: this.#fen, view: this.view, ...(square && { square }), ...(bits && { bits }) });
      if (serial === this.#serial) find("#picture").replaceChildren(document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true));
    } catch (error) {
      if (serial === this.#serial) find("#picture").replaceChildren(make("p", { class: "wrong" }, capital(error.message)));
    }
  }
}
