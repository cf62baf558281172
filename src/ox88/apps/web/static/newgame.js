// The form for a new game: opponent, level, side, clock. The browser remembers the last choice.

import { figure, find, make, segments } from "./dom.js";

const KEPT = "ox88.wish";
const FULL = 2900; // The right end of the slider: full strength.
const CLOCKS = [
  ["none/1", "No clock; the engine takes 1 s"],
  ["none/3", "No clock; the engine takes 3 s"],
  ["none/10", "No clock; the engine takes 10 s"],
  ["60/0", "1 minute"],
  ["180/2", "3 minutes + 2 s a move"],
  ["300/3", "5 minutes + 3 s a move"],
  ["600/5", "10 minutes + 5 s a move"],
  ["900/10", "15 minutes + 10 s a move"],
  ["1800/20", "30 minutes + 20 s a move"],
];
const LEVELS = [
  [800, "has just learnt the moves"],
  [1200, "a beginner"],
  [1600, "plays now and then"],
  [2000, "plays in a club"],
  [2400, "a strong club player"],
  [FULL, "a master"],
  [Infinity, "all it can"],
];

export class NewGame {
  #wish = JSON.parse(localStorage.getItem(KEPT) ?? "null") ?? { engine: "Ox88", elo: 1500, side: "white", clock: "none/1" };
  #engines = [];

  // onbegin(fields): called with the fields of the server's message `new`.
  constructor(onbegin) {
    this.onbegin = onbegin;
  }

  // engines: from the server's `welcome`. onback(): returns to the game in progress; null if there is none.
  show(panel, engines, onback) {
    this.#engines = engines;
    const wish = this.#wish;
    const keep = (change) => {
      Object.assign(wish, change);
      localStorage.setItem(KEPT, JSON.stringify(wish));
      this.#showLevel();
    };
    const names = engines.map(({ name }) => [name, name]);
    const king = (color) => make("span", { class: "side-icon" }, figure(color, "king"));
    panel.replaceChildren(
      make(
        "form",
        { class: "card", onsubmit: (event) => this.#begin(event) },
        make("header", {}, make("h2", {}, "New game")),
        make(
          "div",
          { class: "pad rows" },
          segments("engine", "Opponent", names, wish.engine, (engine) => keep({ engine })),
          make("div", { id: "level" }),
          segments(
            "side",
            "You play",
            [["white", king("white"), "White"], ["random", "Random", "Random"], ["black", king("black"), "Black"]],
            wish.side,
            (side) => keep({ side }),
          ),
          make(
            "label",
            { class: "field" },
            make("span", {}, "Clock"),
            make("select", { name: "clock", onchange: (event) => keep({ clock: event.target.value }) }, CLOCKS.map(([value, label]) => make("option", { value, selected: value === wish.clock }, label))),
          ),
          make(
            "label",
            { class: "field" },
            make("span", {}, "Position (FEN), if not the usual one"),
            make("input", { type: "text", name: "fen", class: "fen", autocomplete: "off", spellcheck: "false", maxlength: 200 }),
          ),
          make("button", { class: "primary" }, "Play"),
          onback && make("button", { type: "button", class: "plain", onclick: onback }, "Back to the game"),
        ),
      ),
    );
    this.#showLevel();
  }

  #showLevel() {
    const box = find("#level");
    const engine = this.#engines.find(({ name }) => name === this.#wish.engine);
    if (!box) return;
    if (!engine?.levels) {
      const words = engine ? "A whole chess program in 2,000 characters of C, on the 0x88 board. It plays at one strength." : "";
      box.replaceChildren(make("p", { class: "muted" }, words));
      return;
    }
    const words = (elo) => `${elo >= FULL ? "Full strength" : elo}`;
    const describe = (elo) => LEVELS.find(([below]) => elo < below)[1];
    const output = make("output", {}, words(this.#wish.elo));
    const description = make("span", { class: "muted" }, describe(this.#wish.elo));
    const slide = (event) => {
      const elo = Number(event.target.value);
      this.#wish.elo = elo;
      localStorage.setItem(KEPT, JSON.stringify(this.#wish));
      output.textContent = words(elo);
      description.textContent = describe(elo);
      event.target.setAttribute("aria-valuetext", `${words(elo)}, ${describe(elo)}`);
    };
    box.replaceChildren(
      make(
        "div",
        { class: "field" },
        make("span", { class: "level" }, make("label", { for: "elo" }, "Level"), output),
        make("input", { type: "range", id: "elo", min: engine.levels[0], max: FULL, step: 100, value: this.#wish.elo, "aria-valuetext": `${words(this.#wish.elo)}, ${describe(this.#wish.elo)}`, oninput: slide }),
        description,
      ),
    );
  }

  #begin(event) {
    event.preventDefault();
    const { engine, elo, side, clock } = this.#wish;
    const hasLevels = this.#engines.find(({ name }) => name === engine)?.levels;
    const [first, second] = clock.split("/");
    const time = first === "none" ? { seconds: Number(second) } : { initial: Number(first), increment: Number(second) };
    const fen = event.target.elements.fen.value.trim();
    this.onbegin({ engine, side, ...time, ...(hasLevels && elo < FULL ? { elo } : {}), ...(fen ? { fen } : {}) });
  }
}
