// The pieces that each side has captured, and which side has more, worked out from the positions of a game.

import { make } from "/viewer/dom.js";
import { turnOf } from "/viewer/words.js";
import { figure } from "./controls.js";

const ROLES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen" };
const VALUES = { p: 1, n: 3, b: 3, r: 5, q: 9 };

// fens: the positions up to the one that is shown. Returns { taken, lead } for each side: letters, and pawns ahead.
export function material(fens) {
  const taken = { white: [], black: [] };
  const count = (fen, letter) => fen.split(" ")[0].split(letter).length - 1;
  fens.slice(1).forEach((fen, index) => {
    const mover = turnOf(fens[index]);
    for (const letter of Object.keys(ROLES)) {
      const theirs = mover === "white" ? letter : letter.toUpperCase();
      if (count(fen, theirs) < count(fens[index], theirs)) taken[mover].push(letter);
    }
  });
  const now = (letter) => count(fens.at(-1), letter);
  const leads = Object.entries(VALUES).map(([letter, value]) => value * (now(letter.toUpperCase()) - now(letter)));
  const lead = leads.reduce((sum, value) => sum + value, 0);
  return { white: { taken: taken.white, lead }, black: { taken: taken.black, lead: -lead } };
}

// The captured pieces of one side as an element. color: of the captured pieces.
export function captured({ taken, lead }, color) {
  const letters = Object.keys(ROLES).filter((letter) => taken.includes(letter));
  const groups = letters.map((letter) => taken.filter((other) => other === letter));
  const words = groups.map((group) => `${group.length} ${ROLES[group[0]]}${group.length > 1 ? "s" : ""}`);
  const ahead = lead > 0 ? `+${lead}` : "";
  const spoken = [words.join(", ") || "nothing", ahead && `${lead} ahead`].filter(Boolean).join("; ");
  const pieces = (group) => group.map((letter) => figure(color, ROLES[letter]));
  return make("span.captured", [
    groups.map((group) => make("span.pieces", { "aria-hidden": "true" }, pieces(group))),
    make("span", { "aria-hidden": "true" }, ahead),
    words.length || ahead ? make("span.aside", `captured: ${spoken}`) : "",
  ]);
}
