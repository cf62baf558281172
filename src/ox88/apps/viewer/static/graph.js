// A graph of White's winning chances over a game; a click goes to a position.

import { clamp, draw } from "./dom.js";

const [WIDTH, HEIGHT, EDGE] = [640, 160, 5]; // Marks keep a distance from the edge. graph.py has the same numbers.

export class Graph {
  #count = 0;

  // onpick(ply): called for a click.
  constructor(onpick) {
    const label = "White's chances over the game";
    const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
    this.element = draw("svg.graph", { viewBox, preserveAspectRatio: "none", role: "img", "aria-label": label });
    const pick = (event) => {
      const box = this.element.getBoundingClientRect();
      onpick(clamp(Math.round(((event.clientX - box.left) / box.width) * this.#count), 0, this.#count));
    };
    this.element.addEventListener("pointerdown", pick);
    this.element.addEventListener("pointermove", (event) => event.buttons && pick(event));
  }

  // wins: White's chances in percent before the first move and after each; null if not known yet.
  // marks: for each position, the judgement of the move that led to it, or null.
  show(wins, marks = []) {
    this.#count = wins.length - 1;
    const points = wins.map((win, ply) => (win === null ? null : [this.#across(ply), this.#down(win)])).filter(Boolean);
    const line = points.map((point) => point.map((value) => value.toFixed(1)).join(" ")).join("L");
    this.element.replaceChildren();
    if (points.length) {
      const [left, right] = [points[0][0], points.at(-1)[0]];
      this.element.append(
        draw("rect.ground", { x: left, y: 0, width: right - left, height: HEIGHT }),
        draw("path.area", { d: `M${left} ${HEIGHT}L${line}L${right} ${HEIGHT}Z` }),
        draw("line.middle", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
        draw("path.curve", { d: `M${line}` }),
      );
    }
    marks.forEach((mark, ply) => {
      if (!mark || wins[ply] === null) return;
      const [x, y] = [this.#across(ply), clamp(this.#down(wins[ply]), EDGE, HEIGHT - EDGE)];
      const d = `M${x} ${y}l0 0.01`;
      this.element.append(draw("path.mark-rim", { d }), draw(`path.mark.fill-${mark}`, { d }));
    });
    this.cursor = draw("line.cursor", { y1: 0, y2: HEIGHT });
    this.element.append(this.cursor);
  }

  point(ply) {
    const x = clamp(this.#across(ply), 1, WIDTH - 1);
    this.cursor?.setAttribute("x1", x);
    this.cursor?.setAttribute("x2", x);
  }

  #across(ply) {
    return (WIDTH * ply) / Math.max(this.#count, 1);
  }

  #down(win) {
    return HEIGHT - (HEIGHT / 100) * win;
  }
}
