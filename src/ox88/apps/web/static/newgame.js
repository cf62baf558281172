// The form for a new game: its fields stand in index.html, and the browser remembers the last choices.

import { find, View } from "/viewer/dom.js";
import { capital, turnOf } from "/viewer/words.js";
import { onSubmit } from "./controls.js";
import { socket } from "./socket.js";

const KEPT = "ox88.wish";
const POSITION = "ox88.position"; // The FEN and the side, which are the tab's.
const FULL = 3100; // The right end of the slider: full strength.
const PATIENT = 10; // Seconds that a level has for its nodes, which need less.
const LEVELS = [
  // Up to 2200 by the ratings of people, see docs/levels.md.
  [800, "chooses its moves as beginners do"],
  [1200, "chooses its moves as casual players do"],
  [1600, "chooses its moves as experienced players do"],
  [2000, "chooses its moves as good club players do"],
  [2201, "chooses its moves as the best players of a club do"],
  [FULL, "searches for the best move, the higher the longer"],
  [Infinity, "plays as well as it can"],
];
const TIMES = ["minutes", "increment", "differs", "engineMinutes", "engineIncrement"];
const NAMES = ["engine", "elo", "side", "seconds", "start", "clock", ...TIMES]; // Of the fields that are remembered.

const valueIn = ({ type, value, checked }) =>
  ({ checkbox: checked, number: Number(value), range: Number(value) })[type] ?? value;

export class NewGame extends View {
  #engines = [];
  #asked = 0;
  #reading = Promise.resolve(); // Until the first position is known.

  // The first position as the server describes it, { start, position }; null while it is unknown or illegal.
  first = null;

