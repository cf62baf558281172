// The page Train: where it begins, a session of puzzles, and how a session ended. The server keeps the session.

import { find, findAll, make } from "/viewer/dom.js";
import { clockText } from "/viewer/words.js";
import { onClick } from "./controls.js";
import { Drill } from "./drill.js";
import { TrainStart } from "./trainstart.js";
import { comingBack, titleOf } from "./trainwords.js";
import { announce } from "./words.js";

const GRADES = { good: ["✓", "right"], hard: ["✓", "right in the end"], again: ["✗", "wrong"] };
const LOW = 10; // Seconds left at which the clock warns.

const addressOf = ({ what, theme }) => `#train/${what}${theme ? `/${theme}` : ""}`;

export class Train {
  place = ""; // A board that is turned stays so until the next puzzle only.
  // Keys beside those of all pages.
  keys = {
    Enter: () => this.space(),
    n: () => this.space(),
    s: () => this.#ifDrilling((drill) => drill.reveal("solution")),
  };
  #view = "start"; // Or "drill" or "over".
  /** @type {Messages.TrainingSession} */
  #session = null;
  #received = 0; // When it arrived, in the page's time.
  #isLost = false;
  #asked = 0;

  // desk: see main.js.
  /** @param {import("./socket.js").Socket} socket */
  constructor(panel, socket, desk) {
    this.socket = socket;
    this.desk = desk;
    this.link = find("nav [data-mode=train]");
    this.views = {
      start: find("#train-start", panel),
      drill: find("#drill", panel),
      over: find("#session-over", panel),
    };
    this.start = new TrainStart(this.views.start, socket, {
      onbegin: (what, theme = "") => (location.hash = addressOf({ what, theme })),
      ontrain: (keys) => this.#begin({ what: "mistakes", keys }),
      onerror: desk.fail,
    });
    this.drill = new Drill(this.views.drill, socket, desk, {
      onsession: (session) => this.#keep(session),
      onnext: () => this.#goOn(),
    });
    onClick(this.views.drill, { end: () => (location.hash = "#train") });
    socket.on("lost", () => this.#lose());
    socket.on("open", () => this.#isLost && this.#comeBack());
    setInterval(() => this.#showClock(), 200);
  }

  // what: "" for the beginning; a kind of session, which goes on if it has begun; "over"; or "game", whose id follows.
  async open(what = "", detail = "") {
    this.link.setAttribute("href", "#train");
    if (!what || what === "game") return this.#showStart(detail);
    const going = await this.#latest(this.socket.ask("next").catch(() => null));
    if (going === undefined) return;
    const isOver = going?.session.over;
    const isSame = going?.session.what === what && going.session.theme === detail;
    if (what === "over" ? isOver : isSame && !isOver) this.#show(going);
    else if (what === "over") location.replace("#train");
    else this.#begin({ what, theme: detail });
  }

  // The link leads back to the puzzle that is left.
  rest() {
    this.#asked += 1;
    this.drill.rest();
    this.desk.board.arrows([]);
    if (this.#view === "drill") this.link.setAttribute("href", addressOf(this.#session));
  }

  // An answer, unless the page has gone on meanwhile: then undefined.
  async #latest(asked) {
    const serial = ++this.#asked;
    const answer = await asked;
    return serial === this.#asked ? answer : undefined;
  }

  // game: an id of a game to learn from; "" for none.
  #showStart(game) {
    this.#asked += 1;
    this.#setView("start");
    this.start.show();
    if (game) this.start.learn({ games: [game], most: 3 });
  }

  #setView(view) {
    this.#view = view;
    this.desk.board.arrows([]); // chessground cannot draw them on a board that is hidden.
    for (const [name, element] of Object.entries(this.views)) element.hidden = name !== view;
    document.body.classList.toggle("drilling", view === "drill");
  }

  // --- A session ---

  async #begin(wish) {
    const refuse = (error) => {
      this.desk.fail(error);
      if (this.socket.isOpen) location.replace("#train");
    };
    this.#show(await this.#latest(this.socket.ask("train", wish).catch(refuse)));
  }

