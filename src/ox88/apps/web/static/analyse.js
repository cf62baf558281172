// The panel Analyse: a game with variations, the engine's lines, setting up positions, PGN, analysis of the whole game.

import { Diagram } from "/viewer/diagram.js";
import { find } from "/viewer/dom.js";
import { MoveList } from "/viewer/movelist.js";
import { showPlayer } from "/viewer/players.js";
import { mainBefore } from "/viewer/tree.js";
import { capital, drawnOn, glyphsInWords, shapeInWords, shapesOf, timesOf, written } from "/viewer/words.js";
import { Chapters } from "./chapters.js";
import { copied, Entry, fail, notice, onClick, onPoint, Tabs } from "./controls.js";
import { Drawing, Edit } from "./edit.js";
import { EngineLines } from "./engine.js";
import { Explorer } from "./explorer.js";
import { GameAnalysis } from "./gameanalysis.js";
import { onMenu, openMenu } from "./menu.js";
import { People } from "./people.js";
import { Games, Share } from "./pgn.js";
import { Saved } from "./saved.js";
import { Setup } from "./setup.js";
import { Latest, socket } from "./socket.js";
import { Study } from "./study.js";
import { announce, soundOf, spoken } from "./words.js";

const LINE = 20; // Pixels that a wheel counted in lines rolls.
const NOTCH = 40; // Pixels of a step, so that a touchpad does not run through the game.
const HOVER = 200; // Milliseconds before a move under the pointer is shown: it may only pass.

export class Analyse {
  place = () => "analyse"; // Where a board that is turned stays so.
  #study = new Study();
  #position = null; // The server's answer on the position shown.
  #latest = new Latest();
  #previewed = new Latest();
  #timer = 0;
  #shown = null;
  #isEmpty = null;
  #rolled = 0; // By the wheel, in pixels, since the last step.
  #arrows = [[]]; // What the board was told last, but for the Explorer's move.
  #engineWin = null; // The engine's best line. It stays until the engine has one for the next position.

