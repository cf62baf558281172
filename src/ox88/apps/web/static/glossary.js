// The terms of Think. In a text each is a button that opens what it means; glossary.json has the meanings.

import { clamp, find, findAll, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import TERMS from "./glossary.json" with { type: "json" };

const MEANINGS = new Map(
  TERMS.flatMap(({ names, meaning }) => names.map((name) => [name, { name: names[0], meaning }])),
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
export function offerMeanings(panel, popover) {
  for (const element of findAll("[data-terms]", panel)) element.replaceChildren(...parts(element.textContent));
  panel.addEventListener("click", ({ target }) => {
    const term = target.closest(".term");
    if (term) open(popover, term);
  });
}

function open(popover, term) {
  const { name, meaning } = MEANINGS.get(term.textContent.toLowerCase());
  find("h2", popover).textContent = capital(name);
  find("p", popover).textContent = meaning;
  popover.showPopover();
  const [at, { offsetWidth: width, offsetHeight: height }] = [term.getBoundingClientRect(), popover];
  const below = at.bottom + GAP;
  popover.style.left = `${clamp(at.left, GAP, document.documentElement.clientWidth - width - GAP)}px`;
  popover.style.top = `${below + height > innerHeight ? Math.max(GAP, at.top - GAP - height) : below}px`;
}
