// The panel Analyse: a game and variations, the engine's lines, setting up positions, PGN, analysis of the whole game.

import { Annotate } from "./annotate.js";
import { find, make } from "./dom.js";
import { EngineLines } from "./engine.js";
import { showMoves } from "./movelist.js";
import { Games } from "./pgn.js";
import { Setup } from "./setup.js";
import { START, Study } from "./study.js";
import { announce, capital, spoken } from "./words.js";

export class Analyse {
  #study = new Study();
  #position = null; // The server's answer on the position shown.
  #asked = 0;
  #timer = 0;
  #engineWin = null;

  constructor(panel, socket, desk) {
    this.panel = panel;
    this.socket = socket;
    this.desk = desk;
    const onerror = (text) => desk.notice(text);
    this.engine = new EngineLines(socket, {
      onlines: (lines) => this.#showLines(lines),
      onplay: (moves) => this.#playAll(moves),
      onswitch: () => this.#think(),
    });
    this.whole = new Annotate(socket, this.#study, { ongo: (ply) => this.goTo(ply), onchange: () => this.showPanel(), onerror });
    this.games = new Games(socket, { onopen: (text) => this.#open(text), onerror });
    this.setup = new Setup(desk.board, { ondone: (fen) => this.#placed(fen), oncancel: () => this.#closeSetup() });
    this.#build();
    socket.on("open", () => desk.mode === "analyse" && !this.setup.isOpen && this.#ask());
  }

  #build() {
    this.panel.append(
      this.engine.element,
      this.setup.element,
      make(
        "div",
        { class: "card", id: "game-card" },
        make("header", { hidden: true }, make("h2", {}), make("b", { class: "push" })),
        make("p", { class: "pad wrong", id: "errors", hidden: true }),
        make("div", { class: "moves", role: "group", "aria-label": "Moves" }),
        make("p", { class: "opening" }),
      ),
      this.whole.element,
      this.games.element,
      make(
        "div",
        { class: "card pad rows-tight" },
        make(
          "form",
          { class: "rows-tight", onsubmit: (event) => this.#setFen(event) },
          make("label", { class: "field" }, make("span", {}, "FEN"), make("input", { type: "text", id: "fen", class: "fen", autocomplete: "off", spellcheck: "false", maxlength: 200 })),
          make("p", { class: "wrong", id: "fen-wrong", role: "alert" }),
          make(
            "div",
            { class: "buttons" },
            make("button", { class: "plain small" }, "Set up"),
            make("button", { type: "button", class: "plain small", onclick: () => this.#openSetup() }, "Place pieces"),
            make("button", { type: "button", class: "plain small", onclick: () => this.load({}) }, "Clear"),
          ),
        ),
      ),
    );
  }

  // --- The game ---

  // moves: as the server describes them.
  load(game) {
    this.setup.close();
    this.whole.forget();
    this.#study.set({ ...game, start: game.start ?? START });
    this.desk.notice("");
    this.showPanel();
    this.showBoard();
  }

  async #open(text) {
    try {
      const { start, moves, tags, errors } = await this.socket.ask("open", { text });
      this.load({ start, moves, tags, errors, text });
    } catch (error) {
      this.desk.notice(capital(error.message));
    }
  }

  async #setFen(event) {
    event.preventDefault();
    const wrong = await this.#placed(find("#fen").value.trim());
    find("#fen-wrong").textContent = wrong ?? "";
  }

  async #placed(fen) {
    try {
      const { start } = await this.socket.ask("position", { start: fen, moves: [] });
      this.load({ start });
      return null;
    } catch (error) {
      return capital(error.message);
    }
  }

  #openSetup() {
    this.rest(); // The answer on the position before would end the set-up.
    if (this.engine.isOn) this.engine.rest("Pieces are being placed.");
    this.setup.open(this.#study.fen);
    this.setup.element.scrollIntoView({ block: "nearest" });
  }

  #closeSetup() {
    this.setup.close();
    this.showBoard();
  }

  // --- The board ---

  get fen() {
    return this.#study.fen;
  }

  showBoard() {
    if (this.setup.isOpen) this.setup.close();
    this.#position = null;
    this.#engineWin = null;
    this.desk.board.arrows([]);
    this.#draw();
    this.#showStrips();
    this.#showGauge();
    this.#showPlace();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), 40);
  }

  #draw() {
    const study = this.#study;
    const { fen, last } = study;
    this.desk.board.show({
      fen,
      turn: fen.split(" ")[1] === "b" ? "black" : "white",
      last: last?.uci,
      check: last?.check ?? this.#position?.check,
      dests: this.#position?.dests ?? {},
      movable: "both", // The targets follow from the server; a piece can be selected already.
    });
  }

  // Ask for the legal moves, then start the engine.
  async #ask() {
    const serial = ++this.#asked;
    const moves = this.#study.path.map(({ uci }) => uci);
    try {
      const { position } = await this.socket.ask("position", { start: this.#study.start, moves });
      if (serial !== this.#asked || this.desk.mode !== "analyse") return;
      this.#position = position;
      this.#draw();
      this.#think();
    } catch (error) {
      if (serial === this.#asked) this.desk.notice(capital(error.message));
    }
  }

  #think() {
    if (!this.#position) return;
    const moves = this.#study.path.map(({ uci }) => uci);
    this.engine.ask(this.#study.start, moves, this.#position.fen, this.#position.ending);
    this.#showGauge();
  }

  rest() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.socket.say("stop");
  }

  async moved(uci) {
    await this.#playAll([uci]);
    const { last } = this.#study;
    if (last) announce(spoken(last.san));
  }

  async #playAll(ucis) {
    const study = this.#study;
    const path = study.path.map(({ uci }) => uci);
    try {
      const { moves } = await this.socket.ask("position", { start: study.start, moves: [...path, ...ucis] });
      for (const move of moves.slice(path.length)) study.add(move);
    } catch (error) {
      this.desk.notice(capital(error.message));
    }
    this.showPanel();
    this.showBoard();
  }

  go(to) {
    if (this.setup.isOpen) return;
    this.#study.go(to);
    this.#stepped();
  }

  goTo(ply, inBranch = false) {
    this.#study.goTo(ply, inBranch);
    this.#stepped();
  }

  #stepped() {
    this.showBoard();
    const { last } = this.#study;
    announce(last ? spoken(last.san) : "Start position");
  }

  space() {
    this.engine.toggle();
  }

  enter() {}

  turned() {
    if (this.setup.isOpen) this.#showStrips();
    else this.showBoard();
  }

  pick(square) {
    if (this.setup.isOpen) this.setup.pick(square);
  }

  // --- Around the board ---

  showPanel() {
    const { tags, errors } = this.#study;
    const head = find("#game-card > header");
    head.hidden = !tags.White && !tags.Black;
    find("h2", head).textContent = `${tags.White ?? "?"} – ${tags.Black ?? "?"}`;
    find("b", head).textContent = tags.Result === "*" ? "" : (tags.Result ?? "");
    find("#errors").hidden = !errors.length;
    find("#errors").textContent = errors.map(capital).join(" ");
    this.whole.show();
    this.#showPlace();
  }

  // Show the current position in the move list, the graph and the FEN.
  #showPlace() {
    const { start, moves, ply, branch, annotation, fen, opening } = this.#study;
    showMoves(find(".moves", this.panel), { start, moves, current: ply, notes: annotation?.moves, branch, onpick: (to, inBranch) => this.goTo(to, inBranch) });
    find(".opening", this.panel).textContent = opening;
    find("#fen").value = fen;
    find("#fen-wrong").textContent = "";
    this.whole.point();
    this.desk.shown();
  }

  #showStrips() {
    const { tags } = this.#study;
    for (const side of ["white", "black"]) {
      const name = tags[capital(side)];
      const rating = tags[`${capital(side)}Elo`];
      this.desk.strip(side).replaceChildren(
        make("span", { class: `swatch ${side}` }),
        make("span", { class: name ? "name" : "doing" }, name ?? capital(side)),
        rating ? make("span", { class: "doing" }, rating) : "",
      );
    }
  }

  #showLines(lines) {
    this.desk.board.arrows(lines.map((line) => line.moves[0]).filter(Boolean));
    this.#engineWin = lines.length ? lines[0] : null;
    this.#showGauge();
  }

  #showGauge() {
    const result = this.#position?.ending?.split(" ").at(-1);
    const over = result && { win: { "1-0": 100, "0-1": 0 }[result] ?? 50, eval: result === "1/2-1/2" ? "½" : result };
    const at = over || this.#engineWin || this.#study.evaluated;
    this.desk.gauge(at, this.engine.isOn || Boolean(this.#study.annotation));
  }
}
