// Playing: a new game, the game itself, and what can be done when it is over. The server has the game; this shows it.

import { download, figure, find, make, segments } from "./dom.js";
import { showMoves } from "./movelist.js";
import { announce, capital, clockText, spoken } from "./words.js";

const KEPT = "ox88.game"; // Where the browser remembers the game.
const FULL = 2900; // The slider's end: all that the engine can.
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

export class Play {
  #game = null;
  #shown = 0; // The ply that is looked at.
  #received = 0; // When the clock was told, by the page's own.
  #wish = JSON.parse(localStorage.getItem("ox88.wish") ?? "null") ?? { engine: "Ox88", elo: 1500, side: "white", clock: "none/1" };
  #isChoosing = true;
  #engines = [];

  // desk: the page around, with board, strips and what to do next.
  constructor(panel, socket, desk) {
    this.panel = panel;
    this.socket = socket;
    this.desk = desk;
    socket.on("welcome", ({ engines }) => this.#welcome(engines));
    socket.on("game", (game) => this.#receive(game));
    socket.on("error", (error) => ["move", "takeback", "resign", "new", "join"].includes(error.about) && this.#refused(error));
    socket.on("lost", () => this.#game?.clock && (this.#game.clock.running = null));
    setInterval(() => this.#showClocks(), 100);
  }

  // --- What comes from the server ---

  #welcome(engines) {
    this.#engines = engines;
    const kept = localStorage.getItem(KEPT);
    if (kept) this.socket.say("join", { game: kept });
    else if (this.#isChoosing) this.showPanel();
  }

  #receive(game) {
    const before = this.#game?.game === game.game ? this.#game : null;
    this.#game = game;
    this.#received = performance.now();
    localStorage.setItem(KEPT, game.game);
    const isNew = !before;
    const wasLast = isNew || this.#shown === before.moves.length;
    if (isNew) {
      this.#isChoosing = false;
      this.enter();
    }
    if (wasLast || game.moves.length !== before.moves.length) this.#shown = game.moves.length;
    if (before && game.moves.length > before.moves.length) this.#announce();
    this.showPanel();
    if (this.desk.mode === "play") this.showBoard();
    if (game.ending && !before?.ending && before) announce(`${this.#lastWords()} ${capital(game.ending)}.`);
  }

  #lastWords() {
    const move = this.#game.moves.at(-1);
    if (!move) return "";
    const mover = this.#game.position.turn === "white" ? "Black" : "White";
    return `${mover}: ${spoken(move.san)}.`;
  }

  #announce() {
    announce(this.#lastWords());
  }

  #refused({ about, message }) {
    if (about === "join") {
      localStorage.removeItem(KEPT);
      this.#game = null;
      this.#isChoosing = true;
      this.showPanel();
      this.desk.refresh();
      return;
    }
    this.desk.notice(capital(message));
    if (this.#game) this.showBoard();
  }

  // --- The board ---

  turned() {
    this.showBoard();
  }

  enter() {
    if (this.#game && this.desk.mode === "play") this.desk.turnBoard(this.#game.side);
  }

  showBoard() {
    const game = this.#game;
    if (!game) {
      this.desk.board.show({ fen: "start", turn: "white", movable: null });
      this.#showStrips();
      return;
    }
    const isLast = this.#shown === game.moves.length;
    const at = this.#shown ? game.moves[this.#shown - 1] : { fen: game.start };
    const goesOn = isLast && !game.ending;
    this.desk.board.arrows([]);
    this.desk.board.show({
      fen: isLast ? game.position.fen : at.fen,
      turn: isLast ? game.position.turn : at.fen.split(" ")[1] === "b" ? "black" : "white",
      last: at.uci,
      check: isLast ? game.position.check : at.check,
      dests: goesOn ? game.position.dests : {},
      movable: goesOn ? game.side : null,
      premoves: goesOn,
    });
    this.#showStrips();
    this.#markCurrent();
    this.desk.shown();
  }

  get fen() {
    const game = this.#game;
    if (!game) return "startpos";
    return this.#shown === game.moves.length ? game.position.fen : this.#shown ? game.moves[this.#shown - 1].fen : game.start;
  }

  moved(uci) {
    this.desk.notice("");
    this.socket.say("move", { move: uci, ply: this.#game.moves.length });
  }

  go(to) {
    if (!this.#game) return;
    const last = this.#game.moves.length;
    this.#shown = { first: 0, back: Math.max(0, this.#shown - 1), on: Math.min(last, this.#shown + 1), last }[to] ?? to;
    this.showBoard();
    this.#showMoves();
    const move = this.#game.moves[this.#shown - 1];
    announce(move ? spoken(move.san) : "Start position");
  }

  space() {
    this.go("last");
  }

  #showStrips() {
    const game = this.#game;
    for (const side of ["white", "black"]) {
      const strip = this.desk.strip(side);
      if (!game) {
        strip.replaceChildren(make("span", { class: `swatch ${side}` }), make("span", { class: "doing" }, capital(side)));
        continue;
      }
      const isEngine = side !== game.side;
      const doing = isEngine && game.notice ? game.notice : isEngine && game.thinking ? "thinking …" : "";
      strip.replaceChildren(
        make("span", { class: `swatch ${side}` }),
        make("span", { class: "name" }, game.players[side]),
        make("span", { class: "doing" }, doing),
        ...(game.clock ? [make("span", { class: "clock", "data-clock": side, role: "timer" })] : []),
      );
    }
    this.#showClocks();
  }

  #showClocks() {
    const clock = this.#game?.clock;
    if (!clock || this.desk.mode !== "play") return;
    const passed = (performance.now() - this.#received) / 1000;
    for (const side of ["white", "black"]) {
      const element = find(`[data-clock="${side}"]`);
      if (!element) continue;
      const left = clock[side] - (clock.running === side ? passed : 0);
      element.textContent = clockText(left);
      element.classList.toggle("running", clock.running === side);
      element.classList.toggle("low", clock.running === side && left < 10);
    }
  }

  // --- The panel ---

  showPanel() {
    if (this.#isChoosing || !this.#game) this.#showChoice();
    else this.#showGame();
  }

  #showChoice() {
    const wish = this.#wish;
    const keep = (change) => {
      Object.assign(wish, change);
      localStorage.setItem("ox88.wish", JSON.stringify(wish));
      this.#showLevel();
    };
    const engines = this.#engines.map(({ name }) => [name, name]);
    const king = (color) => make("span", { class: "side-icon" }, figure(color, "king"));
    const both = make("span", { class: "segments-icons" }, "Random");
    this.panel.replaceChildren(
      make(
        "form",
        { class: "card", onsubmit: (event) => this.#begin(event) },
        make("header", {}, make("h2", {}, "New game")),
        make(
          "div",
          { class: "pad rows" },
          segments("engine", "Opponent", engines, wish.engine, (engine) => keep({ engine })),
          make("div", { id: "level" }),
          segments(
            "side",
            "You play",
            [["white", king("white"), "White"], ["random", both, "Random"], ["black", king("black"), "Black"]],
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
          this.#game ? make("button", { type: "button", class: "plain", onclick: () => this.#backToGame() }, "Back to the game") : null,
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
      const words = engine ? "A whole chess program in 2,000 characters of C, on the 0x88 board. It has but one strength." : "";
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
      localStorage.setItem("ox88.wish", JSON.stringify(this.#wish));
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
    this.desk.notice("");
    this.#isChoosing = false;
    this.socket.say("new", { engine, side, ...time, ...(hasLevels && elo < FULL ? { elo } : {}), ...(fen ? { fen } : {}) });
  }

  #backToGame() {
    this.#isChoosing = false;
    this.showPanel();
  }

  #showGame() {
    const game = this.#game;
    if (!find(".moves", this.panel)) {
      this.panel.replaceChildren(
        make(
          "div",
          { class: "card" },
          make("div", { class: "result", hidden: true }),
          make("div", { class: "moves", role: "group", "aria-label": "Moves" }),
          make("p", { class: "opening" }),
          make(
            "form",
            { class: "entry", onsubmit: (event) => this.#write(event) },
            make("input", { type: "text", id: "move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 20, placeholder: "A move: e4, Nf3, O-O", "aria-label": "Write a move" }),
            make("button", { class: "plain small" }, "Play"),
          ),
        ),
        make("div", { class: "buttons" }),
      );
    }
    const result = find(".result", this.panel);
    result.hidden = !game.ending;
    if (game.ending) {
      const [reason, score] = game.ending.split(/, (?=[^,]*$)/);
      const mine = score === "1/2-1/2" ? "A draw" : (score === "1-0") === (game.side === "white") ? "You won" : `${game.engine} won`;
      result.replaceChildren(make("b", {}, `${mine}, ${score}`), make("span", { class: "muted" }, capital(reason)));
    }
    find(".entry", this.panel).hidden = Boolean(game.ending);
    const named = game.moves.findLast((move) => move.opening);
    find(".opening", this.panel).textContent = named?.opening ?? "";
    this.#showMoves();
    this.#showButtons();
  }

  #showMoves() {
    const list = find(".moves", this.panel);
    if (!list || !this.#game) return;
    const { start, moves } = this.#game;
    showMoves(list, { start, moves, current: this.#shown, onpick: (ply) => this.go(ply) });
  }

  #markCurrent() {
    for (const button of this.panel.querySelectorAll(".moves button")) {
      button.setAttribute("aria-current", String(Number(button.dataset.ply) === this.#shown));
    }
  }

  #showButtons() {
    const game = this.#game;
    const button = (label, onclick, properties = {}) => make("button", { type: "button", class: "plain", onclick, ...properties }, label);
    const mine = game.moves.length > (game.position.turn === game.side ? 1 : 0);
    const all = game.ending
      ? [
          button("New game", () => this.#choose(), { class: "primary" }),
          button("Analyse", () => this.#analyse()),
          button("PGN", () => this.#save()),
          button("Take back", () => this.socket.say("takeback"), { disabled: !mine }),
        ]
      : [
          button("Take back", () => this.socket.say("takeback"), { disabled: !mine }),
          button("Resign", (event) => this.#resign(event.currentTarget)),
          button("Analyse", () => this.#analyse()),
          button("PGN", () => this.#save()),
          button("New game", () => this.#choose()),
        ];
    find(".buttons", this.panel).replaceChildren(...all);
  }

  // A second click within three seconds means it.
  #resign(button) {
    if (button.dataset.sure) return this.socket.say("resign");
    button.dataset.sure = "yes";
    button.textContent = "Really resign?";
    setTimeout(() => {
      delete button.dataset.sure;
      button.textContent = "Resign";
    }, 3000);
  }

  #choose() {
    this.#isChoosing = true;
    this.showPanel();
  }

  #analyse() {
    const { start, moves, players, ending } = this.#game;
    const tags = { White: players.white, Black: players.black, Result: ending?.split(" ").at(-1) ?? "*" };
    this.desk.analyse({ start, moves, tags, ply: this.#shown });
  }

  async #save() {
    const response = await fetch(`/game/${this.#game.game}.pgn`);
    if (response.ok) download("ox88.pgn", await response.text());
    else this.desk.notice("The game could not be had from the server.");
  }

  #write(event) {
    event.preventDefault();
    const input = find("#move", this.panel);
    if (!input.value.trim()) return;
    this.moved(input.value.trim());
    input.value = "";
  }
}

