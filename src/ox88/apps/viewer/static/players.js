// The players of a game: the line beside the board, and the table of their accuracies and errors.

import { make } from "./dom.js";
import { ERRORS } from "./glyphs.js";
import { capital, clockText } from "./words.js";

// Fill the line beside the board. clock, spent: seconds, see commands.js.
export function showPlayer(strip, side, { name = "", rating = "", clock = null, spent = null }) {
  const swatch = make(`span.swatch.${side}`);
  const parts = [make(name ? "span.name" : "span.doing", name || capital(side))];
  if (rating) parts.push(make("span.doing", rating));
  if (spent !== null) parts.push(make("span.doing", `took ${clockText(spent)}`));
  if (clock !== null) parts.push(make("span.clock", clockText(clock)));
  strip.replaceChildren(swatch, ...parts);
}

const HEAD = [
  ["accuracy", "accuracy"],
  ["avg. loss", "average centipawn loss of a move"],
  ["?!", "inaccuracies"],
  ["?", "mistakes"],
  ["??", "blunders"],
];

export function summary(white, black) {
  const row = ({ name, accuracy, acpl, counts }, fallback) =>
    make("tr", [
      make("th", { scope: "row", title: name }, name.replace(/^\?$/, fallback)),
      make("td", accuracy == null ? "–" : `${accuracy.toFixed(1)} %`),
      make("td", acpl ?? "–"),
      ERRORS.map((kind, index) => make("td", { class: counts[index] ? kind : "none" }, counts[index])),
    ]);
  const head = HEAD.map(([name, title]) => make("th", { scope: "col", title }, name));
  return make("table.summary", [
    make("thead", make("tr", [make("th", { scope: "col" }, make("span.aside", "player")), head])),
    make("tbody", [row(white, "White"), row(black, "Black")]),
  ]);
}
