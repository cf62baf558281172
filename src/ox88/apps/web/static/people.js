// What people of a rating play in a position. The browser remembers the rating.

import { find, make } from "/viewer/dom.js";
import { capital, written } from "/viewer/words.js";
import { onPoint } from "./controls.js";
import { Latest } from "./socket.js";

const KEPT = "ox88.people";
const [LEAST, MOST, STEP] = [400, 2200, 100];
const SHOWN = 4; // Moves at most, ...
const SEEN = 0.04; // ... each with at least this share.

export const percent = (share) => (share < 0.005 ? "fewer than 1 %" : `${Math.round(100 * share)} %`);

export class People {
  #place = null; // The start and the moves of the position; null if nothing is to be shown.
  #latest = new Latest();

  // on.play(moves), on.hover(moves or null): see EngineLines. on.change(): another rating is chosen.
  /** @param {import("./socket.js").Socket} socket */
  constructor(element, socket, on) {
    this.element = element;
    this.socket = socket;
    this.on = on;
    this.says = find("span", element);
    this.choice = find("select", element);
    for (let rating = LEAST; rating <= MOST; rating += STEP) this.choice.append(make("option", String(rating)));
    this.choice.value = localStorage.getItem(KEPT) ?? "1500";
    this.choice.addEventListener("change", () => {
      localStorage.setItem(KEPT, this.choice.value);
      this.show(this.#place);
      on.change();
    });
    onPoint(this.says, (target) => {
      const move = target?.closest("button")?.dataset.move;
      on.hover(move ? [move] : null);
    });
  }

  get rating() {
    return Number(this.choice.value);
  }

  // What people play after some moves. rating: of a player, as a tag has it; the chosen one where there is none.
  async ask(place, rating = "") {
    const of = Number(rating) || this.rating;
    const known = Math.min(Math.max(Math.round(of), LEAST), MOST);
    const { moves } = await this.socket.ask("people", { ...place, rating: known });
    return { rating: known, moves };
  }

  // The position has changed: what is shown waits for the next one, and cannot be used.
  expire() {
    this.#latest.drop();
    this.says.inert = true;
  }

  // Show it for a position; null for none.
  show(place) {
    this.#place = place;
    this.expire();
    this.element.hidden = !place;
    if (!place) this.says.replaceChildren();
    else this.#latest.of(this.ask(place)).then(({ moves }) => this.#list(moves), this.#fail);
  }

  #fail = (error) => this.says.replaceChildren(make("span.muted", `${capital(error.message)}.`));

  #list(moves) {
    const seen = moves.filter(({ share }, index) => !index || (index < SHOWN && share >= SEEN));
    const told = seen.map((move) => [
      make("button", { "data-move": move.uci, onclick: () => this.on.play([move.uci]) }, written(move.san)),
      ` ${percent(move.share)}`,
    ]);
    this.says.inert = false;
    this.says.replaceChildren(...told.flatMap((words, index) => [...(index ? [", "] : []), ...words]));
  }
}
