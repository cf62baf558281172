// Tours, which tours.json holds: each is a search, and stops in it, node/step, with a sentence or two. The tests look
// whether each stop shows what is said there.

import { find } from "/viewer/dom.js";
import { onClick } from "./controls.js";
import TOURS from "./tours.json" with { type: "json" };

export { TOURS };

export class Tour {
  #tour = null;
  #stop = 0;

  // onstop(view): go to a stop; view: see address.js. onopen(number): a tour is opened; null if it is ended.
  constructor(element, { onstop, onopen }) {
    this.element = element;
    this.onstop = onstop;
    this.onopen = onopen;
    this.title = find("h2", element);
    this.words = find("p", element);
    this.place = find(".muted", element);
    this.back = find("[data-do=back]", element);
    this.on = find("[data-do=on]", element);
    onClick(element, {
      back: () => this.#go(this.#stop - 1),
      on: () => this.#go(this.#stop + 1),
      end: () => this.open(null),
    });
  }

  // number: of the tour; null ends it.
  open(number) {
    this.#tour = number === null ? null : TOURS[number];
    this.element.hidden = !this.#tour;
    this.onopen(number);
    if (this.#tour) this.#go(0);
  }

  #go(stop) {
    this.#stop = stop;
    const { title, fen, nodes, stops } = this.#tour;
    const places = Object.keys(stops);
    const [node, step] = places[stop].split("/").map(Number);
    this.title.textContent = title;
    this.words.textContent = stops[places[stop]];
    this.place.textContent = `${stop + 1} of ${places.length}`;
    this.back.disabled = stop === 0;
    this.on.disabled = stop === places.length - 1;
    this.onstop({ fen, nodes, node, step });
  }
}
