// What the page Think shows beside the board: the node, its window, the line of nodes with the tries beside it, the
// hash table, the listing, where the search is, and the arithmetic of a step.

import { clamp, draw, find, findAll, keepInSight, make, View } from "/viewer/dom.js";
import { hex, INFINITY, isOnBoard, MATE, moveName, nameIn, OFF, ROOT, sideName, squareName } from "./board88.js";
import { byArrows, fetchJson, onPoint } from "./controls.js";
import { STEPPING } from "./replay.js";
import { capital, plural, whole } from "./words.js";

// Texts that stay are left alone: the page is drawn up to sixty times a second.
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const orNone = (square) => (square >= 0 && isOnBoard(square) ? `${squareName(square)} (${hex(square)})` : "none");
const word32 = (number) => (number >>> 0).toString(16).padStart(8, "0");
const tryName = ({ move, isProbe }) => (move ? moveName(move) : isProbe ? "null move" : "root");

const FACTS = {
  side: ({ side }) => sideName(side),
  node: ({ node }) => (node === null ? "not counted" : whole(node)),
  depth: ({ depth, wantedDepth, lastTo }) => {
    if (depth === 0) return "not begun";
    return lastTo === ROOT ? `depth ${depth}` : `depth ${depth} of ${wantedDepth}`;
  },
  evaluation: ({ evaluation }) => scoreText(evaluation),
  lastTo: ({ lastTo }) => (lastTo === ROOT ? "none: the root" : orNone(lastTo)),
  enPassant: ({ enPassant }) => orNone(enPassant),
  key: ({ key }) => word32(key),
  lock: ({ lock }) => word32(lock),
  best: ({ best, hint }) => (best ? `${moveName(best)}${hint ? ", tried first" : ""}` : "none"),
  bestScore: ({ bestScore }) => scoreText(bestScore),
};

export class NodeCard extends View {
  #facts = findAll("[data-fact]", this.element);

  show(frame, why) {
    for (const fact of this.#facts) write(fact, frame ? FACTS[fact.dataset.fact](frame) : "–");
    tell(this.parts.why, why);
  }
}

const [STRIP, ROW, BLOCK] = [200, 26, 15];
// In the words of the legend.
const VERDICTS = Object.fromEntries(
  findAll(".legend span").map((item) => [find("i", item).className, item.textContent]),
);

// on(node, tried): called with the number of a node to go to. tried: null, or a move that was answered by the table, so
// that it has no node: { ply, from, to } of the node that has tried it. Then `node` is the last one before.
export class Ladder extends View {
  #shown = "";

