// A puzzle on the board: what is asked, the moves that are tried, and the answer. The server knows the answer, and has
// saved what is tried before this hears of it.

import { make, unbroken, View } from "/viewer/dom.js";
import { arrowOf, capital, numbered, START, written } from "/viewer/words.js";
import { Entry, fail, onClick } from "./controls.js";
import { socket } from "./socket.js";
import { announce, isTelling, soundOf, spoken, themeInWords, whenText } from "./words.js";

const BEFORE = 500; // Milliseconds that the position before the puzzle is shown, ...
const REPLY = 350; // ... before a reply is played, ...
const WRONG = 900; // ... and that a wrong move stands.
const LABELS = { right: { text: "✓", fill: "#1d7a5f" }, wrong: { text: "✗", fill: "#c2282e" } };
const HEADS = { right: "✓ Right.", wrong: "✗ Wrong.", shown: "The answer:" };
const OUR_GAME = /^[\w-]{16}$/;

export class Drill extends View {
  /** @type {Messages.Drilled} */ #puzzle = null;
  /** @type {Messages.Answered} */ #answer = null; // Once the puzzle is over.
  #isRush = false; // There are no hints, and the next puzzle follows at once.
  #shown = 0; // The number of the position on the board.
  #waiting = ""; // A move whose verdict is on its way.
  #mark = null; // A sign on a square: { square, what }.
  #refuted = null; // A wrong move, while it stands on the board.
  #isLocked = false; // The connection is lost.
  #timer = 0;
  #from = null; // What had the focus when the puzzle was over.

