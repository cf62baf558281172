// The page Train: where it begins, a session of puzzles, and how a session ended. The server keeps the session.

import { find, findAll, make, View } from "/viewer/dom.js";
import { fail, notice, onClick } from "./controls.js";
import { Drill } from "./drill.js";
import { Latest, socket } from "./socket.js";
import { TrainStart } from "./trainstart.js";
import { announce, clockText, comingBack, plural, titleOf } from "./words.js";

const GRADES = { good: ["✓", "right"], hard: ["✓", "right in the end"], again: ["✗", "wrong"] };
const LOW = 10; // Seconds left at which the clock warns.
const addressOf = ({ what, theme }) => `#train/${what}${theme ? `/${theme}` : ""}`;

export class Train {
  place = () => ""; // A board that is turned stays so until the next puzzle only.
  #view = "start"; // Or "drill" or "over".
  /** @type {Messages.TrainingSession} */ #session = null;
  #received = 0; // When it arrived, in the page's time.
  #isLost = false;
  #latest = new Latest();

  // desk: see main.js.
  constructor(panel, desk) {
    this.desk = desk;
    this.link = find("nav [data-mode=train]");
    const { start, drill, over } = new View(panel).parts;
    this.views = { start, drill, over };
    this.over = new View(over);
    this.start = new TrainStart(start, {
      begin: (what, theme = "") => (location.hash = addressOf({ what, theme })),
      train: (keys) => this.#begin({ what: "mistakes", keys }),
    });
    this.drill = new Drill(drill, desk, {
      session: (session) => this.#keep(session),
      next: () => this.#goOn(),
      refused: () => this.#catchUp(),
    });
    onClick(drill, { end: () => this.#end() });
    socket.on("lost", () => {
      this.#isLost = true;
      this.drill.lock();
    });
    socket.on("open", () => {
      if (this.#isLost && desk.mode === "train") {
        if (this.#view === "drill") this.#catchUp(true);
        else this.open(...location.hash.split("/").slice(1));
      }
      this.#isLost = false;
    });
    setInterval(() => this.#showClock(), 200);
  }

  // what: "" for the beginning; a kind of session, which goes on if it has begun; "over"; or "game", whose id follows.
  async open(what = "", detail = "") {
    this.link.setAttribute("href", "#train");
    if (!what || what === "game") {
      this.#latest.drop();
      this.#setView("start");
      this.start.show();
      if (detail) this.start.learn({ games: [detail], most: 3 });
      return;
    }
    const going = await this.#latest.of(socket.ask("next").catch(() => null));
    const isOver = going?.session.over;
    const isSame = going?.session.what === what && going.session.theme === detail;
    if (what === "over" ? isOver : isSame && !isOver) this.#show(going);
    else if (what === "over") location.replace("#train");
    else this.#begin({ what, theme: detail });
  }

  // The link leads back to the puzzle that is left.
  rest() {
    this.#latest.drop();
    this.drill.rest();
    this.desk.board.arrows([]);
    if (this.#view === "drill") this.link.setAttribute("href", addressOf(this.#session));
  }

  #setView(view) {
    this.#view = view;
    this.desk.board.arrows([]); // chessground cannot draw them on a board that is hidden.
    for (const [name, element] of Object.entries(this.views)) element.hidden = name !== view;
    document.body.classList.toggle("drilling", view === "drill");
  }

  async #begin(wish) {
    const refuse = (error) => {
      fail(error);
      if (socket.isOpen()) location.replace("#train");
    };
    this.#show(await this.#latest.of(socket.ask("train", wish).catch(refuse)));
  }

  async #goOn() {
    this.#show(await this.#latest.of(socket.ask("next", { done: this.drill.key() }).catch(fail)));
  }

  // Show where the session stands: another page or time may have moved on. isLost: nothing was heard meanwhile.
  async #catchUp(isLost = false) {
    const going = await this.#latest.of(socket.ask("next").catch(() => null));
    if (!going) return socket.isOpen() && location.replace("#train");
    if (!isLost && this.drill.isAt(going)) return;
    if (!isLost && going.puzzle) notice("Another page has gone on.");
    this.#show(going);
  }

  // A session that is ended early can go on later.
  #end() {
    const { right, wrong, length } = this.#session;
    if (!right && !wrong) return (location.hash = "#train");
    if (right + wrong === length) return this.#goOn();
    this.rest();
    this.#setView("over");
    this.desk.show("#train/over");
    this.#showOver();
  }

