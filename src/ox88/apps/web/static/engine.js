// The engine's lines for a position while it searches.

import { findAll, make, View } from "/viewer/dom.js";
import { inWords } from "/viewer/graph.js";
import { byArrows, keepChoice, onPoint } from "./controls.js";
import { socket } from "./socket.js";
import { announce, count, numbered, turnOf } from "./words.js";

const PAUSE = 120; // Milliseconds before a search starts, so that stepping fast through a game starts none.

// The same position (FEN) with the other side to move.
function passed(fen) {
  const [placement, turn, rights, , ...counts] = fen.split(" ");
  return [placement, turn === "w" ? "b" : "w", rights, "-", ...counts].join(" ");
}

export class EngineLines extends View {
  #asked = 0; // The number of the last question; answers to others are ignored.
  #timer = 0;
  #fen = "";
  #hovered = "";
  #isThreat = false; // The best move is sought as if the other side were to move.

  // on.lines(lines, isThreat): there are new lines. on.play(moves): a move is clicked; the moves lead to it.
  // on.hover(moves): the pointer or the focus is on a move; null when it has left. on.switch(): ask something else.
  constructor(element, on) {
    super(element, on);
    const { power, analyst, many, threat, box } = this.parts;
    power.checked = sessionStorage.getItem("ox88.engine") === "on";
    keepChoice(many, "lines", "3");
    threat.addEventListener("click", () => this.toggleThreat());
    power.addEventListener("change", () => this.#toggled());
    const showNumber = () => (many.hidden = analyst.value !== "Ox88"); // micro-Max has one line.
    analyst.addEventListener("change", showNumber);
    for (const select of [analyst, many]) select.addEventListener("change", () => on.switch());
    byArrows(box, () => findAll("button", box), ["ArrowLeft", "ArrowRight"]); // Each line is one tab stop.
    onPoint(box, (target) => this.#hover(target?.closest("button[data-moves]")));
    socket.on("welcome", ({ engines }) => {
      analyst.replaceChildren(...engines.map(({ name }) => make("option", name)));
      keepChoice(analyst, "analyst", "Ox88");
      showNumber();
    });
    socket.on("info", (info) => info.id === this.#asked && this.#show(info));
    socket.on("error", (error) => error.id === this.#asked && this.#say(error.message));
  }

  isOn = () => this.parts.power.checked;
  toggle = () => this.parts.power.click();

  #toggled() {
    const state = this.isOn() ? "on" : "off";
    sessionStorage.setItem("ox88.engine", state);
    announce(`Engine ${state}`);
    this.#showThreat(false);
    if (!this.isOn()) this.rest("");
    this.on.switch();
  }

  // Only what is offered can be switched on.
  toggleThreat() {
    if (this.parts.threat.hidden) return;
    this.#showThreat(!this.#isThreat);
    announce(this.#isThreat ? "Threat" : "Best moves");
    this.on.switch();
  }

  #showThreat(isThreat) {
    this.#isThreat = isThreat;
    this.parts.threat.setAttribute("aria-pressed", String(isThreat));
  }

  // Analyse the position after some moves. position: the server's view of it.
  ask(start, moves, { fen, ending, check }) {
    clearTimeout(this.#timer);
    this.#asked = 0;
    this.parts.threat.hidden = !this.isOn() || Boolean(ending) || check; // Who is in check cannot pass.
    if (!this.isOn()) return;
    if (ending) return this.rest(`The game is over: ${ending}.`);
    this.#fen = this.#isThreat ? passed(fen) : fen;
    const asked = { start, moves, lines: Number(this.parts.many.value) };
    const wish = this.#isThreat ? { start: this.#fen, moves: [], lines: 1 } : asked;
    const say = () => (this.#asked = socket.say("analyse", { ...wish, engine: this.parts.analyst.value }));
    this.#timer = setTimeout(say, PAUSE);
  }

  // The position has changed: the lines wait for the next ones, and cannot be played.
  expire() {
    this.#asked = 0;
    this.#hover(null);
    this.#showThreat(false);
    this.parts.box.inert = this.isOn();
  }

  // Stop, and show why.
  rest(reason) {
    clearTimeout(this.#timer);
    this.#asked = 0;
    socket.say("stop");
    this.#say(reason);
  }

  // Show an evaluation as a number and in words; null if there is none.
  showEvaluation(at) {
    this.parts.evaluation.hidden = !at && !this.isOn();
    const [number, words] = this.parts.evaluation.children;
    number.textContent = at?.eval ?? "";
    words.textContent = at ? inWords(at) : "";
  }

  #say(text) {
    this.#hover(null);
    this.on.lines([], this.#isThreat);
    this.parts.counts.textContent = "";
    this.parts.box.inert = false;
    this.parts.box.replaceChildren(...(text ? [make("p.muted", text)] : []));
  }

  #show(/** @type {Messages.Info} */ { notice, lines, depth, nodes, speed, over }) {
    if (notice) return this.#say(notice);
    const { box, counts } = this.parts;
    counts.textContent = depth === undefined ? "" : `depth ${depth} · ${count(speed)} nodes/s${over ? " · done" : ""}`;
    counts.title = nodes === undefined ? "" : `${count(nodes)} node${nodes === 1 ? "" : "s"}`;
    if (!lines.length || box.matches(":active")) return; // Replacing a button while it is pressed would lose the click.
    const focused = findAll("button", box).indexOf(document.activeElement);
    box.inert = false;
    box.style.setProperty("--count", String(lines.length));
    const passes = `If ${turnOf(this.#fen) === "white" ? "Black" : "White"} passed:`;
    box.replaceChildren(
      ...(this.#isThreat ? [make("p.muted", passes)] : []),
      ...lines.map(({ eval: value, san: sans, moves }) => {
        const named = sans.map((san) => ({ san }));
        const words = numbered(this.#fen, named).flatMap((label, index) => {
          const upTo = moves.slice(0, index + 1);
          if (this.#isThreat) return [label, " "];
          const marks = { "data-moves": upTo.join(" "), tabindex: index ? -1 : 0 };
          return [make("button", { ...marks, onclick: () => this.on.play(upTo) }, label), " "];
        });
        return make("div.line", [make("span.value", value), make("span.text", words)]);
      }),
    );
    findAll("button", box)[focused]?.focus();
    this.on.lines(lines, this.#isThreat);
  }

  #hover(button) {
    const moves = button?.dataset.moves ?? "";
    if (moves === this.#hovered) return;
    this.#hovered = moves;
    this.on.hover(moves ? moves.split(" ") : null);
  }
}
