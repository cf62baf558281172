// Evaluations for people. An evaluation is { eval, win, over }: a text such as +0.35, #-3 or 1-0, White's chances in
// percent, and how the game has ended, if it has.

import { capital } from "./words.js";

const EQUAL = 4; // Percent beyond 50.
/** @type {[number, string][]} */
const STEPS = [
  [8, "is slightly better"],
  [20, "is better"],
  [Infinity, "is winning"],
];

export function inWords({ eval: text, win, over }) {
  if (over) return capital(over);
  const side = win > 50 ? "White" : "Black";
  if (text === "#") return `${side} has mated`;
  if (text.startsWith("#")) return `${side} mates in ${Math.abs(text.slice(1))}`;
  const lead = Math.abs(win - 50);
  return lead < EQUAL ? "The position is equal" : `${side} ${STEPS.find(([most]) => lead < most)[1]}`;
}

// As short as fits into the evaluation bar: the bar itself shows whose advantage it is.
export function inShort({ eval: text }) {
  if (text.startsWith("#")) return text.replace("-", "");
  const pawns = Math.abs(Number(text));
  if (Number.isNaN(pawns)) return text;
  return pawns < 10 ? pawns.toFixed(1) : pawns.toFixed(0);
}
