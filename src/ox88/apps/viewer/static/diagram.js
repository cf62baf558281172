// A board that is looked at only: squares, the last move, a check, arrows and marked squares, a glyph on a move.

import { clamp, draw } from "./dom.js";
import { lettersOf } from "./words.js";

const [SIZE, FILES] = [45, "abcdefgh"];
const WHOLE = { width: SIZE, height: SIZE };
const LIGHT = [...Array(32).keys()] // The light squares, row by row.
  .map((at) => `M${2 * SIZE * (at % 4) + SIZE * ((at >> 2) % 2)} ${SIZE * (at >> 2)}h${SIZE}v${SIZE}h-${SIZE}z`)
  .join("");

// The pictures of the pieces stand in the page.
export class Diagram {
  constructor({ coordinates = true } = {}) {
    this.coordinates = coordinates;
    this.element = draw("svg.diagram", { viewBox: `0 0 ${8 * SIZE} ${8 * SIZE}`, role: "img" });
  }

  // uci: the last move. check: its side is in check. shapes: see words.js. mark: a glyph, and the error's kind.
  show({ fen, uci = "", check = false, shapes = [], mark = null, orientation = "white" }) {
    this.flipped = orientation === "black";
    const pieces = placed(fen);
    this.element.replaceChildren(
      draw("rect.square-dark", { width: 8 * SIZE, height: 8 * SIZE }),
      draw("path.square-light", { d: LIGHT }),
      ...(uci.match(/[a-h][1-8]/g) ?? []).map((square) => this.#put("rect.square-trace", square, WHOLE)),
      ...(check ? [this.#check(fen, pieces)] : []),
      ...(this.coordinates ? this.#coordinates() : []),
      ...pieces.map(([letter, square]) => this.#put("use", square, { href: `#piece-${letter}` })),
      ...shapes.flatMap((shape) => (shape.dest ? this.#arrow(shape) : this.#circle(shape))),
      ...(mark ? [this.#badge(uci.slice(2, 4), mark)] : []),
    );
  }

  #corner(square) {
    const [file, rank] = [FILES.indexOf(square[0]), Number(square[1]) - 1];
    return (this.flipped ? [7 - file, rank] : [file, 7 - rank]).map((value) => value * SIZE);
  }

  #put(selector, square, properties) {
    const [x, y] = this.#corner(square);
    return draw(selector, { x, y, ...properties });
  }

  #centre = (square) => this.#corner(square).map((value) => value + SIZE / 2);

  #check(fen, pieces) {
    const king = fen.split(" ")[1] === "w" ? "K" : "k";
    const [cx, cy] = this.#centre(pieces.find(([letter]) => letter === king)[1]);
    return draw("circle.square-check", { cx, cy, r: 21 });
  }

  #coordinates() {
    return [...FILES].flatMap((_, index) => {
      const rank = this.flipped ? index + 1 : 8 - index;
      const file = FILES[this.flipped ? 7 - index : index];
      const inks = index % 2 ? ["on-dark", "on-light"] : ["on-light", "on-dark"];
      return [
        draw(`text.coordinate.${inks[0]}`, { x: 2.5, y: SIZE * index + 10 }, rank),
        draw(`text.coordinate.${inks[1]}`, { x: SIZE * index + 37, y: 8 * SIZE - 2.5 }, file),
      ];
    });
  }

  #circle({ orig, brush }) {
    const [cx, cy] = this.#centre(orig);
    return [draw(`circle.circle.${brush}`, { cx, cy, r: 20 })];
  }

  #arrow({ orig, dest, brush }) {
    const [x1, y1] = this.#centre(orig);
    const [x2, y2] = this.#centre(dest);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [ex, ey] = [x2 - dx * 15, y2 - dy * 15]; // Where the head begins.
    const [left, right] = [`${ex - dy * 10} ${ey + dx * 10}`, `${ex + dy * 10} ${ey - dx * 10}`];
    return [
      draw(`path.arrow.${brush}`, { d: `M${x1 + dx * 8} ${y1 + dy * 8}L${ex - dx * 2} ${ey - dy * 2}` }),
      draw(`path.arrow-head.${brush}`, { d: `M${x2} ${y2}L${left}L${right}Z` }),
    ];
  }

  #badge(square, { sign, kind }) {
    const [x, y] = this.#corner(square);
    const [cx, cy] = [clamp(x + 40, 10, 350), clamp(y + 6, 10, 350)];
    return draw("g.badge", [draw(`circle.fill-${kind}`, { cx, cy, r: 9 }), draw("text", { x: cx, y: cy + 3.8 }, sign)]);
  }
}

// Letters and squares of the pieces of a FEN.
const placed = (fen) =>
  lettersOf(fen).flatMap((letter, at) => (letter === " " ? [] : [[letter, FILES[at % 8] + (8 - (at >> 3))]]));