  #show(/** @type {Messages.Drill | void} */ drill) {
    if (!drill) return;
    this.#setView(drill.puzzle ? "drill" : "over");
    this.#keep(drill.session);
    this.desk.show(drill.puzzle ? addressOf(drill.session) : "#train/over");
    if (drill.puzzle) this.drill.show(drill, drill.session.what === "rush");
    else this.#showOver();
  }

  #keep(/** @type {Messages.TrainingSession} */ session) {
    this.#session = session;
    this.#received = performance.now();
    const { what, place, length, right, wrong, grades } = session;
    const isRush = what === "rush";
    const { title, state, clock } = this.drill.parts;
    title.textContent = titleOf(session);
    state.textContent = isRush ? `${right} right, ${plural(wrong, "error")}` : `${place} of ${length}`;
    clock.hidden = !isRush;
    const dot = (_, index) => {
      const isNow = !grades[index] && index + 1 === place;
      const [sign, words] = GRADES[grades[index]] ?? ["·", isNow ? "now" : "to come"];
      return make("li", { class: grades[index] ?? "", "aria-current": isNow && "step" }, [
        make("span", { "aria-hidden": "true" }, sign),
        make("span.aside", `${index + 1}: ${words}`),
      ]);
    };
    for (const list of findAll("#panel-train .marks")) {
      list.hidden = isRush;
      list.replaceChildren(...Array.from({ length }, dot));
    }
    this.#showClock();
  }

  #showClock() {
    if (this.#session?.seconds == null || this.#view !== "drill" || this.desk.mode !== "train") return;
    const left = this.#session.seconds - (performance.now() - this.#received) / 1000;
    const { clock } = this.drill.parts;
    clock.textContent = clockText(left);
    clock.classList.toggle("low", left < LOW);
    if (left > 0) return;
    this.#session.seconds = null;
    this.#goOn();
  }

  async #showOver() {
    const { what, theme, right, wrong, best, change, back, length, over } = this.#session;
    const isRush = what === "rush";
    const words = isRush ? `${right} right` : `${right} of ${right + wrong} right`;
    const lines = [
      !over && length && `${right + wrong} of ${length} answered.`,
      isRush && (right && right === best ? "Your best rush." : `Your best rush: ${best}.`),
      change && `Your rating has ${change > 0 ? "risen" : "fallen"} by ${Math.abs(change)}.`,
      back.length && `Coming back: ${comingBack(back)}.`,
    ].filter(Boolean);
    this.over.parts.title.textContent = words;
    this.over.parts.lines.replaceChildren(...lines.map((line) => make("p", line)));
    announce([words, ...lines].join(" "));
    const { due, fresh } = await socket.ask("statistics").catch(() => ({ due: 0, fresh: 0 }));
    const goesOn = !over || what !== "mistakes" || due + fresh > 0;
    const onclick = () => (over ? this.#begin({ what, theme }) : this.#catchUp(true));
    const label = !over ? "Go on" : isRush ? "Again" : "Next session";
    const again = goesOn ? [make("button.primary", { onclick }, label)] : [];
    const home = make(goesOn ? "a.plain" : "a.primary", { href: "#train" }, "To the beginning");
    this.over.parts.buttons.replaceChildren(...again, home);
    find(".primary", this.views.over).focus({ preventScroll: true });
  }

  // --- What the page asks of the panel that has the board ---

  #ifDrilling(act) {
    if (this.#view === "drill") act(this.drill);
  }

  fen = () => this.drill.fen();
  showBoard = () => this.#ifDrilling((drill) => drill.draw());
  turned = this.showBoard;
  showPanel = () => this.#ifDrilling((drill) => drill.tell());
  moved = (uci) => this.drill.try(uci, fail);
  go = (to) => this.#ifDrilling((drill) => drill.go(to));
  askHint = () => this.#ifDrilling((drill) => drill.reveal("hint"));
  write = () => this.#ifDrilling((drill) => drill.entry.field.focus());
  space = () => {
    if (this.#view === "over") find(".primary", this.views.over).click();
    else this.#ifDrilling((drill) => drill.goOn());
  };
  // Keys beside those of all pages.
  keys = { Enter: this.space, n: this.space, s: () => this.#ifDrilling((drill) => drill.reveal("solution")) };
}
