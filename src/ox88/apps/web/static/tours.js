// Tours, which tours.json holds: each is a search, and stops in it, node/step, with a sentence or two. The tests look
// whether each stop shows what is said there.

import { Diagram } from "/viewer/diagram.js";
import { find, make } from "/viewer/dom.js";
import { onClick } from "./controls.js";
import { tell } from "./glossary.js";
import TOURS from "./tours.json" with { type: "json" };

// A card for each tour. onpick(number): called when one is chosen.
export function tourCards(onpick) {
  return TOURS.map(({ title, about, fen }, number) => {
    const diagram = new Diagram({ pieces: "/viewer/pieces.svg", coordinates: false });
    diagram.show({ fen });
    diagram.element.setAttribute("aria-hidden", "true");
    const words = make("span.about", [make("b", title), make("span.muted", about)]);
    return make("li", make("button.card", { onclick: () => onpick(number) }, [diagram.element, words]));
  });
}

export class Tour {
  #tour = null;
  #stop = 0;

  // onstop(view): go to a stop; view: see address.js.
  constructor(element, onstop) {
    this.element = element;
    this.onstop = onstop;
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
    if (!this.#tour) return;
    this.#go(0);
    this.on.focus({ preventScroll: true });
  }

  #go(stop) {
    this.#stop = stop;
    const { title, fen, nodes, stops } = this.#tour;
    const places = Object.keys(stops);
    const [node, step] = places[stop].split("/").map(Number);
    this.title.textContent = title;
    tell(this.words, stops[places[stop]]);
    this.place.textContent = `stop ${stop + 1} of ${places.length}`;
    this.back.disabled = stop === 0;
    this.on.disabled = stop === places.length - 1;
    this.onstop({ fen, nodes, node, step });
  }
}
