// What people of a rating play in a position. The browser remembers the rating.

import { find, make, View } from "/viewer/dom.js";
import { capital, written } from "/viewer/words.js";
import { keepChoice, onPoint } from "./controls.js";
import { Latest, socket } from "./socket.js";

const [LEAST, MOST, STEP] = [400, 2200, 100];
const SHOWN = 4; // Moves at most, ...
const SEEN = 0.04; // ... each with at least this share.
const LOSS = 10; // Percent of the chances to win that a mistake costs at least, as in a review.
const ORDINALS = ["", "", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

// With a blank at which no line ends.
export const percent = (share) => (share < 0.005 ? "fewer than 1\u00a0%" : `${Math.round(100 * share)}\u00a0%`);

// Such as "a mistake that every fifth makes".
function errorInWords(error, share) {
  const who = share > 0.6 ? "most make" : share < 0.1 ? "few make" : `every ${ORDINALS[Math.round(1 / share)]} makes`;
  return `a ${error} that ${who}`;
}

export class People extends View {
  #place = null; // The start and the moves of the position; null if nothing is to be shown.
  #moves = []; // What is shown.
  #errors = {}; // The kinds of those that are mistakes, by their UCI, ...
  #good = new Set(); // ... but for those that are none in the engine's lines, which look deeper.
  #latest = new Latest();
  #judged = new Latest();

  // on.play(moves), on.hover(moves or null): see EngineLines. on.change(): another rating is chosen.
  constructor(element, on) {
    super(element, on);
    const { choice, says } = this.parts;
    for (let rating = LEAST; rating <= MOST; rating += STEP) choice.append(make("option", String(rating)));
    keepChoice(choice, "people", "1500");
    choice.addEventListener("change", () => {
      this.show(this.#place);
      on.change();
    });
    onPoint(says, (target) => {
      const move = target?.closest("button")?.dataset.move;
      on.hover(move ? [move] : null);
    });
  }

  // What people play after some moves. rating: of a player, as a tag has it; the chosen one where there is none.
  async ask(place, rating = "") {
    const of = Number(rating) || Number(this.parts.choice.value);
    const known = Math.min(Math.max(Math.round(of), LEAST), MOST);
    const { moves } = await socket.ask("people", { ...place, rating: known });
    return { rating: known, moves };
  }

  // The position has changed: what is shown waits for the next one, and cannot be used.
  expire() {
    this.#latest.drop();
    this.#judged.drop();
    this.#errors = {};
    this.#good.clear();
    this.parts.says.inert = true;
  }

  // The engine's lines, the best first.
  compare(lines) {
    const good = lines.filter(({ win }) => Math.abs(win - lines[0].win) < LOSS).map(({ moves }) => moves[0]);
    const isNews = good.some((uci) => this.#errors[uci] && !this.#good.has(uci));
    this.#good = new Set(good);
    if (isNews) this.#list();
  }

  // Show it for a position; null for none.
  show(place) {
    this.#place = place;
    this.expire();
    this.element.hidden = !place;
    if (!place) this.parts.says.replaceChildren();
    else this.#latest.of(this.ask(place)).then(({ moves }) => this.#show(moves), this.#fail);
  }

  #fail = (error) => this.parts.says.replaceChildren(make("span.muted", `${capital(error.message)}.`));

  #show(moves) {
    this.#moves = moves.filter(({ share }, index) => !index || (index < SHOWN && share >= SEEN));
    this.#list();
    if (moves.length < 2) return;
    const judge = socket.ask("judge", { ...this.#place, of: this.#moves.map(({ uci }) => uci) });
    const unknown = { errors: {} }; // The moves stand without them.
    this.#judged.of(judge.catch(() => unknown)).then(({ errors }) => {
      this.#errors = errors;
      this.#list();
    });
  }

  // A button that is replaced while it is pressed would lose the click.
  #list() {
    if (this.parts.says.matches(":active")) return;
    const focused = find("button:focus", this.parts.says)?.dataset.move;
    const told = this.#moves.map(({ uci, san, share }) => {
      const error = this.#good.has(uci) ? null : this.#errors[uci];
      const play = make("button", { "data-move": uci, onclick: () => this.on.play([uci]) }, written(san));
      const words = [play, `\u00a0${percent(share)}`];
      return error ? [...words, " (", make(`span.${error}`, errorInWords(error, share)), ")"] : words;
    });
    this.parts.says.inert = false;
    this.parts.says.replaceChildren(...told.flatMap((words, index) => [...(index ? [", "] : []), ...words]));
    if (focused) find(`[data-move="${focused}"]`, this.parts.says).focus();
  }
}
