// The terms of Think. In a text each is a button that opens what it means; glossary.json has the meanings.

import { clamp, find, findAll, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { fetchJson } from "./controls.js";

const MEANINGS = new Map(
  (await fetchJson("/static/glossary.json")).flatMap(({ names, meaning }) =>
    names.map((name) => [name, { name: names[0], meaning }]),
  ),
);
const LONGEST_FIRST = [...MEANINGS.keys()].sort((one, other) => other.length - one.length);
const TERM = new RegExp(`\\b(${LONGEST_FIRST.join("|")})(?=s?\\b)`, "i");
const GAP = 6; // Between a term and its meaning, in pixels.

// A text in parts: the first mention of each term is a button.
function parts(text, seen = new Set()) {
  const found = TERM.exec(text);
  if (!found) return [text];
  const { name } = MEANINGS.get(found[0].toLowerCase());
  const term = seen.has(name) ? found[0] : make("button.term", { "aria-haspopup": "dialog" }, found[0]);
  const end = found.index + found[0].length;
  const [mark] = /^[.,:;)]?/.exec(text.slice(end));
  const whole = mark ? make("span.term-end", [term, mark]) : term;
  return [text.slice(0, found.index), whole, ...parts(text.slice(end + mark.length), seen.add(name))];
}

// Write a text with its terms. A text that stays is left alone: the page is drawn up to sixty times a second.
export function tell(element, text) {
  if (element.textContent !== text) element.replaceChildren(...parts(text));
}

// Let the terms of a panel open their meanings. Texts that stand in the page have the attribute data-terms.
export function offerMeanings(panel, dialog) {
  for (const element of findAll("[data-terms]", panel)) element.replaceChildren(...parts(element.textContent));
  panel.addEventListener("click", ({ target }) => {
    const term = target.closest(".term");
    if (term) open(dialog, term);
  });
  document.addEventListener("pointerdown", ({ target }) => dialog.contains(target) || dialog.close());
  document.addEventListener("keydown", ({ key }) => key === "Escape" && dialog.close());
}

function open(dialog, term) {
  const { name, meaning } = MEANINGS.get(term.textContent.toLowerCase());
  find("h2", dialog).textContent = capital(name);
  find("p", dialog).textContent = meaning;
  dialog.show();
  const [at, { offsetWidth: width, offsetHeight: height }] = [term.getBoundingClientRect(), dialog];
  const below = at.bottom + GAP;
  dialog.style.left = `${clamp(at.left, GAP, document.documentElement.clientWidth - width - GAP)}px`;
  dialog.style.top = `${below + height > innerHeight ? Math.max(GAP, at.top - GAP - height) : below}px`;
}
