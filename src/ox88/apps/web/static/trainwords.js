// What Train says: the themes of puzzles, the kinds of sessions, and when something comes back.

import { find } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";

// Themes have Lichess's names; the choice of a theme in index.html has the words.
const optionOf = (theme) => find(`#theme option[value="${theme}"]`);
export const inWords = (theme) => optionOf(theme)?.textContent ?? theme;

// Not how long a line is, nor where a puzzle comes from.
export const isTelling = (theme) => optionOf(theme)?.parentElement.dataset.telling !== "no";

export const titleOf = ({ what, theme }) =>
  ({ mistakes: "My mistakes", open: "Rated puzzles", rush: "Rush" })[what] ?? capital(inWords(theme));

const DATE = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long" });
const midnight = (time) => new Date(time).setHours(0, 0, 0, 0);

// due: seconds since 1970.
export function whenText(due) {
  const days = Math.round((midnight(1000 * due) - midnight(Date.now())) / 86_400_000);
  return days > 30 ? `on ${DATE.format(1000 * due)}` : inDays(days);
}

export const inDays = (days) => (days > 1 ? `in ${days} days` : days === 1 ? "tomorrow" : "today");

// Each text with how often it is there.
export function counts(texts) {
  const found = new Map();
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
  return [...found];
}

// How many come back when.
export const comingBack = (dues) =>
  counts(dues.map(whenText))
    .map(([when, count]) => `${count} ${when}`)
    .join(", ");