  show(line) {
    const last = (tries) => [tries.length, tries.at(-1)?.verdict, tries.at(-1)?.score];
    const key = JSON.stringify(line.map(({ node, depth, tries }) => [node, depth, last(tries)]));
    if (key === this.#shown) return;
    this.#shown = key;
    const root = line[0]?.depth ?? 0;
    this.element.replaceChildren(...line.map((frame, ply) => this.#row(frame, ply, line[ply + 1], root)));
    if (this.element.lastChild) keepInSight(this.element, this.element.lastChild);
  }

  #row(frame, ply, child, root) {
    const { node, tries, isRecapture, lastTo, depth, wantedDepth } = frame;
    const searched = lastTo === ROOT ? depth : wantedDepth;
    const title = node === null ? "Not counted as a node" : `Go to node ${whole(node)}`;
    const style = { marginLeft: `${(ply ? clamp(root - wantedDepth, 0, 9) : 0) * 7}px` }; // A recapture is level.
    const go = make("button.rung", { title, style, disabled: node === null, onclick: () => this.on(node, null) }, [
      make("b", tryName(frame)),
      searched ? ` depth ${searched}${isRecapture ? ", recapture" : ""}` : "",
    ]);
    const strip = tries.length ? this.#strip(tries, child, ply) : "";
    return make("li", { "aria-current": child ? null : "true" }, [go, strip, make("span.aside", triesInWords(tries))]);
  }

  // The tries of the node at a ply, as wide as the root of their nodes. The child's opens into the row below.
  #strip(tries, child, ply) {
    const widths = tries.map(({ nodes }) => Math.sqrt(nodes) + 0.6);
    const unit = STRIP / widths.reduce((sum, width) => sum + width, 0);
    let x = 0;
    const parts = tries.flatMap((frame, place) => {
      const width = widths[place] * unit;
      const left = x;
      x += width;
      const { node, move, nodesBefore } = frame;
      const onclick = () => {
        if (node !== null) this.on(node, null);
        else if (move) this.on(nodesBefore, { ply, from: move.from, to: move.to });
      };
      const area = { x: left, y: 0, width: Math.max(0.3, width - 0.5), height: BLOCK };
      const block = draw(`rect.block.${frame.verdict}`, { ...area, onclick }, draw("title", titleOf(frame)));
      const opens = draw("path.opens", { d: `M${left} ${BLOCK}H${left + width}L${STRIP} ${ROW}H0z` });
      return frame === child ? [block, opens] : [block];
    });
    return draw(
      "svg.strip",
      { viewBox: `0 0 ${STRIP} ${ROW}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      parts,
    );
  }
}

function titleOf(frame) {
  const { verdict, nodes, score } = frame;
  const words = `${tryName(frame)}: ${VERDICTS[verdict]}, ${plural(nodes, "node")}`;
  return score === null ? words : `${words}, ${scoreText(score)}`;
}

function triesInWords(tries) {
  const words = Object.entries(VERDICTS).flatMap(([verdict, meaning]) => {
    const count = tries.filter((frame) => frame.verdict === verdict).length;
    return count ? [`${count} ${meaning}`] : [];
  });
  return words.length ? `Tries: ${words.join(", ")}.` : "";
}

export class TableCard extends View {
  #cells = findAll(".probes li", this.element);

  // words: what the table said. filled, size: of all its entries.
  show(frame, words, filled, size) {
    const probes = frame?.probes ?? [];
    this.#cells.forEach((cell, place) => {
      const found = probes[place]?.found ?? "";
      if (cell.className === found && cell.ariaLabel) return;
      const words = found === "hit" ? "found" : found;
      cell.className = found;
      cell.lastChild.textContent = words;
      cell.setAttribute("aria-label", `entry ${place + 1}: ${words || "not looked at"}`);
    });
    tell(this.parts.words, words);
    this.parts.bar.style.width = `${size ? Math.max(filled ? 0.5 : 0, (100 * filled) / size) : 0}%`;
    write(this.parts.fullness, size ? `${whole(filled)} of ${whole(size)} entries are filled` : "");
  }
}

const NAME = /([A-Za-z_]\w*)/;

export class Listing extends View {
  #steps = [];
  #items = [];
  #names = {};
  #kind = "";
  #active = 0;

  constructor(element) {
    super(element);
    const { code, letters, list } = this.parts;
    byArrows(list, () => findAll("button", list), ["ArrowUp", "ArrowDown"]);
    onPoint(code, (target) => {
      if (target?.dataset.name) letters.textContent = this.#inWords(target.dataset.name);
    });
  }

  fill({ steps, names }) {
    this.#steps = steps;
    this.#names = names;
    this.#items = steps.map(({ number, title }, place) => {
      const button = make("button", { title, tabindex: place ? -1 : 0, onclick: () => this.#open(number) }, title);
      return make("li", [make("span.number", number), button]);
    });
    this.parts.list.replaceChildren(...this.#items);
    this.#active = 0;
    this.show();
  }

  // Light the step of a kind of event: the last one, since a node returns in two of them.
  show(kind = this.#kind) {
    this.#kind = kind;
    const number = this.#steps.findLast(({ kinds }) => kinds.includes(kind))?.number ?? 1;
    if (number === this.#active) return;
    this.#active = number;
    for (const [place, item] of this.#items.entries()) item.ariaCurrent = place + 1 === number ? "step" : null;
    this.#open(number);
    const item = this.#items[number - 1];
    if (item) keepInSight(this.parts.list, item);
  }

  #open(number) {
    const step = this.#steps[number - 1];
    if (!step) return;
    tell(this.parts.title, `${number}. ${step.title}.`);
    tell(this.parts.words, step.words);
    const named = (part) => make("span.named", { "data-name": part, title: this.#inWords(part) }, part);
    const words = step.code.split(NAME).map((part) => (Object.hasOwn(this.#names, part) ? named(part) : part));
    this.parts.code.replaceChildren(...words);
    this.parts.code.scrollTop = this.parts.code.scrollLeft = 0;
  }

  #inWords(name) {
    const [letter, meaning] = this.#names[name];
    return `${name} is ${letter} in the listing${meaning ? `: ${meaning}` : ""}`;
  }
}

const NO_MOVE = "a8a8";
const [ANY, PRINTED] = [99, 1]; // A mate is right for any depth; micro-Max prints depths without the recaptures.

// An iteration of the root: its depth, and its best move with the score. fen: of the root.
export const depthOf = ({ depth }) => (depth + PRINTED === ANY ? "any" : depth + PRINTED);
export const resultOf = ({ move, score }, fen) =>
  `${move === NO_MOVE ? "" : `${nameIn(fen, move)} `}${scoreText(score)}`;

// A track of the nodes that are counted, with a mark for each iteration at the root.
export class Track extends View {
  #nodes = 0;

  // onpick(node): called when a place is chosen.
  constructor(element, onpick) {
    super(element);
    const { input } = this.parts;
    input.addEventListener("change", () => onpick(Number(input.value)));
  }

  // fen: of the root. iterations: those of the root.
  fill(nodes, fen = "", iterations = []) {
    this.#nodes = nodes;
    this.parts.input.max = String(Math.max(1, nodes));
    const marks = iterations.map((iteration) => {
      const at = iteration.nodes;
      const words = `Iteration, depth ${depthOf(iteration)}. Nodes counted at its end: ${whole(at)}.`;
      const title = `${words} Best: ${resultOf(iteration, fen)}`;
      return make("i", { title, style: { left: `${nodes > 1 ? (100 * (at - 1)) / (nodes - 1) : 0}%` } });
    });
    this.parts.marks.replaceChildren(...marks);
  }

  show(node) {
    this.parts.input.value = String(node);
    this.parts.input.setAttribute("aria-valuetext", `${whole(node)} of ${whole(this.#nodes)}`);
  }
}

const [NARROWEST, WIDEST, MARGIN, LINE] = [340, 600, 92, 58];
const ROOMY = 460; // Narrower, there is no room for all numbers of the scale.
const [NUDGE, NUDGE_LINE] = [22, LINE + 15]; // The length of the arrow for a delayed gain, and how low it lies.
const NEAR = 12; // Up to about here the scale is linear.
const TICKS = [-INFINITY, -1000, -100, -10, 0, 10, 100, 1000, INFINITY];
const bend = (score) => Math.sign(score) * Math.log1p(Math.abs(score) / NEAR);
export const isMate = (score) => Math.abs(score) >= MATE - 100 && Math.abs(score) <= MATE;
export const signed = (number) => (number < 0 ? `−${-number}` : `+${number}`);
export const scoreText = (score) =>
  score === null ? "none" : Math.abs(score) >= INFINITY ? `${score < 0 ? "−" : ""}∞` : String(score).replace("-", "−");

const HEAD = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 5, markerHeight: 5, orient: "auto" };
const headOf = (arrow) => draw("marker", { id: arrow, ...HEAD }, draw("path", { class: arrow, d: "M0 0L8 4L0 8z" }));

// A picture of the window between alpha and beta.
export class Ruler extends View {
  #shown = "";
  #window = null;

  constructor(svg) {
    super(svg);
    new ResizeObserver(() => this.show(this.#window)).observe(svg);
  }

  // window: alpha, beta, best (null before the first score), evaluation, isShut, untried (moves), side, and a note on
  // it; turned and delayed: see Replay.
  show(window) {
    const key = `${JSON.stringify(window)} ${this.element.clientWidth}`;
    if (key === this.#shown) return;
    this.#shown = key;
    this.#window = window;
    this.element.setAttribute("aria-label", window ? windowInWords(window) : "No node is being searched");
    this.element.classList.toggle("shut", Boolean(window?.isShut));
    this.element.replaceChildren(...(window ? this.#shapes(window) : []));
  }

  #shapes({ alpha, beta, best, evaluation, isShut, untried, note, turned, delayed }) {
    const width = clamp(this.element.clientWidth || WIDEST, NARROWEST, WIDEST); // Texts keep their size.
    this.element.setAttribute("viewBox", `0 4 ${width} 122`);
    const placeOf = (score) =>
      width / 2 + ((width / 2 - MARGIN) * bend(clamp(score, -INFINITY, INFINITY))) / bend(INFINITY);
    const [low, high] = [placeOf(alpha), placeOf(beta)];
    const reached = best === null ? low : clamp(placeOf(best), low, high);
    const bar = (name, from, to) => {
      const [x, length] = [Math.min(from, to), Math.abs(to - from)];
      return draw(`rect.${name}`, { x, y: LINE - 11, width: Math.max(0.01, length), height: 22 });
    };
    const upright = (selector, x, up, down) => draw(selector, { x1: x, x2: x, y1: LINE - up, y2: LINE + down });
    const post = (name, x) => upright(`line.post.${name}`, x, 19, 19);
    const text = (name, x, y, anchor, words) => draw(`text.${name}`, { x, y, "text-anchor": anchor }, words);
    // A label in the middle of its row stays in the picture.
    const middle = (name, x, y, words, edge = 50) => text(name, clamp(x, edge, width - edge), y, "middle", words);
    // Negated, the window above is mirrored: it turns about the middle, 0. Faint lines stay where it was.
    const swap = (was, is) => {
      const [from, to] = [placeOf(was), placeOf(is)];
      const d = `M${from} ${LINE - 20}Q${(from + to) / 2} ${LINE - 50} ${to} ${LINE - 20}`;
      return [post("was", from), draw("path.swap", { d, "marker-end": "url(#ruler-head)" })];
    };
    const nudge = (at) => [
      draw("path.nudge", { d: `M${at + NUDGE} ${NUDGE_LINE}H${at + 4}`, "marker-end": "url(#ruler-nudge)" }),
      draw("text.nudge", { x: at + NUDGE + 2, y: NUDGE_LINE + 4 }, "−1"),
    ];
    const late = (at) => [upright("line.post.delayed.nudged", at, 12, 19), ...nudge(at)];
    const numbered = TICKS.filter((tick) => ![10, width < ROOMY && 1000].includes(Math.abs(tick)));
    return [
      headOf("ruler-head"),
      headOf("ruler-nudge"),
      draw("line.axis", { x1: MARGIN, x2: width - MARGIN, y1: LINE, y2: LINE }),
      ...TICKS.map((tick) => upright("line.tick", placeOf(tick), 4, 4)),
      ...(turned ? [...swap(turned.beta, alpha), ...swap(turned.lower, beta)] : []),
      draw("g", { class: turned ? "turning" : "" }, [
        bar("gone", low, reached),
        bar(isShut ? "closed" : "open", isShut ? low : reached, high),
        post(turned?.isNudged ? "alpha.nudged" : "alpha", low),
        post("beta", high),
      ]),
      ...(turned?.isNudged ? nudge(low) : []),
      ...(delayed === null ? [] : late(placeOf(delayed))),
      draw("path.evaluation", { d: `M${placeOf(evaluation)} ${LINE + 2}l-5 9h10z` }),
      ...(best === null ? [] : [draw("path.best", { d: `M${placeOf(best)} ${LINE - 2}l-6 -11h12z` })]),
      text("alpha", low - 3, 16, "end", `alpha ${scoreText(alpha)}`),
      text("beta", high + 3, 16, "start", `beta ${scoreText(beta)}`),
      middle("best", placeOf(best ?? alpha), 33, best === null ? "" : `best score ${scoreText(best)}`, 60),
      middle("note", width / 2, 92, isShut ? "" : note),
      middle("never", (low + high) / 2, 92, isShut ? neverTried(untried) : "", 80),
      middle("evaluation", placeOf(evaluation), 106, `evaluation ${scoreText(evaluation)}`),
      ...numbered.map((tick) => text("scale", placeOf(tick), 121, "middle", scoreText(tick))),
    ];
  }
}

const neverTried = (untried) => `${plural(untried, "move")} never tried`;

function windowInWords({ alpha, beta, best, evaluation, isShut, untried, note }) {
  const values = `best score ${scoreText(best)}, evaluation ${scoreText(evaluation)}`;
  const state = `${isShut ? `, a cutoff, ${neverTried(untried)}` : ""}${note ? `; ${note}` : ""}`;
  return `Window from ${scoreText(alpha)} to ${scoreText(beta)}, ${values}${state}`;
}

// What the program computes: x + r -> y and y & 0x88, or the next square of the scan.
export function crawlOf({ event, frame }) {
  if (event?.kind === "SQUARE") return scanned(frame).map((text) => make("span", text));
  if (!STEPPING.has(event?.kind)) return [make("span", "\u00a0")];
  const { from, to, step } = frame;
  const before = to - step;
  const bits = to & OFF;
  const sum =
    event.values.isHint || frame.hint
      ? `y=${hex(to)}: the best move's square`
      : `${before === from ? "x" : "y"}=${hex(before)} + r=${signed(step)} → y=${hex(to)}`;
  const test = `y & 0x88 = ${bits.toString(16).padStart(2, "0")}`;
  return [make("span", sum), make("span", { class: bits ? "guilty" : "" }, parts(test))];
}

function scanned({ from: square, scanStart, bestFrom, bestTo }) {
  const where = bestFrom || bestTo ? "where the best move starts" : "at a8";
  if (square === scanStart) return [`x=${hex(square)}: the scan begins ${where}`];
  const before = square & 7 ? square - 1 : (square - 9) & ~OFF;
  return [`x=${hex(before)} + 9 = ${hex(before + 9)}`, `& ~0x88 → x=${hex(square)}`];
}

// --- The terms of Think. In a text each is a button that opens what it means; glossary.json has the meanings ---------

const MEANINGS = new Map(
  (await fetchJson("/static/glossary.json")).flatMap(({ names, meaning }) =>
    names.map((name) => [name, { name: names[0], meaning }]),
  ),
);
const LONGEST_FIRST = [...MEANINGS.keys()].sort((one, other) => other.length - one.length);
const TERM = new RegExp(`\\b(${LONGEST_FIRST.join("|")})(?=s?\\b)`, "i");
const GAP = 6; // Between a term and its meaning, in pixels.

// A text in parts: the first mention of each term is a button.
function parts(text, seen = new Set()) {
  const found = TERM.exec(text);
  if (!found) return [text];
  const { name } = MEANINGS.get(found[0].toLowerCase());
  const term = seen.has(name) ? found[0] : make("button.term", { "aria-haspopup": "dialog" }, found[0]);
  const end = found.index + found[0].length;
  const [mark] = /^[.,:;)]?/.exec(text.slice(end));
  const whole = mark ? make("span.term-end", [term, mark]) : term;
  return [text.slice(0, found.index), whole, ...parts(text.slice(end + mark.length), seen.add(name))];
}

// Write a text with its terms. A text that stays is left alone: the page is drawn up to sixty times a second.
export function tell(element, text) {
  if (element.textContent !== text) element.replaceChildren(...parts(text));
}

// Let the terms of a panel open their meanings, and those in the ruler's picture too, whose heading has them all. Texts
// that stand in the page have the attribute data-terms; a button that has data-names opens several meanings.
export function offerMeanings(panel, dialog) {
  for (const element of findAll("[data-terms]", panel)) element.replaceChildren(...parts(element.textContent));
  panel.addEventListener("click", ({ target }) => {
    const term = target.closest(".term, .ruler text");
    const [found] = TERM.exec(term?.textContent) ?? [];
    if (term?.dataset.names || found) open(dialog, term, term.dataset.names?.split(", ") ?? [found.toLowerCase()]);
  });
  document.addEventListener("pointerdown", ({ target }) => dialog.contains(target) || dialog.close());
  addEventListener("resize", () => dialog.close());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !dialog.open) return;
    event.preventDefault(); // A dialog behind it stays open.
    dialog.close();
  });
}

function open(dialog, term, names) {
  const found = names.map((name) => MEANINGS.get(name));
  const isOne = found.length === 1;
  find("h2", dialog).textContent = isOne ? capital(found[0].name) : term.textContent;
  const told = found.map(({ name, meaning }) => make("p", [isOne ? "" : make("b", `${capital(name)}. `), meaning]));
  find("div", dialog).replaceChildren(...told);
  term.closest("dialog, #panel-think").append(dialog); // What lies outside of an open dialog cannot be used.
  dialog.show();
  const [at, { offsetWidth: width, offsetHeight: height }] = [term.getBoundingClientRect(), dialog];
  const below = at.bottom + GAP;
  dialog.style.left = `${clamp(at.left, GAP, document.documentElement.getBoundingClientRect().width - width - GAP)}px`;
  dialog.style.top = `${below + height > innerHeight ? Math.max(GAP, at.top - GAP - height) : below}px`;
}
