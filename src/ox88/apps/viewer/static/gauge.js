// Evaluations for people. An evaluation is { eval, win, over }: a text such as +0.35, #-3 or 1-0, White's chances in
// percent, and how the game has ended, if it has. Checkmate is # alone: the move that mates says so itself.

import { find } from "./dom.js";
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
function inShort({ eval: text }) {
  if (text === "#") return "";
  if (text.startsWith("#")) return text.replace("-", "");
  const pawns = Math.abs(Number(text));
  if (Number.isNaN(pawns)) return text;
  return pawns < 10 ? pawns.toFixed(1) : pawns.toFixed(0);
}

// Show an evaluation in the bar beside the board; null for none.
export function showGauge(gauge, at) {
  gauge.classList.toggle("off", !at);
  gauge.classList.toggle("behind", at?.win < 50);
  find(".gauge-white", gauge).style.height = `${at?.win ?? 50}%`;
  find(".gauge-text", gauge).textContent = at ? inShort(at) : "";
  gauge.setAttribute("aria-label", at ? `Evaluation ${at.eval}: ${inWords(at)}` : "No evaluation");
}
