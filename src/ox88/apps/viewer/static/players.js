// The players of a game, the table of their accuracies and errors, and lists of games.

import { findAll, keepInSight, make, table } from "./dom.js";
import { capital, clockText, ERRORS } from "./words.js";

// A spot in the colour of a side, which is told in words where a name stands beside it.
export const swatch = (side, name) =>
  make(`span.swatch.${side}`, name ? { role: "img", "aria-label": capital(side) } : {});

// Fill the line beside the board. clock, spent: seconds, see words.js.
export function showPlayer(strip, side, { name = "", rating = "", clock = null, spent = null }) {
  const parts = [swatch(side, name), make(name ? "span.name" : "span.doing", name || capital(side))];
  if (rating) parts.push(make("span.doing", rating));
  if (spent !== null) parts.push(make("span.doing", `took ${clockText(spent)}`));
  if (clock !== null) parts.push(make("span.clock", clockText(clock)));
  strip.replaceChildren(...parts);
}

// Columns: a name, the word below it, and what it means.
const HEAD = [
  ["accuracy", "", "accuracy"],
  ["avg. loss", "centipawns", "average centipawn loss of a move"],
  ["?!", "inaccuracies", "inaccuracies"],
  ["?", "mistakes", "mistakes"],
  ["??", "blunders", "blunders"],
];

export function summary(white, black) {
  const row = ({ name, accuracy, acpl, counts }, fallback) =>
    make("tr", [
      make("th", { scope: "row", title: name }, name.replace(/^\?$/, fallback)),
      make("td", accuracy == null ? "–" : `${accuracy.toFixed(1)} %`),
      make("td", acpl ?? "–"),
      ERRORS.map((kind, index) => make("td", { class: counts[index] ? kind : "none" }, counts[index])),
    ]);
  const head = HEAD.map(([name, word, title]) =>
    make("th", { scope: "col", title, "aria-label": title }, [name, word && make("small", word)]),
  );
  const heads = [make("th", { scope: "col" }, make("span.aside", "player")), head];
  return table("table.summary", heads, [row(white, "White"), row(black, "Black")]);
}

// The players of a game; "" if neither is known.
export function playersOf(white, black) {
  const names = [white, black].map((name) => name || "?");
  return names.every((name) => name === "?") ? "" : names.join(" – ");
}

export class GameList {
  element = make("ol.games");

  // onopen(number): called for a click on a game. what: the games are called.
  constructor(onopen, what = "games") {
    this.onopen = onopen;
    this.search = make("input", { type: "search", "aria-label": `Search ${what}`, oninput: () => this.#filter() });
  }

  // games: { name, white, black, result, detail }; name: in place of the players. detail: a text or elements.
  fill(games) {
    const item = ({ name, white, black, result, detail }, number) =>
      make("button", { onclick: () => this.onopen(number) }, [
        make("div.names", [make("span", name || playersOf(white, black) || `Game ${number + 1}`), make("b", result)]),
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