  // desk: see main.js. on.session(session): called when it has changed. on.next(): called to go on.
  // on.refused(): called when the server has refused a move or a question.
  constructor(element, desk, on) {
    super(element, on);
    this.desk = desk;
    this.entry = new Entry(this.parts.entry, (text) => this.try(text, (error) => this.entry.say(error.message)));
    const analyse = () => desk.analyse({ start: this.#puzzle.start, moves: this.#answer.solution });
    const reveal = (what) => () => this.reveal(what);
    onClick(element, { hint: reveal("hint"), show: reveal("solution"), next: () => this.goOn(), analyse });
  }

  key = () => this.#puzzle?.key ?? ""; // Of the puzzle; "" for none.
  isAt = (/** @type {Messages.Drill} */ { puzzle, answer }) =>
    !answer && puzzle?.key === this.key() && puzzle.moves.length === this.#puzzle.moves.length;
  fen = () => (this.#puzzle ? this.#positions[this.#shown].fen : START);

  // The positions, each with the move to it. First comes the one before the puzzle.
  /** @returns {any[]} */ get #positions() {
    const { fen, start, previous, moves } = this.#puzzle;
    const isRevealed = this.#answer && !this.#isFound;
    return [{ fen }, { fen: start, uci: previous }, ...(isRevealed ? this.#answer.solution : moves)];
  }

  #last = () => this.#positions.length - 1;

  // The puzzle was solved on the board, perhaps by another mate than the solution's.
  get #isFound() {
    const { moves } = this.#puzzle;
    return moves.length >= this.#answer.solution.length || Boolean(moves.at(-1)?.san.endsWith("#"));
  }

  // --- What the server says ---

  show(/** @type {Messages.Drill} */ { puzzle, answer }, isRush) {
    const isNew = puzzle.key !== this.key();
    this.rest();
    this.#puzzle = puzzle;
    this.#answer = answer;
    this.#isRush = isRush;
    this.#isLocked = false;
    this.element.dataset.key = puzzle.key;
    if (isNew) this.entry.clear();
    else this.entry.say(""); // What was written while the connection was lost can be sent again.
    this.desk.turnBoard(puzzle.side);
    this.#shown = this.#last();
    this.#say(puzzle.missed ? "wrong" : "", "Try again.");
    if (answer) this.#tellAnswer();
    else if (!puzzle.moves.length) this.#step(0, 1, BEFORE);
    this.draw();
    if (!isNew || answer) return;
    announce(this.parts.question.textContent);
    this.#from?.focus({ preventScroll: true });
    this.#from = null;
  }

  // Show a position, and another one later.
  #step(number, next, milliseconds) {
    this.#shown = number;
    this.#later(milliseconds, () => (this.#shown = next));
  }

  #later(milliseconds, act) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      act();
      this.draw();
    }, milliseconds);
  }

  // End what would happen later.
  rest() {
    clearTimeout(this.#timer);
    this.#waiting = "";
    this.#refuted = this.#mark = null;
  }

  // No move is taken until the puzzle is shown again.
  lock() {
    this.#isLocked = true;
    this.draw();
  }

  // move: UCI, or as it is written. onwrong(error): called if it is no move here.
  async try(move, onwrong) {
    const puzzle = this.#puzzle;
    if (this.#answer || this.#waiting || this.#isLocked) return this.draw();
    this.rest();
    this.#shown = this.#last();
    this.#waiting = move;
    this.draw();
    const tried = await socket.ask("try", { key: puzzle.key, move }).catch(this.#refusal(onwrong));
    if (puzzle !== this.#puzzle) return; // It has been shown again since.
    this.#waiting = "";
    if (tried) this.#hear(tried);
    this.draw();
  }

  #hear(/** @type {Messages.Tried} */ { verdict, move, moves, position, session, answer }) {
    const isWrong = verdict === "wrong";
    const { moves: before, missed, hint } = this.#puzzle;
    this.entry.clear();
    this.on.session(session);
    Object.assign(this.#puzzle, { moves, position, missed: missed || isWrong, hint: isWrong ? hint : "" });
    this.#mark = { square: move.uci.slice(2, 4), what: isWrong ? "wrong" : "right" };
    soundOf(move.san);
    if (isWrong) {
      // It stands for a moment. In a rush there is an answer, and the next puzzle follows.
      const again = answer ? "" : " Try again.";
      this.#refuted = move;
      this.#say("wrong", `${written(move.san)} is not it.${again}`);
      announce(`Wrong: ${spoken(move.san)}.${again}`);
      this.#later(WRONG, () => {
        this.#refuted = this.#mark = null;
        if (answer) this.on.next();
      });
    } else if (answer) this.#finish(answer);
    else {
      this.#say("right", "Go on.");
      announce(`Right. ${spoken(moves[before.length + 1].san)}. Go on.`);
      this.#step(this.#last() - 1, this.#last(), REPLY);
    }
  }

  #finish(answer) {
    const { activeElement } = document;
    this.#answer = answer;
    this.#shown = this.#isFound ? this.#last() : Math.min(this.#shown, this.#last());
    if (this.#isRush) return this.#later(REPLY, this.on.next);
    this.#tellAnswer();
    announce(`${this.parts.verdict.textContent} ${this.parts.about.textContent}`);
    if (!this.element.contains(activeElement)) return;
    this.#from = activeElement === this.entry.field ? activeElement : this.parts.question;
    this.draw();
    this.parts.next.focus({ preventScroll: true });
  }

  async reveal(/** @type {"hint" | "solution"} */ what) {
    const puzzle = this.#puzzle;
    if (this.#answer || this.#isLocked || this.#isRush) return;
    const revealed = await socket.ask("reveal", { key: puzzle.key, what }).catch(this.#refusal(fail));
    if (!revealed || puzzle !== this.#puzzle || this.#answer) return;
    this.rest();
    this.#shown = this.#last();
    puzzle.hint = revealed.hint;
    this.on.session(revealed.session);
    if (revealed.answer) this.#finish(revealed.answer);
    else announce(`Hint: the piece on ${revealed.hint}`);
    this.draw();
  }

  #refusal = (say) => (error) => {
    say(error);
    this.on.refused();
  };

  goOn() {
    if (this.#answer && !this.#isRush) this.on.next();
  }

  // --- What is shown ---

  // to: a direction, or the number of a position.
  go(to) {
    if (to === "on" && this.#shown === this.#last()) return this.goOn();
    this.rest();
    this.#shown = { first: 0, back: Math.max(0, this.#shown - 1), on: this.#shown + 1, last: this.#last() }[to] ?? to;
    const { san } = this.#positions[this.#shown];
    if (san) soundOf(san);
    announce(san ? spoken(san) : this.parts.question.textContent);
    this.draw();
  }

  draw() {
    if (!this.#puzzle || this.element.hidden || this.desk.mode !== "train") return;
    const { position, side, played, start, again, hint } = this.#puzzle;
    const at = this.#refuted ?? this.#positions[this.#shown];
    const isAsked = !this.#answer && !this.#refuted && this.#shown === this.#last();
    const mayMove = isAsked && !this.#waiting && !this.#isLocked;
    this.desk.board.show({
      fen: at.fen,
      last: at.uci,
      check: isAsked ? position.check : at.check,
      dests: position.dests,
      movable: mayMove ? side : null,
      waiting: isAsked ? this.#waiting : "",
    });
    // The move that was played, the piece of a hint or the next move of the answer, and a sign on a move.
    const isOwn = this.#shown % 2 === 1 && !this.#refuted;
    const best = this.#answer ? this.#positions[this.#shown + 1]?.uci : isAsked && hint;
    const further = played && isOwn && this.#shown === 1 ? [arrowOf(played.uci, "red")] : [];
    const signs = this.#mark ? [{ orig: this.#mark.square, label: LABELS[this.#mark.what] }] : [];
    this.desk.board.arrows(best && isOwn ? [best] : [], [...further, ...signs]);
    const what = played ? `You played ${numbered(start, [played])}: find a better move.` : "Find the best move.";
    this.parts.question.replaceChildren(
      make(`span.swatch.${side}`),
      make("b", `${capital(side)} to move.`),
      ` ${what}${again && !this.#answer ? " You have seen it before." : ""}`,
    );
    this.parts.question.hidden = Boolean(this.#answer) && !played;
    for (const button of this.element.querySelectorAll("[data-when]"))
      button.hidden = this.#isRush || (button.dataset.when === "over") !== Boolean(this.#answer);
    this.entry.field.form.hidden = Boolean(this.#answer) && !this.#isRush;
    for (const [index, button] of [...this.parts.line.children].entries())
      button.setAttribute("aria-current", String(index + 2 === this.#shown));
  }

  // how: "right", "wrong" or "shown"; "" for no verdict yet.
  #say(how, text) {
    this.parts.verdict.hidden = !how;
    this.parts.verdict.dataset.how = how;
    this.parts.verdict.replaceChildren(make("b", HEADS[how] ?? ""), ...unbroken(` ${text}`));
    this.parts.line.replaceChildren();
    this.parts.about.replaceChildren();
  }

  // Write the answer anew.
  tell() {
    if (this.#answer && !this.#isRush) this.#tellAnswer();
    this.draw();
  }

  #tellAnswer() {
    const { solution, also, themes, reason, grade, due, rating, change } = this.#answer;
    const { start, missed, kind, played, source, rating: difficulty } = this.#puzzle;
    const line = this.#positions.slice(2);
    const found = grade === "good" ? "" : missed ? "Found after a wrong move." : "Found with a hint.";
    const first = this.#isFound ? found : `${numbered(start, solution.slice(0, 1))}.`;
    const why = played && reason ? `${numbered(start, [played])}? ${reason}` : reason;
    const others = also.length ? [solution[0].san, ...also].filter((san) => san !== line[0].san) : [];
    const good = others.length && `Also good: ${others.map(written).join(", ")}.`;
    this.#say(this.#isFound ? "right" : "shown", [first, why, good].filter(Boolean).join(" "));
    const button = (label, index) => make("button", { onclick: () => this.go(index + 2) }, label);
    this.parts.line.append(...numbered(start, line).map(button));
    const words = [
      capital(themes.filter(isTelling).map(themeInWords).join(", ") || "no theme"),
      kind === "open" && `Puzzle's rating ${difficulty}`,
      change && `Yours ${rating} (${change > 0 ? "+" : "−"}${Math.abs(change)})`,
      due !== null && `Back ${whenText(due)}`,
    ];
    this.parts.about.append(words.filter(Boolean).join(" · "));
    if (!source) return; // Where a mistake was made: a link to the game, or its players.
    const isAddress = /^https?:/.test(source);
    const target = isAddress ? { href: source, target: "_blank", rel: "noopener" } : { href: `#play/${source}` };
    const link = make("a", target, kind === "open" ? "On Lichess" : "The game");
    this.parts.about.append(" · ", isAddress || OUR_GAME.test(source) ? link : source);
  }
}
