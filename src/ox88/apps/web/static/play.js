// The panel Play: a new game, the game itself, and its result. The server keeps the game; this shows it.

import { download, find, make } from "./dom.js";
import { showMoves } from "./movelist.js";
import { NewGame } from "./newgame.js";
import { announce, capital, clockText, spoken } from "./words.js";

const KEPT = "ox88.game"; // Where the browser remembers the game.

export class Play {
  #game = null;
  #shown = 0; // The ply on the board.
  #received = 0; // When the server's clock times arrived, in the page's time.
  #isChoosing = true;
  #engines = [];

  // desk: the rest of the page, see main.js.
  constructor(panel, socket, desk) {
    this.panel = panel;
    this.socket = socket;
    this.desk = desk;
    this.newGame = new NewGame((wish) => this.#begin(wish));
    socket.on("welcome", ({ engines }) => this.#welcome(engines));
    socket.on("game", (game) => this.#receive(game));
    socket.on("error", (error) => ["move", "takeback", "resign", "new", "join"].includes(error.about) && this.#refused(error));
    socket.on("lost", () => this.#game?.clock && (this.#game.clock.running = null));
    setInterval(() => this.#showClocks(), 100);
  }

  // --- Messages of the server ---

  #welcome(engines) {
    const isFirst = !this.#engines.length; // Later ones leave the form as it is, with what is typed there.
    this.#engines = engines;
    const kept = localStorage.getItem(KEPT);
    if (kept) this.socket.say("join", { game: kept });
    else if (isFirst) this.showPanel();
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
    if (!this.#engines.length) return; // The form shows the engines, which the server's welcome names.
    if (this.#isChoosing || !this.#game) this.#showChoice();
    else this.#showGame();
  }

  #showChoice() {
    this.newGame.show(this.panel, this.#engines, this.#game ? () => this.#backToGame() : null);
  }

  #begin(wish) {
    this.desk.notice("");
    this.#isChoosing = false;
    this.socket.say("new", wish);
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

  // Resigning takes a second click within three seconds.
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
    else this.desk.notice("The game could not be loaded from the server.");
  }

  #write(event) {
    event.preventDefault();
    const input = find("#move", this.panel);
    if (!input.value.trim()) return;
    this.moved(input.value.trim());
    input.value = "";
  }
}