  async #goOn() {
    this.#show(await this.#latest(this.socket.ask("next", { done: this.drill.key }).catch(this.desk.fail)));
  }

  /** @param {Messages.Drill | undefined} drill */
  #show(drill) {
    if (!drill) return;
    this.#setView(drill.puzzle ? "drill" : "over");
    this.#keep(drill.session);
    this.desk.show(drill.puzzle ? addressOf(drill.session) : "#train/over");
    if (drill.puzzle) this.drill.show(drill, drill.session.what === "rush");
    else this.#showOver();
  }

  #lose() {
    this.#isLost = true;
    this.drill.lock();
  }

  #comeBack() {
    this.#isLost = false;
    if (this.desk.mode === "train") this.open(...location.hash.split("/").slice(1));
  }

  // --- What is shown of the session ---

  /** @param {Messages.TrainingSession} session */
  #keep(session) {
    this.#session = session;
    this.#received = performance.now();
    const { what, place, length, right, wrong, grades } = session;
    const isRush = what === "rush";
    const status = isRush ? `${right} right, ${wrong} error${wrong === 1 ? "" : "s"}` : `${place} of ${length}`;
    find("h2", this.views.drill).textContent = titleOf(session);
    find("header .muted", this.views.drill).textContent = status;
    find(".clock", this.views.drill).hidden = !isRush;
    for (const list of findAll(".marks")) {
      list.hidden = isRush;
      list.replaceChildren(...Array.from({ length }, (_, index) => dot(grades[index], index + 1, place)));
    }
    this.#showClock();
  }

  #showClock() {
    if (this.#session?.seconds == null || this.#view !== "drill" || this.desk.mode !== "train") return;
    const left = this.#session.seconds - (performance.now() - this.#received) / 1000;
    const clock = find(".clock", this.views.drill);
    clock.textContent = clockText(left);
    clock.classList.toggle("low", left < LOW);
    if (left > 0) return;
    this.#session.seconds = null;
    this.#goOn();
  }

  async #showOver() {
    const { what, theme, right, wrong, best, change, back } = this.#session;
    const isRush = what === "rush";
    const title = isRush ? `${right} right` : `${right} of ${right + wrong} right`;
    const lines = [
      isRush && (right && right === best ? "Your best rush." : `Your best rush: ${best}.`),
      change && `Your rating has ${change > 0 ? "risen" : "fallen"} by ${Math.abs(change)}.`,
      back.length && `Coming back: ${comingBack(back)}.`,
    ].filter(Boolean);
    const over = this.views.over;
    find("h2", over).textContent = title;
    find(".rows-tight", over).replaceChildren(...lines.map((line) => make("p", line)));
    announce([title, ...lines].join(" "));
    const { due, fresh } = await this.socket.ask("statistics").catch(() => ({ due: 0, fresh: 0 }));
    const goesOn = what !== "mistakes" || due + fresh > 0;
    const onclick = () => this.#begin({ what, theme });
    const again = goesOn && make("button.primary", { onclick }, isRush ? "Again" : "Next session");
    const home = make(goesOn ? "a.plain" : "a.primary", { href: "#train" }, "To the beginning");
    find(".buttons", over).replaceChildren(...[again, home].filter(Boolean));
    find(".primary", over).focus({ preventScroll: true });
  }

  // --- What the page asks of the panel that has the board ---

  #ifDrilling(act) {
    if (this.#view === "drill") act(this.drill);
  }

  get fen() {
    return this.drill.fen;
  }

  showBoard() {
    this.#ifDrilling((drill) => drill.draw());
  }

  showPanel() {
    this.#ifDrilling((drill) => drill.tell());
  }

  turned() {
    this.showBoard();
  }

  moved(uci) {
    this.drill.try(uci, this.desk.fail);
  }

  go(to) {
    this.#ifDrilling((drill) => drill.go(to));
  }

  space() {
    this.#ifDrilling((drill) => drill.goOn());
    if (this.#view === "over") find(".primary", this.views.over).click();
  }

  askHint() {
    this.#ifDrilling((drill) => drill.reveal("hint"));
  }

  write() {
    this.#ifDrilling((drill) => drill.entry.field.focus());
  }
}

// A puzzle of the session. number: from 1. place: of the current one.
function dot(grade, number, place) {
  const isNow = !grade && number === place;
  const [sign, words] = GRADES[grade] ?? ["·", isNow ? "now" : "to come"];
  return make("li", { class: grade ?? "", "aria-current": isNow && "step" }, [
    make("span", { "aria-hidden": "true" }, sign),
    make("span.aside", `${number}: ${words}`),
  ]);
}
