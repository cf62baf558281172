// The engine's lines for a position while it searches.

import { find, make } from "/viewer/dom.js";
import { inWords } from "/viewer/gauge.js";
import { numbered } from "/viewer/words.js";
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

  // onlines(lines, isThreat): called with new lines. onplay(moves): when a move of a line is clicked, with the moves up
  // to it. onhover(moves): the same while the pointer or the focus is on a move; null when it has left.
  /** @param {import("./socket.js").Socket} socket */
  constructor(element, socket, { onlines, onplay, onswitch, onhover }) {
    this.socket = socket;
    this.onlines = onlines;
    this.onplay = onplay;
    this.onswitch = onswitch;
    this.onhover = onhover;
    this.isOn = sessionStorage.getItem("ox88.engine") === "on";
    this.lines = Number(localStorage.getItem("ox88.lines") ?? 3);
    this.name = localStorage.getItem("ox88.analyst") ?? "Ox88";
    this.element = element;
    this.power = find("#engine", element);
    this.analyst = find("#analyst", element);
    this.counts = find("#counts", element);
    this.box = find("#engine-lines", element);
    this.threat = find("#threat", element);
    this.threat.addEventListener("click", () => this.toggleThreat());
    this.power.checked = this.isOn;
    this.power.addEventListener("change", () => this.toggle());
    this.analyst.addEventListener("change", () => this.#choose("analyst", this.analyst.value));
    const many = find("#lines", element);
    many.value = this.lines;
    many.addEventListener("change", () => this.#choose("lines", Number(many.value)));
    for (const type of ["pointerover", "focusin"])
      this.box.addEventListener(type, ({ target }) => this.#hover(target.closest("button[data-moves]")));
    for (const type of ["pointerleave", "focusout"]) this.box.addEventListener(type, () => this.#hover(null));
    socket.on("welcome", ({ engines }) => this.#offer(engines));
    socket.on("info", (info) => info.id === this.#asked && this.#show(info));
    socket.on("error", (error) => error.id === this.#asked && this.#say(error.message));
  }

  #offer(engines) {
    const names = engines.map(({ name }) => name);
    if (!names.includes(this.name)) this.name = names[0];
    this.analyst.replaceChildren(...names.map((name) => make("option", name)));
    this.analyst.value = this.name;
    this.#showNumber();
  }

  // micro-Max has one line.
  #showNumber() {
    find(".many", this.element).hidden = this.name !== "Ox88";
  }

  toggle() {
    this.isOn = !this.isOn;
    this.power.checked = this.isOn;
    sessionStorage.setItem("ox88.engine", this.isOn ? "on" : "off");
    announce(`Engine ${this.isOn ? "on" : "off"}`);
    this.#showThreat(false);
    if (!this.isOn) this.rest("");
    this.onswitch();
  }

  // Only what is offered can be switched on.
  toggleThreat() {
    if (this.threat.hidden) return;
    this.#showThreat(!this.#isThreat);
    announce(this.#isThreat ? "Threat" : "Best moves");
    this.onswitch();
  }

  #showThreat(isThreat) {
    this.#isThreat = isThreat;
    this.threat.setAttribute("aria-pressed", String(isThreat));
  }

  #choose(what, value) {
    if (what === "lines") this.lines = value;
    else this.name = value;
    localStorage.setItem(`ox88.${what}`, String(value));
    this.#showNumber();
    this.onswitch();
  }

  // Analyse the position after some moves. position: the server's view of it.
  ask(start, moves, { fen, ending, check }) {
    clearTimeout(this.#timer);
    this.#asked = 0;
    this.threat.hidden = !this.isOn || Boolean(ending) || check; // Who is in check cannot pass.
    if (!this.isOn) return;
    if (ending) return this.rest(`The game is over: ${ending}.`);
    this.#fen = this.#isThreat ? passed(fen) : fen;
    const wish = this.#isThreat ? { start: this.#fen, moves: [], lines: 1 } : { start, moves, lines: this.lines };
    this.#timer = setTimeout(() => {
      this.#asked = this.socket.say("analyse", { ...wish, engine: this.name });
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
    this.socket.say("stop");
    this.#say(reason);
  }

  // Show an evaluation as a number and in words; null if there is none.
  showEvaluation(at) {
    const row = find(".evaluation", this.element);
    row.hidden = !at && !this.isOn;
    const [number, words] = row.children;
    number.textContent = at?.eval ?? "";
    words.textContent = at ? inWords(at) : "";
  }

  #say(text) {
    this.#hover(null);
    this.onlines([], this.#isThreat);
    this.counts.textContent = "";
    this.box.inert = false;
    this.box.replaceChildren(...(text ? [make("p.muted", text)] : []));
  }

  /** @param {Messages.Info} info */
  #show({ notice, lines, depth, nodes, speed, over }) {
    if (notice) return this.#say(notice);
    this.counts.textContent =
      depth === undefined ? "" : `depth ${depth} · ${count(speed)} nodes/s${over ? " · done" : ""}`;
    this.counts.title = nodes === undefined ? "" : `${count(nodes)} nodes`;
    const { box } = this;
    if (!lines.length || box.matches(":active")) return; // Replacing a button while it is pressed would lose the click.
    const focused = [...box.querySelectorAll("button")].indexOf(document.activeElement);
    box.inert = false;
    box.style.setProperty("--count", String(lines.length));
    const passes = `If ${this.#fen.split(" ")[1] === "w" ? "Black" : "White"} passed:`;
    const head = this.#isThreat ? [make("p.muted", passes)] : [];
    box.replaceChildren(...head, ...lines.map((line) => this.#line(line)));
    if (focused >= 0) box.querySelectorAll("button")[focused]?.focus();
    this.onlines(lines, this.#isThreat);
  }

  #line({ eval: value, san, moves }) {
    const words = numbered(this.#fen, san).flatMap((label, index) => {
      const upTo = moves.slice(0, index + 1);
      if (this.#isThreat) return [label, " "];
      return [make("button", { "data-moves": upTo.join(" "), onclick: () => this.onplay(upTo) }, label), " "];
    });
    return make("div.line", [make("span.value", value), make("span.text", words)]);
  }

  #hover(button) {
    const moves = button?.dataset.moves ?? "";
    if (moves === this.#hovered) return;
    this.#hovered = moves;
    this.onhover(moves ? moves.split(" ") : null);
  }
}
