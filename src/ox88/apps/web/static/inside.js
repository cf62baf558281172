// The pictures of `ox88 show` for the position on the board.

import { find, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";

const VIEWS = [
  ["0x88", "0x88: squares in hex, piece list"],
  ["attacks", "Rays and attacks of a piece"],
  ["bitboard", "Bitboards"],
  ["difference", "The difference table"],
  ["rotated", "Rotated bitboards"],
  ["network", "What each piece is worth to the network"],
  ["rays", "Rays on the empty 0x88 board"],
  ["micromax", "micro-Max's board"],
  ["steps", "micro-Max's steps"],
  ["tries", "Squares that a piece tries in micro-Max"],
  ["scan", "micro-Max's scan of the board"],
  ["writes", "What a move writes to micro-Max's board"],
  ["iterations", "micro-Max's iterations"],
  ["order", "The order of micro-Max's moves"],
  ["scores", "micro-Max's scores of a piece's moves"],
  ["table", "micro-Max's hash entries"],
];
const WITH_SQUARE = ["attacks", "difference", "rotated", "rays", "tries", "scan", "writes", "scores", "table"];
const WITH_DEPTH = ["iterations", "order", "scores", "table"];
const DEPTHS = [1, 2, 3, 4, 5];
const FILES = [..."abcdefgh"];

export class Inside {
  #fen = null;
  #serial = 0;
  #timer = 0;
  #isNew = false; // The next picture is the first since the section was opened.

  /** @param {import("./socket.js").Socket} socket */
  constructor(element, socket) {
    this.element = element;
    this.socket = socket;
    this.isOpen = false;
    this.view = localStorage.getItem("ox88.view") ?? "0x88";
    this.square = "";
    this.depth = 3;
    this.bits = "";
    this.views = VIEWS;
    this.isLarge = false;
    socket.on(
      "welcome",
      ({ network }) => (this.views = network ? VIEWS : VIEWS.filter(([view]) => view !== "network")),
    );
  }

  toggle(fen) {
    this.isOpen = !this.isOpen;
    this.element.hidden = !this.isOpen;
    if (!this.isOpen) return;
    if (!this.element.children.length) this.#build();
    this.#fen = null;
    this.#isNew = true;
    this.show(fen);
  }

  show(fen) {
    if (!this.isOpen || fen === this.#fen) return;
    this.#fen = fen;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), 100);
  }

  #build() {
    if (!this.views.some(([view]) => view === this.view)) this.view = "0x88";
    const squares = FILES.flatMap((file) => [..."12345678"].map((rank) => file + rank));
    const change = (name) => (event) => {
      this[name] = event.target.value;
      if (name === "view") localStorage.setItem("ox88.view", this.view);
      this.#ask();
    };
    this.element.append(
      make("header", make("h2", "Look inside")),
      make("div.pad.views", [
        make("label.field", [
          make("span", "View"),
          make("select#view", { onchange: change("view") }, [
            this.views.map(([value, label]) => make("option", { value, selected: value === this.view }, label)),
          ]),
        ]),
        make("label.field#of-square", [
          make("span", "Seen from"),
          make("select", { onchange: change("square") }, [
            make("option", { value: "" }, "default"),
            squares.map((square) => make("option", { value: square }, square)),
          ]),
        ]),
        make("label.field#of-depth", [
          make("span", "Depth"),
          make("select", { onchange: change("depth") }, [
            DEPTHS.map((depth) => make("option", { value: depth, selected: depth === this.depth }, String(depth))),
          ]),
        ]),
        make("label.field#of-bits", [
          make("span", "Bits, with & | ^ ~"),
          make("input", {
            type: "text",
            placeholder: "white & ~pawns",
            onchange: change("bits"),
            autocapitalize: "off",
            spellcheck: "false",
          }),
        ]),
      ]),
      make("div#picture"),
    );
  }

  async #ask() {
    find("#of-square", this.element).hidden = !WITH_SQUARE.includes(this.view);
    find("#of-depth", this.element).hidden = !WITH_DEPTH.includes(this.view);
    find("#of-bits", this.element).hidden = this.view !== "bitboard";
    const serial = ++this.#serial;
    const square = WITH_SQUARE.includes(this.view) ? this.square : "";
    const bits = this.view === "bitboard" ? this.bits.trim() : "";
    const depth = WITH_DEPTH.includes(this.view) && Number(this.depth);
    try {
      const picture = await this.socket.ask("show", {
        fen: this.#fen,
        view: this.view,
        ...(square && { square }),
        ...(bits && { bits }),
        ...(depth && { depth }),
      });
      if (serial === this.#serial) this.#draw(picture);
    } catch (error) {
      if (serial === this.#serial) find("#picture").replaceChildren(make("p.pad.wrong", capital(error.message)));
    }
  }

  // The picture fits its frame; a click shows it at its full size, to be scrolled.
  #draw({ svg, title, caption }) {
    /** @type {any} An SVG. */
    const drawn = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
    const frame = make("div.picture", { tabindex: 0, role: "group", "aria-label": title }, drawn);
    const enlarge = make(
      "button.plain.small",
      { "aria-pressed": String(this.isLarge), onclick: () => this.#enlarge() },
      ["Full size"],
    );
    find("#picture").replaceChildren(
      make("div.title", [make("h3", title), enlarge]),
      frame,
      make("p.explanation", caption),
    );
    enlarge.hidden = drawn.width.baseVal.value <= frame.clientWidth;
    frame.classList.toggle("large", this.isLarge);
    if (this.#isNew) this.element.scrollIntoView({ block: "nearest" });
    this.#isNew = false;
  }

  #enlarge() {
    this.isLarge = !this.isLarge;
    find(".picture", this.element).classList.toggle("large", this.isLarge);
    find("#picture button").setAttribute("aria-pressed", String(this.isLarge));
  }
}
