// White's chances: in the bar beside the board, and as a graph over the game.

import { clamp, draw, find } from "./dom.js";
import { capital, errorOf } from "./words.js";

const EQUAL = 4; // Percent beyond 50.
/** @type {[number, string][]} */
const STEPS = [
  [8, "is slightly better"],
  [20, "is better"],
  [Infinity, "is winning"],
];

export function inWords({ eval: text, win, over }) {
  if (over) return capital(over);
  const side = win > 50 ? "White" : "Black";
  if (text === "#") return `${side} has mated`;
  if (text.startsWith("#")) return `${side} mates in ${Math.abs(text.slice(1))}`;
  const lead = Math.abs(win - 50);
  return lead < EQUAL ? "The position is equal" : `${side} ${STEPS.find(([most]) => lead < most)[1]}`;
}

// As short as fits into the evaluation bar: the bar itself shows whose advantage it is.
function inShort({ eval: text }) {
  if (text === "#") return "";
  if (text.startsWith("#")) return text.replace("-", "");
  const pawns = Math.abs(Number(text));
  if (Number.isNaN(pawns)) return text;
  return pawns < 10 ? pawns.toFixed(1) : pawns.toFixed(0);
}

// Show an evaluation in the bar beside the board; null for none.
export function showGauge(gauge, at) {
  gauge.classList.toggle("off", !at);
  gauge.classList.toggle("behind", at?.win < 50);
  find(".gauge-white", gauge).style.height = `${at?.win ?? 50}%`;
  find(".gauge-text", gauge).textContent = at ? inShort(at) : "";
  gauge.setAttribute("aria-label", at ? `Evaluation ${at.eval}: ${inWords(at)}` : "No evaluation");
}

const [WIDTH, HEIGHT, EDGE] = [640, 160, 11]; // Marks keep a distance from the edge. graph.py has the size.

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

  // nodes: the first position and those after each move, with White's chances in percent, if they are known.
  show(nodes) {
    this.#count = nodes.length - 1;
    const points = nodes.flatMap(({ win }, ply) => (win == null ? [] : [[this.#across(ply), this.#down(win)]]));
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
    nodes.forEach(({ nags, win }, ply) => {
      if (!errorOf(nags) || win == null) return;
      const d = `M${this.#across(ply)} ${clamp(this.#down(win), EDGE, HEIGHT - EDGE)}l0 0.01`;
      this.element.append(draw("path.mark-rim", { d }), draw(`path.mark.fill-${errorOf(nags)}`, { d }));
    });
    this.cursor = draw("line.cursor", { y1: 0, y2: HEIGHT });
    this.element.append(this.cursor);
  }

  point(ply) {
    const x = clamp(this.#across(ply), 1, WIDTH - 1);
    this.cursor?.setAttribute("x1", x);
    this.cursor?.setAttribute("x2", x);
  }

  #across = (ply) => (WIDTH * ply) / Math.max(this.#count, 1);
  #down = (win) => HEIGHT - (HEIGHT / 100) * win;
}
