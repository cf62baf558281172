// The form for a new game: opponent, level, side, clock, first position. The browser remembers the last choices.

import { find, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { figure, segments } from "./controls.js";

const KEPT = "ox88.wish";
const FULL = 2900; // The right end of the slider: full strength.
const PATIENT = 10; // Seconds that a level has for its nodes, which need less.
const CLOCKS = {
  none: "No clock",
  "60/0": "1 minute",
  "180/2": "3 minutes + 2 s a move",
  "300/3": "5 minutes + 3 s a move",
  "600/5": "10 minutes + 5 s a move",
  "900/10": "15 minutes + 10 s a move",
  "1800/20": "30 minutes + 20 s a move",
  other: "Custom",
};
const STARTS = { usual: "Standard", chess960: "Chess960", position: "From a FEN" };
const LEVELS = [
  [800, "has just learnt the moves"],
  [1200, "a beginner"],
  [1600, "plays now and then"],
  [2000, "plays in a club"],
  [2400, "a strong club player"],
  [FULL, "a master"],
  [Infinity, "all it can"],
];
const DEFAULTS = {
  engine: "Ox88",
  elo: 1500,
  side: "white",
  seconds: "1",
  start: "usual",
  clock: "none",
  minutes: 10,
  increment: 5,
  differs: false,
  engineMinutes: 1,
  engineIncrement: 0,
};

const choice = (label, name, options, chosen, onchange) =>
  make("label.field", [
    make("span", label),
    make("select", { name, onchange: (event) => onchange(event.target.value) }, [
      Object.entries(options).map(([value, words]) => make("option", { value, selected: value === chosen }, words)),
    ]),
  ]);

export class NewGame {
  #wish = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
  #engines = [];
  #form = null;
  #number = ""; // Of the position of Chess960.
  #fen = "";
  #asked = 0;

  // The first position as the server describes it, { start, position }; null while it is unknown or illegal.
  first = null;

  // onbegin(fields): called with the fields of the server's message `new`. onfirst(): called when `first` has changed.
  /** @param {import("./socket.js").Socket} socket */
  constructor(socket, { onbegin, onfirst }) {
    this.socket = socket;
    this.onbegin = onbegin;
    this.onfirst = onfirst;
    if (!Object.hasOwn(CLOCKS, this.#wish.clock)) this.#wish.clock = "none";
    if (this.#wish.start === "position") this.#wish.start = "usual"; // Its FEN is not kept.
    socket.on("welcome", ({ engines }) => (this.#engines = engines));
    socket.on("open", () => this.#readFirst());
  }

  get side() {
    return this.#wish.side;
  }

  // Begin from a position.
  from(fen) {
    this.#wish.start = "position";
    this.#fen = fen;
    this.#form = null;
    this.#readFirst();
  }

  // onback(): returns to the game in progress; null if there is none.
  show(panel, onback) {
    if (this.#form?.parentElement === panel) return;
    const wish = this.#wish;
    const keep = (change) => {
      Object.assign(wish, change);
      localStorage.setItem(KEPT, JSON.stringify(wish));
      this.#update();
    };
    const king = (color) => make("span.side-icon", figure(color, "king"));
    const begin = (event) => {
      event.preventDefault();
      this.begin();
    };
    this.#form = make("form.card", { onsubmit: begin }, [
      make("header", make("h2", "New game")),
      make("div.pad.rows", [
        segments(
          "engine",
          "Opponent",
          this.#engines.map(({ name }) => [name, name]),
          wish.engine,
          (engine) => keep({ engine }),
        ),
        this.#levels(keep),
        make("p#original.muted", [
          "A whole chess program in 2,000 characters of C, on the 0x88 board. It plays at one strength.",
        ]),
        segments(
          "side",
          "You play",
          [
            ["white", king("white"), "White"],
            ["random", "Random", "Random"],
            ["black", king("black"), "Black"],
          ],
          wish.side,
          (side) => {
            keep({ side });
            this.onfirst();
          },
        ),
        choice("Clock", "clock", CLOCKS, wish.clock, (clock) => keep({ clock })),
        this.#times(keep),
        make("div#seconds", [
          choice(
            "The engine's time for a move",
            "seconds",
            { 1: "1 second", 3: "3 seconds", 10: "10 seconds" },
            wish.seconds,
            (seconds) => keep({ seconds }),
          ),
        ]),
        this.#starts(keep),
        make("p.wrong", { role: "alert" }),
        make("button.primary", { type: "submit" }, "Play"),
        onback && make("button.plain", { onclick: onback }, "Back to the game"),
      ]),
    ]);
    panel.replaceChildren(this.#form);
    this.#update();
  }

  #levels(keep) {
    const [least] = this.#engines.find(({ levels }) => levels).levels;
    return make("div.field#level", [
      make("span.level", [make("label", { for: "elo" }, "Level"), make("output")]),
      make("input#elo", {
        type: "range",
        min: least,
        max: FULL,
        step: 100,
        value: this.#wish.elo,
        oninput: (event) => keep({ elo: Number(event.target.value) }),
      }),
      make("span.muted"),
      make("p.muted", [
        "A level is a number of positions that Ox88 searches for a move, whatever its time; below 1500 it also " +
          "errs at random. The scale is Ox88's own. ",
        make("a", { href: "/docs/levels.md", target: "_blank" }, "How strong the levels are"),
      ]),
    ]);
  }

  #times(keep) {
    const number = (label, name, step, most) =>
      make("label.field", [
        make("span", label),
        make("input", {
          type: "number",
          name,
          min: step === 1 ? 0 : step,
          max: most,
          step,
          required: true,
          value: this.#wish[name],
          onchange: (event) => event.target.validity.valid && keep({ [name]: Number(event.target.value) }),
        }),
      ]);
    const two = (...fields) => make("div.two", fields);
    return make("fieldset#times.rows-tight", [
      make("legend.aside", "Time"),
      two(number("Minutes", "minutes", 0.25, 180), number("Seconds added a move", "increment", 1, 180)),
      make("label", [
        make("input", {
          type: "checkbox",
          checked: this.#wish.differs,
          onchange: (event) => keep({ differs: event.target.checked }),
        }),
        " Other time for the engine",
      ]),
      make("fieldset#engine-times", [
        make("legend.aside", "The engine's time"),
        two(
          number("Engine's minutes", "engineMinutes", 0.25, 180),
          number("Engine's seconds added", "engineIncrement", 1, 180),
        ),
      ]),
    ]);
  }

  #starts(keep) {
    const read = (field) => (event) => {
      if (field === "fen") this.#fen = event.target.value.trim();
      else this.#number = event.target.value;
      if (event.target.validity.valid) this.#readFirst();
    };
    const choose = (start) => {
      keep({ start });
      this.#readFirst();
    };
    const random = () => {
      this.#number = "";
      this.#readFirst();
    };
    return make("div.rows-tight", [
      choice("Start position", "start", STARTS, this.#wish.start, choose),
      make("fieldset#chess960.two", [
        make("legend.aside", "Chess960"),
        make("label.field", [
          make("span", "Number, 0 to 959"),
          make("input", {
            type: "number",
            name: "number",
            min: 0,
            max: 959,
            step: 1,
            value: this.#number,
            oninput: read("number"),
          }),
        ]),
        make("button.plain", { onclick: random }, "Another at random"),
      ]),
      make("fieldset#position", [
        make("legend.aside", "Start position"),
        make("label.field", [
          make("span", "FEN"),
          make("input.fen", {
            type: "text",
            name: "fen",
            autocomplete: "off",
            spellcheck: "false",
            maxlength: 200,
            required: true,
            value: this.#fen,
            oninput: read("fen"),
          }),
        ]),
      ]),
    ]);
  }

  get #hasLevels() {
    return Boolean(this.#engines.find(({ name }) => name === this.#wish.engine)?.levels);
  }

  get #isLimited() {
    return this.#hasLevels && this.#wish.elo < FULL;
  }

  // Show what belongs to the choices, and only that.
  #update() {
    const { elo, clock, differs, start } = this.#wish;
    const show = (selector, isShown) => {
      const element = find(selector, this.#form);
      element.hidden = !isShown;
      element.disabled = !isShown; // The numbers in a fieldset that is not shown need not be right.
    };
    show("#level", this.#hasLevels);
    show("#original", !this.#hasLevels);
    show("#seconds", clock === "none" && !this.#isLimited);
    show("#times", clock === "other");
    show("#engine-times", differs);
    show("#chess960", start === "chess960");
    show("#position", start === "position");
    const words = elo >= FULL ? "Full strength" : String(elo);
    const description = LEVELS.find(([below]) => elo < below)[1];
    find("#level output", this.#form).textContent = words;
    find("#level > span.muted", this.#form).textContent = description;
    find("#elo", this.#form).setAttribute("aria-valuetext", `${words}, ${description}`);
  }

  // Ask the server for the first position and its moves.
  async #readFirst() {
    const { start } = this.#wish;
    const serial = ++this.#asked;
    let first = null;
    let wrong = "";
    try {
      let fen = start === "position" ? this.#fen : "startpos";
      if (start === "chess960") {
        const drawn = await this.socket.ask("chess960", this.#number === "" ? {} : { number: Number(this.#number) });
        if (serial !== this.#asked) return;
        fen = drawn.start;
        this.#number = String(drawn.number);
        if (this.#form) find("[name=number]", this.#form).value = this.#number;
      }
      if (fen) first = await this.socket.ask("position", { start: fen, moves: [] });
    } catch (error) {
      wrong = capital(error.message);
    }
    if (serial !== this.#asked) return;
    this.first = first;
    this.say(wrong);
    this.onfirst();
  }

  // Say what is wrong with the choices.
  say(wrong) {
    if (this.#form) find(".wrong", this.#form).textContent = wrong;
  }

  // move: the first move, if it has been made on the board, and the side that made it.
  begin(move, mover) {
    const { engine, elo, side, seconds, clock, minutes, increment, differs, engineMinutes, engineIncrement, start } =
      this.#wish;
    const fields = { engine, side: mover ?? side };
    if (this.#isLimited) fields.elo = elo;
    if (clock === "none") fields.seconds = this.#isLimited ? PATIENT : Number(seconds);
    else if (clock === "other")
      Object.assign(
        fields,
        { initial: 60 * minutes, increment },
        differs && { engine_initial: 60 * engineMinutes, engine_increment: engineIncrement },
      );
    else [fields.initial, fields.increment] = clock.split("/").map(Number);
    if (start === "position") fields.fen = this.#fen;
    if (start === "chess960") fields.fen = this.first?.start;
    if (move) fields.move = move;
    this.onbegin(fields);
  }
}
