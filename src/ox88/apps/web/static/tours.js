// Tours: each is a search, and stops in it with a sentence or two. The tests look whether each stop shows what is said there.

import { make } from "./dom.js";

export const TOURS = [];

export class Tour {
  #tour = null;
  #stop = 0;

  // onstop(view): go to a stop; view: see address.js.
  constructor({ onstop }) {
    this.onstop = onstop;
    this.title = make("h2", {});
    this.words = make("p", { "aria-live": "polite" });
    this.place = make("span", { class: "muted" });
    this.back = make("button", { type: "button", class: "plain small", onclick: () => this.#go(this.#stop - 1) }, "Before");
    this.on = make("button", { type: "button", class: "primary small", onclick: () => this.#go(this.#stop + 1) }, "Next");
    this.element = make(
      "section",
      { class: "card tour", "aria-label": "Tour", hidden: true },
      make("header", {}, this.title, make("button", { type: "button", class: "quiet push", "aria-label": "End the tour", onclick: () => this.open(null) }, "×")),
      make("div", { class: "pad rows-tight" }, this.words, make("div", { class: "buttons" }, this.back, this.place, this.on)),
    );
  }

  // number: of the tour; null ends it.
  open(number) {
    this.#tour = number === null ? null : TOURS[number];
    this.element.hidden = !this.#tour;
    if (this.#tour) this.#go(0);
  }

  #go(stop) {
    this.#stop = stop;
    const { title, fen, nodes, stops } = this.#tour;
    const { node, step, words } = stops[stop];
    this.title.textContent = title;
    this.words.textContent = words;
    this.place.textContent = `${stop + 1} of ${stops.length}`;
    this.back.disabled = stop === 0;
    this.on.disabled = stop === stops.length - 1;
    this.onstop({ fen, nodes, node, step });
  }
}
