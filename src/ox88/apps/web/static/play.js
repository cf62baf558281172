// The panel Play: a new game, the game itself, and its result. The server keeps the game; this shows it.

import { find, make, View } from "/viewer/dom.js";
import { MoveList } from "/viewer/movelist.js";
import { swatch } from "/viewer/players.js";
import { careful, copied, download, Entry, fail, fetchText, figure, kept, notice, onClick } from "./controls.js";
import { remember } from "./library.js";
import { NewGame } from "./newgame.js";
import { fileOfGame, tagsOf } from "./pgn.js";
import { Latest, LOST, socket } from "./socket.js";
import { announce, capital, clockText, START, sound, soundOf, spoken, turnOf } from "./words.js";

const ASKING = ["takeback", "putback", "hint", "draw", "resign", "same", "swapped"]; // Buttons that need the server.
const LOW = 10; // Seconds left at which the clock warns.

export class Play extends View {
  #id = ""; // The game of this page, which may still be on its way.
  #game = null; // Its state, as the server tells it.
  #isChoosing = true; // The form for a new game is shown.
  #isBeginning = false; // A game has been asked for whose id only the server's answer tells.
  #shown = 0; // The ply on the board.
  #received = 0; // When the server's clock times arrived, in the page's time.
  #typed = 0; // The message with the move that has been typed.
  #waiting = null; // The move that the server does not have yet, { move, ply }.
  #isRejoining = false;
  #isConnected = false;

