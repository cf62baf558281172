// The engine's lines for a position while it searches.

import { find, findAll, make } from "/viewer/dom.js";
import { inWords } from "/viewer/graph.js";
import { numbered, turnOf } from "/viewer/words.js";
import { onPoint } from "./controls.js";
import { socket } from "./socket.js";
import { announce, count } from "./words.js";

const PAUSE = 120; // Milliseconds before a search starts, so that stepping fast through a game starts none.

// The same position (FEN) with the other side to move.
function passed(fen) {
  const [placement, turn, rights, , ...counts] = fen.split(" ");
  return [placement, turn === "w" ? "b" : "w", rights, "-", ...counts].join(" ");
}

export class EngineLines {
  #asked = 0; // The number of the last question; answers to others are ignored.
  #timer = 0;
  #fen = "";
  #hovered = "";
  #isThreat = false; // The best move is sought as if the other side were to move.

  // on.lines(lines, isThreat): called with new lines. on.play(moves): when a move of a line is clicked, with the moves
  // up to it. on.hover(moves): the same while the pointer or the focus is on a move; null when it has left.
  // on.switch(): when something else is to be asked.
  constructor(element, on) {
    this.on = on;
    this.isOn = sessionStorage.getItem("ox88.engine") === "on";
    this.power = find("#engine", element);
    this.analyst = find("#analyst", element);
    this.many = find("#lines", element);
    this.evaluation = find(".evaluation", element);
    this.counts = find("#counts", element);
    this.box = find("#engine-lines", element);
    this.threat = find("#threat", element);
    this.power.checked = this.isOn;
    this.many.value = localStorage.getItem("ox88.lines") ?? "3";
    this.threat.addEventListener("click", () => this.toggleThreat());
    this.power.addEventListener("change", () => this.toggle());
    for (const select of [this.analyst, this.many]) select.addEventListener("change", () => this.#choose());
    onPoint(this.box, (target) => this.#hover(target?.closest("button[data-moves]")));
    socket.on("welcome", ({ engines }) => {
      this.analyst.replaceChildren(...engines.map(({ name }) => make("option", name)));
      this.analyst.value = localStorage.getItem("ox88.analyst") ?? "Ox88";
      if (!this.analyst.value) this.analyst.selectedIndex = 0;
      this.#showNumber();
    });
    socket.on("info", (info) => info.id === this.#asked && this.#show(info));
    socket.on("error", (error) => error.id === this.#asked && this.#say(error.message));
  }

  // micro-Max has one line.
  #showNumber = () => (this.many.parentElement.hidden = this.analyst.value !== "Ox88");

  toggle() {
    this.isOn = !this.isOn;
    this.power.checked = this.isOn;
    sessionStorage.setItem("ox88.engine", this.isOn ? "on" : "off");
    announce(`Engine ${this.isOn ? "on" : "off"}`);
    this.#showThreat(false);
    if (!this.isOn) this.rest("");
    this.on.switch();
  }

  // Only what is offered can be switched on.
  toggleThreat() {
    if (this.threat.hidden) return;
    this.#showThreat(!this.#isThreat);
    announce(this.#isThreat ? "Threat" : "Best moves");
    this.on.switch();
  }

  #showThreat(isThreat) {
    this.#isThreat = isThreat;
    this.threat.setAttribute("aria-pressed", String(isThreat));
  }

  #choose() {
    localStorage.setItem("ox88.analyst", this.analyst.value);
    localStorage.setItem("ox88.lines", this.many.value);
    this.#showNumber();
    this.on.switch();
  }

  // Analyse the position after some moves. position: the server's view of it.
  ask(start, moves, { fen, ending, check }) {
    clearTimeout(this.#timer);
    this.#asked = 0;
    this.threat.hidden = !this.isOn || Boolean(ending) || check; // Who is in check cannot pass.
    if (!this.isOn) return;
    if (ending) return this.rest(`The game is over: ${ending}.`);
    this.#fen = this.#isThreat ? passed(fen) : fen;
    const asked = { start, moves, lines: Number(this.many.value) };
    const wish = this.#isThreat ? { start: this.#fen, moves: [], lines: 1 } : asked;
    this.#timer = setTimeout(() => {
      this.#asked = socket.say("analyse", { ...wish, engine: this.analyst.value });
    }, PAUSE);
  }

  // The position has changed: the lines wait for the next ones, and cannot be played.
  expire() {
    this.#asked = 0;
    this.#hover(null);
    this.#showThreat(false);
    this.box.inert = this.isOn;
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
    this.evaluation.hidden = !at && !this.isOn;
    const [number, words] = this.evaluation.children;
    number.textContent = at?.eval ?? "";
    words.textContent = at ? inWords(at) : "";
  }

  #say(text) {
    this.#hover(null);
    this.on.lines([], this.#isThreat);
    this.counts.textContent = "";
    this.box.inert = false;
    this.box.replaceChildren(...(text ? [make("p.muted", text)] : []));
  }

  /** @param {Messages.Info} info */
  #show({ notice, lines, depth, nodes, speed, over }) {
    if (notice) return this.#say(notice);
    this.counts.textContent =
      depth === undefined ? "" : `depth ${depth} · ${count(speed)} nodes/s${over ? " · done" : ""}`;
    this.counts.title = nodes === undefined ? "" : `${count(nodes)} node${nodes === 1 ? "" : "s"}`;
    const { box } = this;
    if (!lines.length || box.matches(":active")) return; // Replacing a button while it is pressed would lose the click.
    const focused = findAll("button", box).indexOf(document.activeElement);
    box.inert = false;
    box.style.setProperty("--count", String(lines.length));
    const passes = `If ${turnOf(this.#fen) === "white" ? "Black" : "White"} passed:`;
    box.replaceChildren(
      ...(this.#isThreat ? [make("p.muted", passes)] : []),
      ...lines.map(({ eval: value, san, moves }) => {
        const words = numbered(this.#fen, san).flatMap((label, index) => {
          const upTo = moves.slice(0, index + 1);
          if (this.#isThreat) return [label, " "];
          return [make("button", { "data-moves": upTo.join(" "), onclick: () => this.on.play(upTo) }, label), " "];
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
