// The window of a node as a ruler: alpha, beta, the best score so far, the static evaluation. Scores far from 0 are
// drawn closer together.

import { draw } from "/viewer/dom.js";

const [NARROWEST, WIDEST, MARGIN, LINE] = [340, 600, 92, 58];
const FAR = 8000;
const NEAR = 12; // Up to about here the scale is linear.

const bend = (score) => Math.sign(score) * Math.log1p(Math.abs(score) / NEAR);
const placeIn = (width) => (score) =>
  width / 2 + ((width / 2 - MARGIN) * bend(Math.max(-FAR, Math.min(FAR, score)))) / bend(FAR);
export const scoreText = (score) =>
  score === null ? "none" : Math.abs(score) >= FAR ? `${score < 0 ? "−" : ""}∞` : String(score).replace("-", "−");

const ROOMY = 460; // Narrower, there is no room for all numbers of the scale.
const [NUDGE, NUDGE_LINE] = [22, LINE + 15]; // The length of the arrow for a delayed gain, and how low it lies.
const TICKS = [-FAR, -1000, -100, -10, 0, 10, 100, 1000, FAR];

// The head of an arrow.
const head = (id) =>
  draw("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 5, markerHeight: 5, orient: "auto" }, [
    draw("path", { class: id, d: "M0 0L8 4L0 8z" }),
  ]);

export class Ruler {
  #shown = "";

  constructor(svg) {
    this.svg = svg;
  }

  // window: alpha, beta, best (null before the first score), evaluation, isShut, untried (moves), side, and a note on
  // it; turned and delayed: see Replay.
  show(window) {
    const key = `${JSON.stringify(window)} ${this.svg.clientWidth}`;
    if (key === this.#shown) return;
    this.#shown = key;
    if (!window) {
      this.svg.setAttribute("aria-label", "No node is being searched");
      this.svg.replaceChildren();
      return;
    }
    const width = Math.max(NARROWEST, Math.min(WIDEST, this.svg.clientWidth || WIDEST)); // Texts keep their size.
    const placeOf = placeIn(width);
    this.svg.setAttribute("viewBox", `0 0 ${width} 126`);
    const { alpha, beta, best, evaluation, isShut, untried, note, turned, delayed } = window;
    const [low, high] = [placeOf(alpha), placeOf(beta)];
    const reached = best === null ? low : Math.min(Math.max(placeOf(best), low), high);
    const never = isShut ? `${untried} ${untried === 1 ? "move" : "moves"} never tried` : "";
    this.svg.classList.toggle("shut", isShut);
    const values = `best ${scoreText(best)}, evaluation ${scoreText(evaluation)}`;
    const state = `${isShut ? `, a cutoff, ${never}` : ""}${note ? `; ${note}` : ""}`;
    this.svg.setAttribute("aria-label", `Window from ${scoreText(alpha)} to ${scoreText(beta)}, ${values}${state}`);
    const bar = (name, from, to) => {
      const [x, length] = [Math.min(from, to), Math.abs(to - from)];
      return draw(`rect.${name}`, { x, y: LINE - 11, width: Math.max(0.01, length), height: 22 });
    };
    const upright = (selector, x, up, down) => draw(selector, { x1: x, x2: x, y1: LINE - up, y2: LINE + down });
    const post = (name, x) => upright(`line.post.${name}`, x, 19, 19);
    const text = (name, at, y, anchor, words) => draw("text", { class: name, x: at, y, "text-anchor": anchor }, words);
    // A label in the middle of its row stays in the picture.
    const inside = (at) => Math.max(50, Math.min(width - 50, at));
    // Negated, the window above is its mirror image, so it turns about the middle, 0. Where it was stays in faint
    // lines.
    const swap = (was, is) => {
      const [from, to] = [placeOf(was), placeOf(is)];
      const d = `M${from} ${LINE - 20}Q${(from + to) / 2} ${LINE - 50} ${to} ${LINE - 20}`;
      return [post("was", from), draw("path.swap", { d, "marker-end": "url(#ruler-head)" })];
    };
    const was = turned ? [...swap(turned.beta, alpha), ...swap(turned.lower, beta)] : [];
    const nudge = (at) => [
      draw("path.nudge", { d: `M${at + NUDGE} ${NUDGE_LINE}H${at + 4}`, "marker-end": "url(#ruler-nudge)" }),
      draw("text.nudge", { x: at + NUDGE + 2, y: NUDGE_LINE + 4 }, "−1"),
    ];
    this.svg.replaceChildren(
      head("ruler-head"),
      head("ruler-nudge"),
      draw("line.axis", { x1: MARGIN, x2: width - MARGIN, y1: LINE, y2: LINE }),
      ...TICKS.map((tick) => upright("line.tick", placeOf(tick), 4, 4)),
      ...was,
      draw("g", { class: turned ? "turning" : "" }, [
        bar("gone", low, reached),
        bar(isShut ? "closed" : "open", isShut ? low : reached, high),
        post(turned?.isNudged ? "alpha.nudged" : "alpha", low),
        post("beta", high),
      ]),
      ...(turned?.isNudged ? nudge(low) : []),
      ...(delayed === null ? [] : [upright("line.post.delayed.nudged", placeOf(delayed), 12, 19)]),
      ...(delayed === null ? [] : nudge(placeOf(delayed))),
      draw("path.evaluation", { d: `M${placeOf(evaluation)} ${LINE + 2}l-5 9h10z` }),
      ...(best === null ? [] : [draw("path.best", { d: `M${placeOf(best)} ${LINE - 2}l-6 -11h12z` })]),
      text("alpha", low - 3, 16, "end", `alpha ${scoreText(alpha)}`),
      text("beta", high + 3, 16, "start", `beta ${scoreText(beta)}`),
      text("best", inside(placeOf(best ?? alpha)), 33, "middle", best === null ? "" : `best ${scoreText(best)}`),
      text("note", width / 2, 92, "middle", isShut ? "" : note),
      text("never", Math.max(80, Math.min(width - 80, (low + high) / 2)), 92, "middle", never),
      text("evaluation", inside(placeOf(evaluation)), 106, "middle", `evaluation ${scoreText(evaluation)}`),
      ...TICKS.filter((tick) => ![FAR, 10, width < ROOMY && 1000].includes(Math.abs(tick))).map((tick) =>
        text("scale", placeOf(tick), 121, "middle", scoreText(tick)),
      ),
      text("scale", MARGIN, 121, "middle", "−∞"),
      text("scale", width - MARGIN, 121, "middle", "∞"),
    );
  }
}
