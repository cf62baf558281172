// The engine's lines for a position while it searches.

import { find, make } from "./dom.js";
import { announce, count, numberOf, written } from "./words.js";

const PAUSE = 120; // Milliseconds before a search starts, so that stepping fast through a game starts none.

export class EngineLines {
  #asked = 0; // The number of the last question; answers to others are ignored.
  #timer = 0;
  #fen = "";

  // onlines(lines): called with new lines. onplay(moves): called when a move of a line is clicked, with the moves up to it.
  constructor(socket, { onlines, onplay, onswitch }) {
    this.socket = socket;
    this.onlines = onlines;
    this.onplay = onplay;
    this.isOn = sessionStorage.getItem("ox88.engine") === "on";
    this.lines = Number(localStorage.getItem("ox88.lines") ?? 3);
    this.onswitch = onswitch;
    this.element = this.#build();
    socket.on("info", (info) => info.id === this.#asked && this.#show(info));
    socket.on("error", (error) => error.id === this.#asked && this.#say(error.message));
  }

  #build() {
    const numbers = [1, 2, 3, 4, 5].map((number) => make("option", { value: number, selected: number === this.lines }, String(number)));
    return make(
      "div",
      { class: "card" },
      make(
        "header",
        { class: "engine" },
        make("label", { class: "switch" }, make("input", { type: "checkbox", role: "switch", id: "engine", checked: this.isOn, onchange: () => this.toggle() }), "Ox88"),
        make("span", { class: "counts", id: "counts" }),
        make("label", { class: "many push muted" }, "Lines", make("select", { id: "lines", onchange: (event) => this.#choose(Number(event.target.value)) }, numbers)),
      ),
      make("div", { class: "lines", id: "engine-lines" }, make("p", { class: "muted" }, "Switched off. Space switches it on.")),
    );
  }

  toggle() {
    this.isOn = !this.isOn;
    find("#engine", this.element).checked = this.isOn;
    sessionStorage.setItem("ox88.engine", this.isOn ? "on" : "off");
    announce(`Engine ${this.isOn ? "on" : "off"}`);
    if (!this.isOn) this.stop();
    this.onswitch();
  }

  #choose(lines) {
    this.lines = lines;
    localStorage.setItem("ox88.lines", String(lines));
    this.onswitch();
  }

  // Analyse a position. over: how the game has ended there, if it has.
  ask(start, moves, fen, over) {
    clearTimeout(this.#timer);
    this.#asked = 0;
    if (!this.isOn) return;
    this.#fen = fen;
    if (over) {
      this.rest(`The game is over: ${over}.`);
      return;
    }
    this.#timer = setTimeout(() => {
      this.#asked = this.socket.say("analyse", { start, moves, lines: this.lines });
    }, PAUSE);
  }

  stop() {
    this.rest("Switched off. Space switches it on.");
    this.onlines([]);
  }

  // Stop, and show why.
  rest(reason) {
    clearTimeout(this.#timer);
    this.#asked = 0;
    this.socket.say("stop");
    this.#say(reason);
  }

  #say(text) {
    find("#counts", this.element).textContent = "";
    find("#engine-lines", this.element).replaceChildren(make("p", { class: "muted" }, text));
  }

  #show({ notice, lines, depth, nodes, speed, over }) {
    if (notice) return this.#say(notice);
    find("#counts", this.element).textContent = depth === undefined ? "" : `depth ${depth} · ${count(speed)} nodes/s${over ? " · done" : ""}`;
    find("#counts", this.element).title = nodes === undefined ? "" : `${count(nodes)} nodes`;
    const box = find("#engine-lines", this.element);
    if (!lines.length || box.matches(":active")) return; // Replacing a button while it is pressed would lose the click.
    box.replaceChildren(...lines.map((line) => this.#line(line)));
    this.onlines(lines);
  }

  #line(line) {
    let { number, white } = numberOf(this.#fen);
    const words = line.san.flatMap((san, index) => {
      const prefix = white ? `${number}. ` : index === 0 ? `${number}… ` : "";
      if (!white) number += 1;
      white = !white;
      return [make("button", { type: "button", onclick: () => this.onplay(line.moves.slice(0, index + 1)) }, prefix + written(san)), " "];
    });
    return make("div", { class: "line" }, make("span", { class: "value" }, line.eval), make("span", { class: "text" }, words));
  }
}
