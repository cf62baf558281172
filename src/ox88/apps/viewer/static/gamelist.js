// A list of games that can be searched: the players, the result, and what else is known.

import { findAll, keepInSight, make } from "./dom.js";

export class GameList {
  element = make("ol.games");

  // onopen(number): called for a click on a game.
  constructor(onopen) {
    this.onopen = onopen;
    this.search = make("input", { type: "search", "aria-label": "Search games", oninput: () => this.#filter() });
  }

  // games: { name, white, black, result, detail }; name: in place of the players. detail: a text or elements.
  fill(games) {
    const item = ({ name, white, black, result, detail }, number) =>
      make("button", { onclick: () => this.onopen(number) }, [
        make("div.names", [make("span", name || `${white} – ${black}`), make("b", result)]),
        make("div.muted", [detail]),
      ]);
    this.search.value = "";
    this.element.replaceChildren(...games.map((game, number) => make("li", [item(game, number)])));
  }

  mark(number) {
    for (const [place, button] of findAll("button", this.element).entries()) {
      button.setAttribute("aria-current", String(place === number));
      if (place === number) keepInSight(this.element, button);
    }
  }

  #filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of findAll("li", this.element)) {
      const content = item.textContent.toLowerCase();
      item.hidden = !words.every((word) => content.includes(word));
    }
  }
}