  // on.begin(fields): called with the fields of the message `new`. on.first(): called when `first` has changed.
  constructor(form, on) {
    super(form, on);
    this.fields = form.elements;
    const { number, differs, elo } = this.fields;
    const kept = { ...this.#wish(), ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
    if (kept.start === "position") kept.start = "usual"; // Its FEN is not kept for other tabs.
    const position = JSON.parse(sessionStorage.getItem(POSITION) ?? "null");
    Object.assign(kept, position);
    for (const name of NAMES) this.fields[name].value = kept[name];
    if (position) this.fields.fen.value = position.fen;
    differs.checked = kept.differs;
    form.addEventListener("input", ({ target }) => target.validity.valid && this.#change(target));
    onSubmit(form, () => this.begin());
    const { summary, another } = this.parts;
    summary.addEventListener("click", () => this.#open(summary.getAttribute("aria-expanded") === "false"));
    form.addEventListener("invalid", () => this.#open(true), true); // What is wrong is to be seen.
    another.addEventListener("click", () => {
      number.value = "";
      this.#readFirst();
    });
    socket.on("welcome", ({ engines }) => {
      this.#engines = engines;
      [elo.min] = engines.find(({ levels }) => levels).levels;
      this.#update();
    });
    socket.on("open", () => this.#readFirst());
  }

  // The values of the fields by their names.
  #wish = () => Object.fromEntries(NAMES.map((name) => [name, valueIn(this.fields[name])]));
  side = () => this.fields.side.value;

  // Offer a game from a position, whose side to move the person gets.
  from(fen) {
    this.fields.fen.value = fen;
    this.fields.side.value = turnOf(fen);
    this.fields.start.value = "position";
    this.#keepPosition();
    this.#update();
    this.#readFirst();
  }

  #keepPosition() {
    const { start, side, fen } = this.fields;
    const position = start.value === "position" ? { start: start.value, side: side.value, fen: fen.value } : null;
    sessionStorage.setItem(POSITION, JSON.stringify(position));
  }

  // onback(): returns to the game in progress; null if there is none.
  show(onback) {
    this.#open(false);
    Object.assign(this.parts.back, { hidden: !onback, onclick: onback });
  }

  // A field has another value, which is right.
  #change({ name }) {
    if (NAMES.includes(name)) {
      localStorage.setItem(KEPT, JSON.stringify(this.#wish()));
      this.#update();
    }
    this.#keepPosition();
    if (["start", "number", "fen"].includes(name)) this.#readFirst();
    if (name === "side") this.on.first();
  }

  #hasLevels = () => Boolean(this.#engines.find(({ name }) => name === this.fields.engine.value)?.levels);
  #isLimited = () => this.#hasLevels() && Number(this.fields.elo.value) < FULL;

  // Show what belongs to the choices, and only that.
  #update() {
    const { engine, elo, side, clock, differs, start } = this.#wish();
    const shown = {
      level: this.#hasLevels(),
      original: !this.#hasLevels(),
      seconds: clock === "none" && !this.#isLimited(),
      times: clock === "other",
      "engine-times": differs,
      chess960: start === "chess960",
      position: start === "position",
    };
    for (const [id, isShown] of Object.entries(shown)) {
      const element = find(`#${id}`, this.element);
      element.hidden = element.disabled = !isShown; // Numbers in a fieldset that is not shown need not be right.
    }
    const words = elo >= FULL ? "Full strength" : String(elo);
    const description = LEVELS.find(([below]) => elo < below)[1];
    this.parts.words.textContent = words;
    this.parts.meaning.textContent = description;
    this.fields.elo.setAttribute("aria-valuetext", `${words}, ${description}`);
    // On narrow screens one line says what the choices are.
    const level = !this.#hasLevels() ? "" : this.#isLimited() ? ` ${elo}` : ", full strength";
    const chosen = (name) => this.fields[name].selectedOptions[0].textContent;
    const rest = [clock === "none" ? "" : chosen("clock"), start === "usual" ? "" : chosen("start")].filter(Boolean);
    this.parts.chosen.textContent = [engine + level, capital(side), ...rest].join(" · ");
  }

  #open(isOpen) {
    this.parts.summary.setAttribute("aria-expanded", String(isOpen));
    this.element.classList.toggle("open", isOpen);
  }

  #readFirst = () => (this.#reading = this.#askFirst()); // Ask the server for the first position and its moves.

  async #askFirst() {
    const { start, fen, number } = this.fields;
    const serial = ++this.#asked;
    let first = null;
    let wrong = "";
    try {
      let from = start.value === "position" ? fen.value.trim() : "startpos";
      if (start.value === "chess960") {
        const drawn = await socket.ask("chess960", number.value === "" ? {} : { number: Number(number.value) });
        if (serial !== this.#asked) return;
        from = drawn.start;
        number.value = drawn.number;
      }
      if (from) first = await socket.ask("position", { start: from, moves: [] });
    } catch (error) {
      wrong = capital(error.message);
    }
    if (serial !== this.#asked) return;
    this.first = first;
    this.say(wrong);
    this.on.first();
  }

  say = (wrong) => (this.parts.wrong.textContent = wrong); // Say what is wrong with the choices.

  // move: the first move, if it has been made on the board, and the side that made it.
  async begin(move, mover) {
    let read = null;
    while (read !== this.#reading) await (read = this.#reading); // Another choice may follow while it waits.
    if (!this.element.reportValidity()) return this.on.first(); // A move on the board does not ask the form.
    const wish = this.#wish();
    const fields = { engine: wish.engine, side: mover ?? wish.side };
    if (this.#isLimited()) fields.elo = wish.elo;
    if (wish.clock === "none") fields.seconds = this.#isLimited() ? PATIENT : Number(wish.seconds);
    else if (wish.clock === "other") {
      Object.assign(fields, { initial: 60 * wish.minutes, increment: wish.increment });
      const { engineMinutes, engineIncrement: engine_increment } = wish;
      if (wish.differs) Object.assign(fields, { engine_initial: 60 * engineMinutes, engine_increment });
    } else [fields.initial, fields.increment] = wish.clock.split("/").map(Number);
    if (wish.start === "position") fields.fen = this.fields.fen.value.trim();
    if (wish.start === "chess960" && !this.first) return; // What is wrong has been said.
    if (wish.start === "chess960") fields.fen = this.first.start;
    if (move) fields.move = move;
    this.on.begin(fields);
  }
}