  constructor(panel, desk) {
    this.panel = panel;
    this.desk = desk;
    const play = (moves) => this.#playAll(moves);
    const hover = (moves) => {
      const answer = moves && this.#describe(moves);
      // Without a connection there is nothing to show.
      this.#preview(answer?.then(({ position: { fen } }) => ({ fen, uci: moves.at(-1) })).catch(() => null));
    };
    this.engine = new EngineLines(find("#engine-card", panel), {
      lines: (lines, isThreat) => this.#showLines(lines, isThreat),
      switch: () => this.#think(),
      play,
      hover,
    });
    this.people = new People(find(".people", panel), { play, hover, change: () => this.whole.point() });
    this.explorer = new Explorer(find("#tab-explorer", panel), {
      play: (uci) => this.moved(uci),
      hover: (uci) => desk.mode === "analyse" && desk.board.arrows(...(uci ? [[uci]] : this.#arrows)),
      open: (text) => this.#openGames([text]),
    });
    this.tabs = new Tabs(find(".tabs", panel), "analyse", (id) => {
      this.explorer.toggle(id === "tab-explorer");
      if (id !== "tab-moves") this.drawing.switch(false);
      desk.showInside();
    });
    this.preview = find(".preview", panel);
    this.diagram = new Diagram({ coordinates: false });
    this.preview.append(this.diagram.element);
    const moves = find(".moves", panel);
    this.list = new MoveList(moves, (node) => {
      this.goTo(node);
      desk.seekBoard();
    });
    onMenu(moves, (target, at) => this.#offer(this.list.nodeAt(target), at));
    onPoint(moves, (target) => this.#previewMove(this.list.nodeAt(target)));
    this.edit = new Edit(find("#tab-moves", panel), find(".undo", panel), this.#study, () => this.#edited());
    this.drawing = new Drawing(find(".draw", panel), {
      draw: (shape) => this.drawn(drawnOn(shapesOf(this.#study.at), shape)),
      change: () => {
        if (desk.mode !== "analyse" || this.setup.isOpen) return;
        this.#draw();
        this.#point(...this.#arrows);
        if (this.drawing.isOn) desk.seekBoard();
      },
    });
    this.whole = new GameAnalysis(find("#tab-game", panel), this.#study, {
      go: (node) => this.goTo(node),
      change: () => this.#edited(),
      people: (place, rating) => this.people.ask(place, rating),
    });
    const onfen = (fen) => this.#check(fen, (start) => this.load({ start }).then(desk.seekBoard));
    this.games = new Games(find("#import", panel), {
      open: (games) => this.#openGames(games.map(({ text }) => text)),
      fen: onfen,
      takes: (type) => this.#takes(type),
      wrong: () => this.tabs.open("tab-share"),
      command: "ox88 analyse",
    });
    this.chapters = new Chapters(this.#study, { open: (game) => this.#show(game), change: () => this.#showSaved() });
    this.saved = new Saved(find("#saved", panel), this.chapters);
    onClick(find("#game-card .chapters", panel), {
      before: () => this.chapters.step(-1).catch(fail),
      after: () => this.chapters.step(1).catch(fail),
      chapters: () => {
        this.tabs.open("tab-share");
        find("#chapters [aria-current=true]").focus();
      },
    });
    this.setup = new Setup(find("#setup", panel), desk.board, {
      done: (fen) => this.#check(fen, (start) => this.load({ start })),
      play: (fen) =>
        this.#check(fen, (start) => {
          this.setup.close();
          desk.playFrom(start);
        }),
      cancel: () => this.showBoard(),
    });
    this.share = new Share(find("#share", panel), this.#study, {
      onfen,
      onclear: () => this.load({}),
      onplay: () => desk.playFrom(this.#study.at.fen),
      name: () => this.chapters.name,
    });
    this.entry = new Entry(find(".entry", panel), async (text) => {
      await this.#playAll([text], (error) => this.entry.say(error.message));
      if (!this.entry.wrong.textContent) this.entry.clear();
    });
    onClick(panel, { setup: () => this.#setUp(this.fen()), next: desk.seekBoard });
    find("#board").addEventListener("wheel", (event) => this.#roll(event), { passive: false });
    socket.on("open", () => desk.mode === "analyse" && !this.setup.isOpen && this.#ask());
  }

  // --- The game ---

  // The page is shown.
  enter() {
    const { kept } = this.setup;
    this.showPanel();
    this.showBoard();
    if (kept) this.#setUp(kept);
  }

  // Open an address: a saved analysis, and a chapter of it. Without an id the one before is shown.
  async open(id, chapter) {
    if (id) await this.chapters.open(id, chapter - 1).catch(fail);
    this.#showSaved();
  }

  load = (game) => this.chapters.openGame(game).catch(fail); // game: see Study.open.

  // Of several games, the list is opened.
  async #openGames(texts) {
    await this.chapters.openGames(texts);
    if (texts.length > 1) this.tabs.open("tab-share");
    this.desk.seekBoard();
  }

  // Games from anywhere on the page are opened here, but for those that Train or Think keeps.
  #takes(type) {
    const { hash } = location;
    if (hash === "#train" || (type === "paste" && hash.startsWith("#think"))) return false;
    if (!hash.startsWith("#analyse")) location.hash = "#analyse";
    return true;
  }

  #show(game) {
    this.setup?.close();
    this.#study.open(game);
    notice("");
    if (this.desk.mode === "analyse") this.showPanel();
    this.showBoard();
  }

  #showSaved() {
    this.saved?.show();
    this.#showHead();
    if (this.saved && this.desk.mode === "analyse") this.desk.show(this.chapters.address());
  }

  // Analyse the whole game.
  review() {
    this.tabs.choose("tab-game");
    this.whole.start();
  }

  // Place pieces, beginning with those of a position.
  #setUp(fen) {
    this.rest(); // The answer on the position before would end the set-up.
    if (this.engine.isOn()) this.engine.rest("Pieces are being placed.");
    this.setup.open(fen);
    this.#showStrips();
    this.desk.gauge(null);
    this.desk.seekBoard();
  }

  // Do something with a position if it is legal; otherwise return what is wrong with it.
  #check(fen, use) {
    const refuse = (error) => capital(error.message);
    return socket.ask("position", { start: fen, moves: [] }).then(({ start }) => use(start), refuse);
  }

  // Close what is open.
  escape() {
    this.preview.hidden = true;
    if (this.setup.isOpen) this.showBoard();
    if (this.drawing.isOn) this.drawing.switch(false);
  }

  // --- The board ---

  fen = () => this.#study.at.fen;

  showBoard() {
    if (this.desk.mode !== "analyse") return;
    if (this.setup.isOpen) this.setup.close();
    this.#position = null;
    this.#shown = this.#study.at;
    this.#previewMove(); // The board shows it.
    this.engine.expire();
    this.people.expire();
    this.#draw();
    this.#showStrips();
    this.#showGauge();
    this.#showPlace();
    this.#point([], this.whole.arrows);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), 40);
  }

  #draw() {
    const { fen, uci, check } = this.#study.at;
    this.desk.board.show({
      shapes: shapesOf(this.#study.at),
      fen,
      last: uci,
      check: check ?? this.#position?.check,
      dests: this.#position?.dests,
      movable: this.drawing.isOn ? null : "both", // Targets follow from the server; a piece can be selected already.
    });
  }

  // A square of the board has been chosen.
  pick(square) {
    if (this.setup.isOpen) this.setup.pick(square);
    else this.drawing.pick(square);
  }

  // Arrows or marked squares have been drawn or erased.
  drawn(shapes) {
    if (this.setup.isOpen) return;
    announce(this.#study.draw(shapes));
    this.edit.show();
  }

  // The server's view of the current position, or of the one after further moves.
  #describe(further = []) {
    const { start, moves } = this.#study.played;
    return socket.ask("position", { start, moves: [...moves, ...further], after: moves.length });
  }

  // Ask for the legal moves, then start the engine.
  async #ask() {
    const described = await this.#latest.of(this.#describe()).catch(fail);
    if (!described || this.desk.mode !== "analyse") return;
    if (described.chess960) this.#study.tags.Variant = "Chess960";
    this.#position = described.position;
    this.#draw();
    this.#think();
    this.explorer.ask(this.#study.played);
  }

  #think() {
    if (!this.#position) return;
    const { start, moves } = this.#study.played;
    this.engine.ask(start, moves, this.#position);
    this.people.show(this.engine.isOn() && !this.#position.ending ? { start, moves } : null);
    this.#showGauge();
  }

  rest() {
    clearTimeout(this.#timer);
    this.#latest.drop();
    this.engine.expire(); // Lines that are on their way would be drawn on another page's board.
    socket.say("stop");
  }

  async moved(uci) {
    await this.#playAll([uci]);
    this.#announce();
  }

  // moves: in SAN or UCI.
  async #playAll(moves, onwrong = fail) {
    const { at } = this.#study;
    const described = await this.#describe(moves).catch(onwrong);
    if (described && this.#study.at !== at) return;
    for (const move of described?.moves ?? []) this.#study.play(move);
    this.showPanel();
    this.showBoard();
  }

  // Show a position on a small board as soon as it has come; none without it. Returns whether it is shown.
  async #preview(coming) {
    this.preview.hidden = true;
    const position = await this.#previewed.of(Promise.resolve(coming));
    if (!position) return false;
    this.preview.removeAttribute("style");
    this.diagram.show({ ...position, orientation: this.desk.board.orientation() });
    this.preview.hidden = false;
    return true;
  }

  // After a move of the game, above or below the list; none without a move.
  async #previewMove(node = null) {
    const passing = node && new Promise((resolve) => setTimeout(resolve, HOVER));
    const coming = passing?.then(() => node !== this.#study.at && { ...node, shapes: shapesOf(node) });
    if (!(await this.#preview(coming))) return;
    const { top, bottom, right } = this.list.element.getBoundingClientRect();
    const above = top - this.preview.offsetHeight - 4;
    const [x, y] = [right - this.preview.offsetWidth, above < 0 ? bottom + 4 : above];
    Object.assign(this.preview.style, { position: "fixed", left: `${x}px`, top: `${y}px` });
  }

  // Offer what can be done with a move in the list.
  #offer(node, at) {
    if (!node) return false;
    const study = this.#study;
    const change = (act) => () => {
      act();
      this.#edited();
    };
    const isAside = mainBefore(node) !== node;
    const comment = () => {
      this.goTo(node);
      this.tabs.open("tab-moves");
      this.edit.comment.focus();
    };
    const items = [
      isAside && ["Promote variation", change(() => study.promote(node))],
      isAside && ["Make main line", change(() => study.makeMain(node))],
      ["Comment", comment],
      ["Copy line as PGN", async () => notice(`${await copied(study.lineAsPgn(node))}.`)],
      ["Delete from here", change(() => study.remove(node))],
    ];
    openMenu(written(node.san), items, at);
    return true;
  }

  go(to) {
    if (!this.setup.isOpen) this.goTo(this.#study.nodeTo(to));
  }

  goTo(node) {
    this.#study.goTo(node);
    this.showBoard();
    this.#announce();
  }

  // The tree or the notes in it have changed.
  #edited() {
    this.showPanel();
    if (this.#shown === this.#study.at) this.#showGauge();
    else this.showBoard();
  }

  // The wheel over the board goes through the game.
  #roll(event) {
    if (this.desk.mode !== "analyse" || event.ctrlKey || this.setup.isOpen) return;
    event.preventDefault();
    const by = event.deltaY * (event.deltaMode ? LINE : 1);
    this.#rolled = Math.sign(by) === Math.sign(this.#rolled) ? this.#rolled + by : by;
    if (Math.abs(this.#rolled) < NOTCH) return;
    this.go(this.#rolled > 0 ? "on" : "back");
    this.#rolled = 0;
  }

  #announce() {
    const { san, nags, comment } = this.#study.at;
    const drawn = shapesOf(this.#study.at).map(shapeInWords).join(", ");
    if (san) soundOf(san);
    announce([san ? spoken(san) : "Start position", glyphsInWords(nags), comment, drawn].filter(Boolean).join(". "));
  }

  nextMistake() {
    if (!this.setup.isOpen) this.whole.goToNext();
  }

  space = () => this.engine.toggle();

  write() {
    this.tabs.choose("tab-moves");
    this.entry.field.focus();
  }

  lookInside = () => this.tabs.choose(this.tabs.opened() === "tab-inside" ? "tab-moves" : "tab-inside");

  turned() {
    if (this.setup.isOpen) this.#showStrips();
    else this.showBoard();
  }

  // --- Around the board ---

  showPanel() {
    const study = this.#study;
    const { errors, root } = study;
    const isEmpty = study.isEmpty();
    const head = this.#showHead();
    find("#errors").hidden = !errors.length;
    find("#errors").textContent = [...new Set(errors)].map((error) => `${capital(error)}.`).join(" ");
    find("#game-card").hidden = isEmpty && head.hidden && !errors.length && !this.chapters.id;
    const game = find("#opens-game", this.panel); // While the analysis is empty, what opens another one is seen first.
    game.hidden = !root.children.length;
    const isGone = game.hidden && this.tabs.opened() === "tab-game";
    if (isEmpty !== this.#isEmpty || isGone) this.tabs.open(isEmpty ? "tab-share" : undefined);
    this.#isEmpty = isEmpty;
    this.list.show(root);
    this.whole.show();
    this.#showPlace();
  }

  // The players, the result, and a way to the other chapters from each tab.
  #showHead() {
    const study = this.#study;
    const { list } = this.chapters ?? { list: [] };
    const [white, black] = [study.tag("White"), study.tag("Black")];
    const head = find("#game-card > header");
    head.hidden = !white && !black && list.length < 2;
    find("h2", head).textContent = white || black ? `${white || "?"} – ${black || "?"}` : study.tag("ChapterName");
    find("b", head).textContent = study.tag("Result").replace("*", "");
    find(".chapters", head).hidden = list.length < 2;
    if (list.length > 1)
      find("[data-do=chapters]", head).textContent = `${this.chapters.number() + 1} of ${list.length}`;
    return head;
  }

  // Show the current position in the move list, the graph and the fields.
  #showPlace() {
    this.list.mark(this.#study.at);
    find(".opening", this.panel).textContent = this.#study.opening();
    this.edit.show();
    this.share.show();
    this.whole.point();
    this.desk.shown();
  }

  // While pieces are placed there are no players.
  #showStrips() {
    for (const side of ["white", "black"]) {
      const name = this.#study.tag(capital(side));
      const rating = this.#study.tag(`${capital(side)}Elo`);
      const times = timesOf([this.#study.root, ...this.#study.path()], side);
      showPlayer(this.desk.strip(side), side, this.setup.isOpen ? {} : { name, rating, ...times });
    }
  }

  // Show arrows, see Board.arrows.
  #point(...arrows) {
    this.#arrows = arrows;
    const [moves, further = [], ...brushes] = arrows;
    this.desk.board.arrows(moves, [...further, ...this.drawing.begun()], ...brushes);
  }

  #showLines(lines, isThreat) {
    const { arrows } = this.whole;
    const shown = shapesOf(this.#study.at).length ? lines.slice(0, 1) : lines; // Arrows of the game leave room for one.
    const moves = arrows.length > 1 && !isThreat ? [] : shown.map((line) => line.moves[0]).filter(Boolean);
    this.#point(moves, arrows, isThreat ? ["threat"] : undefined);
    if (isThreat) return;
    this.people.compare(lines);
    this.#engineWin = lines.length ? lines[0] : null;
    this.#showGauge();
  }

  #showGauge() {
    const over = this.#position?.ending;
    const result = over?.split(" ").at(-1).replace("1/2-1/2", "½");
    const ended = over && { win: { "1-0": 100, "0-1": 0 }[result] ?? 50, eval: result, over };
    const at = ended || this.#engineWin || (this.#study.at.win === undefined ? null : this.#study.at);
    this.engine.showEvaluation(at);
    this.desk.gauge(at);
  }
}