  // desk: the rest of the page, see main.js.
  constructor(panel, desk) {
    super(panel);
    this.desk = desk;
    const { choices, entry, playing, over } = this.parts;
    this.newGame = new NewGame(choices, {
      begin: (wish) => this.#begin("new", wish),
      first: () => {
        if (!this.#isChoosing) return;
        this.#turnBoard();
        this.showBoard();
      },
    });
    this.list = new MoveList(this.parts.moves, ({ ply }) => {
      this.go(ply);
      desk.seekBoard();
    });
    this.entry = new Entry(entry, (text) => (this.#typed = this.moved(text)));
    const another = () => (location.hash = "#play");
    const say = (message, fields) => () => this.#say(message, fields);
    const rematch = (colours) => () => this.#begin("rematch", { colours });
    onClick(playing, {
      another,
      takeback: say("takeback"),
      putback: say("putback"),
      draw: say("draw"),
      resign: careful("Really resign?", say("resign")),
      hint: () => this.askHint(),
    });
    onClick(over, {
      another,
      review: () => this.analyse(true),
      learn: () => (location.hash = `#train/game/${this.#id}`),
      same: rematch("same"),
      swapped: rematch("swapped"),
    });
    this.hint = new Hint(this.parts.hint, () => this.showBoard());
    socket.on("welcome", () => {
      this.#isRejoining = this.#isConnected && Boolean(this.#id);
      if (this.#isRejoining) socket.say("join", { game: this.#id });
      this.#isConnected = true;
      this.showPanel();
    });
    // It is told before any game that the page asks for, and again when the settings have changed.
    const sayPace = () => socket.say("pace", { mode: kept("pace") });
    socket.on("open", sayPace);
    find("#settings").addEventListener("change", sayPace);
    socket.on("game", (game) => this.#receive(game));
    socket.on("deleted", ({ game }) => game === this.#id && this.#forget("The game has been deleted."));
    socket.on("error", (error) => this.#refused(error));
    socket.on("lost", () => {
      this.#isBeginning = false;
      if (this.#game?.clock) this.#game.clock.running = null;
      if (this.#isChoosing) this.showBoard();
      else this.showPanel();
    });
    setInterval(() => this.#showClocks(), 100);
  }

  // The game that is shown, but not while another one is chosen.
  #current = () => (this.#isChoosing ? null : this.#game);

  // id: of the game to show; "" for the form.
  open(id = "") {
    this.#isChoosing = !id;
    if (id && id !== this.#id) {
      this.#setGame(id);
      socket.say("join", { game: id });
    }
    this.#turnBoard();
    this.showPanel();
    this.showBoard();
  }

  #setGame(id) {
    this.#id = id;
    this.#game = this.#waiting = null;
    this.entry.clear();
    find("nav [data-mode=play]").hash = id ? `#play/${id}` : "#play";
  }

  #forget(why) {
    this.#setGame("");
    if (this.desk.mode === "play") location.replace("#play");
    notice(why);
  }

  // --- Messages of the server ---

  #begin(message, fields) {
    if (this.#isBeginning) return; // A second click, before the first is answered.
    this.newGame.say("");
    this.#isBeginning = socket.isOpen();
    this.#say(message, fields);
    if (!this.#isBeginning) this.showBoard();
  }

  #receive(game) {
    const isBegun = this.#isBeginning && game.game !== this.#id;
    if (game.game !== this.#id && !isBegun) return; // The page has gone on to another game.
    if (isBegun) {
      this.#isBeginning = this.#isChoosing = false;
      this.#setGame(game.game);
      location.hash = `#play/${game.game}`;
    }
    const before = this.#game;
    this.#game = game;
    this.#received = performance.now();
    remember("games", game.game);
    const known = before?.moves.length;
    if (this.#shown === known || game.moves.length !== known) this.#shown = game.moves.length;
    if (before) this.#tell(before);
    else this.#turnBoard();
    this.hint.keep(game.ending ? "" : game.position.fen);
    // A move that was made while the connection was lost is played when it is back.
    if (game.ending || game.moves.length > (this.#waiting?.ply ?? 0)) this.#waiting = null;
    else if (this.#isRejoining && this.#waiting) socket.say("move", this.#waiting);
    this.#isRejoining = false;
    const isLeft = game.ending && this.parts.playing.contains(document.activeElement);
    this.showPanel();
    this.showBoard();
    if (isLeft) find("[data-do=review]", this.parts.over).focus({ preventScroll: true }); // The buttons go.
  }

  // Say what has happened since a state of the game.
  #tell(before) {
    const { moves, position, side, undone, ending } = this.#game;
    const move = moves.at(-1);
    const mover = position.turn === "white" ? "Black" : "White";
    const lastWords = move ? `${mover}: ${spoken(move.san)}.` : "";
    if (moves.length > before.moves.length) {
      announce(lastWords);
      soundOf(move.san);
      // Your move is played. What was refused before the engine's move stays.
      if (position.turn !== side) this.entry.clear();
      else this.entry.say("");
    }
    if (undone > before.undone) announce("Taken back");
    if (!ending || before.ending) return;
    announce(`${lastWords} ${capital(ending)}.`);
    sound("end");
  }

  #refused(/** @type {Messages.FromServer["error"]} */ { about, id, message }) {
    const isMove = about === "move";
    if (["new", "rematch"].includes(about)) this.#isBeginning = false;
    if (isMove) this.#waiting = null;
    if (about === "join") this.#forget(capital(message));
    else if (about === "new") this.newGame.say(capital(message));
    else if (isMove && id === this.#typed)
      this.entry.say(message); // It begins with the move, as it was typed.
    else if (isMove || ["takeback", "putback", "resign", "draw", "rematch"].includes(about)) notice(capital(message));
    if (isMove) this.showBoard();
  }

  // --- The board ---

  turned = () => this.showBoard();

  // Where a board that is turned stays so.
  place = () => (this.#isChoosing ? "" : this.#id);

  #turnBoard() {
    if (this.desk.mode !== "play") return;
    const side = this.#isChoosing ? this.newGame.side() : this.#game?.side;
    if (side) this.desk.turnBoard(side === "black" ? "black" : "white");
  }

  #fens = () => [this.#game.start, ...this.#game.moves.map(({ fen }) => fen)];

  fen() {
    if (this.#current()) return this.#fens()[this.#shown];
    return (this.#isChoosing && this.newGame.first?.position.fen) || START;
  }

  showBoard() {
    if (this.desk.mode !== "play") return;
    this.desk.board.arrows(this.#current() ? this.hint.at(this.fen()) : []);
    if (this.#current()) this.#showPosition();
    else this.#showFirst();
    this.#showStrips();
    this.desk.shown();
  }

  // The first position of a new game. A move begins it, unless the engine has the first move.
  #showFirst() {
    const { turn, check, dests } = (this.#isChoosing && this.newGame.first?.position) || {};
    const movable = ["random", turn].includes(this.newGame.side()) ? turn : null;
    this.desk.board.show({ fen: this.fen(), check, dests, movable });
  }

  #showPosition() {
    const { start, position, ending, moves, side } = this.#game;
    const isLast = this.#shown === moves.length;
    const at = moves[this.#shown - 1];
    const goesOn = isLast && !ending;
    this.desk.board.show({
      fen: this.fen(),
      last: at?.uci,
      check: isLast ? position.check : at?.check,
      dests: position.dests,
      movable: goesOn ? side : null,
      premoves: goesOn && !this.#waiting,
      waiting: goesOn ? this.#waiting?.move : "",
    });
    this.list.showGame(start, moves, this.#shown);
  }

  // Returns the number of the message with the move, if it is sent now.
  moved(uci) {
    if (this.#isChoosing) {
      this.newGame.begin(uci, this.newGame.first.position.turn);
      return 0;
    }
    this.#waiting = { move: uci, ply: this.#game.moves.length };
    if (socket.isOpen()) return this.#say("move", this.#waiting);
    this.showBoard();
    notice("Your move waits for it.");
    return 0;
  }

  /** @type {Messages.Say} */ #say = (message, fields) => {
    notice(socket.isOpen() ? "" : capital(LOST));
    return socket.say(message, fields);
  };

  // For the last position, while it is the person's move.
  askHint() {
    const { ending, position, side, moves } = this.#current() ?? {};
    if (position?.turn !== side || ending || !position) return;
    this.#shown = moves.length;
    this.hint.press(position.fen);
  }

  go(to) {
    if (!this.#current()) return;
    const last = this.#game.moves.length;
    this.#shown = { first: 0, back: Math.max(0, this.#shown - 1), on: Math.min(last, this.#shown + 1), last }[to] ?? to;
    this.showBoard();
    const move = this.#game.moves[this.#shown - 1];
    if (move) soundOf(move.san);
    announce(move ? spoken(move.san) : "Start position");
  }

  space = () => this.go("last");
  write = () => this.entry.field.focus();

  #showStrips() {
    const game = this.#current();
    for (const side of ["white", "black"]) {
      const parts = () => [
        make("span.name", game.players[side]),
        captured(this.#fens().slice(0, this.#shown + 1), side),
        make("span.doing", side === game.side ? "" : game.notice || (game.thinking ? "thinking …" : "")),
        ...(game.clock ? [make("span.clock", { "data-clock": side, role: "timer" })] : []),
      ];
      const known = game ? parts() : [make("span.doing", capital(side))];
      this.desk.strip(side).replaceChildren(swatch(side, game), ...known);
    }
    this.#showClocks();
  }

  #showClocks() {
    const clock = this.#current()?.clock;
    if (!clock || this.desk.mode !== "play") return;
    const passed = (performance.now() - this.#received) / 1000;
    for (const side of ["white", "black"]) {
      const element = find(`[data-clock="${side}"]`);
      if (!element) continue;
      const isRunning = clock.running === side;
      const left = clock[side] - (isRunning ? passed : 0);
      const isLow = isRunning && left < LOW;
      if (isLow && side === this.#game.side && !clock.hasWarned && clock[side] >= LOW) {
        clock.hasWarned = true;
        sound("low");
      }
      element.textContent = clockText(left);
      element.classList.toggle("running", isRunning);
      element.classList.toggle("low", isLow);
    }
  }

  // --- The panel ---

  showPanel() {
    document.body.classList.toggle("choosing", this.#isChoosing);
    if (!this.#isConnected) return; // The form shows the engines, which the server's welcome names.
    const { choices, game, result, entry, opening, playing, over, takeback, putback, hint, lost } = this.parts;
    choices.hidden = !this.#isChoosing;
    game.hidden = !this.#current();
    if (this.#isChoosing) this.newGame.show(this.#id ? () => (location.hash = `#play/${this.#id}`) : null);
    if (!this.#current()) return;
    const { ending, side, engine, moves, position, undone } = this.#game;
    result.hidden = !ending;
    if (ending) {
      const [reason, score] = ending.split(/, (?=[^,]*$)/);
      const mine =
        score === "1/2-1/2" ? "A draw" : (score === "1-0") === (side === "white") ? "You won" : `${engine} won`;
      result.replaceChildren(make("b", `${mine}, ${score}`), make("span.muted", capital(reason)));
    }
    entry.hidden = Boolean(ending);
    if (ending) this.entry.say("");
    opening.textContent = moves.findLast((move) => move.opening)?.opening ?? "";
    playing.hidden = Boolean(ending);
    over.hidden = !ending;
    takeback.hidden = moves.length <= (position.turn === side ? 1 : 0);
    putback.hidden = !undone;
    hint.hidden = position.turn !== side;
    const isLost = !socket.isOpen();
    for (const name of ASKING) this.parts[name].disabled = isLost;
    lost.hidden = !isLost;
  }

  // The game, or the position of a new one. isReviewed: the whole game is analysed at once.
  analyse(isReviewed = false) {
    if (!this.#current()) return this.desk.analyse({ start: this.newGame.first?.position.fen });
    const { start, moves, players, ending } = this.#game;
    const tags = { White: players.white, Black: players.black, Result: ending?.split(" ").at(-1) ?? "*" };
    return this.desk.analyse({ start, moves, tags, ply: isReviewed ? 0 : this.#shown }, { isReviewed });
  }

  // What can be had of the game, for a menu.
  get copies() {
    if (!this.#current()) return [];
    const pgn = () => fetchText(`/game/${this.#id}.pgn`);
    return [
      ["Copy PGN", async () => notice(`${await copied(pgn())}.`)],
      ["Download PGN", () => pgn().then((text) => download(fileOfGame(tagsOf(text)), text), fail)],
    ];
  }
}

// A hint in a game: the best move by Ox88 at full strength. The first press marks its piece, the second shows the move.
class Hint {
  #fen = ""; // Of the position that the hint is for.
  #move = ""; // The best move (UCI), once it has come.
  #isWhole = false; // The move is shown, not only its piece.
  #latest = new Latest();

  // button: says what it does next. onchange(): called when there is something else to draw.
  constructor(button, onchange) {
    this.button = button;
    this.onchange = onchange;
  }

  // fen: of the game's last position.
  async press(fen) {
    if (fen === this.#fen) this.#isWhole = Boolean(this.#move);
    else {
      this.keep("");
      this.#fen = fen;
      this.#label();
      const refuse = (error) => {
        this.keep("");
        fail(error);
      };
      this.#move = (await this.#latest.of(socket.ask("hint")).catch(refuse))?.move ?? "";
    }
    this.#label();
    this.onchange();
    const [from, to] = [this.#move.slice(0, 2), this.#move.slice(2, 4)];
    if (from) announce(this.#isWhole ? `Hint: ${from} to ${to}` : `Hint: the piece on ${from}`);
  }

  // What is to be drawn in a position: a square, a move, or nothing.
  at(fen) {
    if (fen !== this.#fen || !this.#move) return [];
    return [this.#isWhole ? this.#move : this.#move.slice(0, 2)];
  }

  // Forget what is for another position than this one; "" for none. The caller draws.
  keep(fen) {
    if (fen === this.#fen) return;
    this.#latest.drop();
    this.#fen = this.#move = "";
    this.#isWhole = false;
    this.#label();
  }

  #label() {
    const isMarked = this.#move && !this.#isWhole;
    this.button.textContent = this.#fen && !this.#move ? "Thinking …" : isMarked ? "Show the move" : "Hint";
  }
}

const WORTH = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9 };

// What a side has captured, and by how many pawns it is ahead. fens: the positions up to the one that is shown.
function captured(fens, side) {
  const count = (fen, letter) => fen.split(" ")[0].split(letter).length - 1;
  const roles = Object.entries(WORTH).map(([role, worth]) => {
    const letter = role === "knight" ? "n" : role[0];
    const [own, theirs] = side === "white" ? [letter.toUpperCase(), letter] : [letter, letter.toUpperCase()];
    const isTaken = (fen, before) => turnOf(before) === side && count(fen, theirs) < count(before, theirs);
    const taken = fens.slice(1).filter((fen, ply) => isTaken(fen, fens[ply])).length;
    return { role, taken, lead: worth * (count(fens.at(-1), own) - count(fens.at(-1), theirs)) };
  });
  const groups = roles.filter(({ taken }) => taken);
  const words = groups.map(({ role, taken }) => `${taken} ${role}${taken > 1 ? "s" : ""}`);
  const lead = roles.reduce((sum, role) => sum + role.lead, 0);
  const ahead = lead > 0 ? `+${lead}` : "";
  const spoken = [words.join(", ") || "nothing", ahead && `${lead} ahead`].filter(Boolean).join("; ");
  const color = side === "white" ? "black" : "white";
  const pieces = ({ role, taken }) => Array.from({ length: taken }, () => figure(color, role));
  return make("span.captured", [
    groups.map((group) => make("span.pieces", { "aria-hidden": "true" }, pieces(group))),
    make("span", { "aria-hidden": "true" }, ahead),
    words.length || ahead ? make("span.aside", `captured: ${spoken}`) : "",
  ]);
}
