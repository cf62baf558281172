// What Think offers beside the search: tours, the question which move is tried next, and parts to leave out.

import { find, findAll, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { moveName } from "./board88.js";
import { fetchJson, onClick, smallBoard } from "./controls.js";
import { tell } from "./glossary.js";
import { whyTried } from "./sentences.js";
import { depthOf, resultOf } from "./thinkviews.js";
import { announce, whole } from "./words.js";

const TOURS = await fetchJson("/static/tours.json");

// A card for each tour. onpick(number): called when one is chosen.
export function tourCards(onpick) {
  return TOURS.map(({ title, about, fen }, number) => {
    const words = make("span.about", [make("b", title), make("span.muted", about)]);
    return make("li", make("button.card", { onclick: () => onpick(number) }, [smallBoard({ fen }), words]));
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
    this.buttons = onClick(element, {
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
    this.buttons.on.focus({ preventScroll: true });
  }

  #go(stop) {
    this.#stop = stop;
    const { title, fen, nodes, stops } = this.#tour;
    const places = Object.keys(stops);
    const [node, step] = places[stop].split("/").map(Number);
    this.title.textContent = title;
    tell(this.words, stops[places[stop]]);
    this.place.textContent = `stop ${stop + 1} of ${places.length}`;
    this.buttons.back.disabled = stop === 0;
    this.buttons.on.disabled = stop === places.length - 1;
    this.onstop({ fen, nodes, node, step });
  }
}

const CHOICES = 4;

export class Guess {
  #at = null; // The step to which the card belongs.

  // onask(): another question is wanted. ondone(at): go to the event that makes the move.
  constructor(element, { onask, ondone }) {
    this.element = element;
    this.ondone = ondone;
    this.offers = find(".offered", element);
    this.verdict = find(".verdict", element);
    this.again = onClick(element, { again: onask, end: () => this.follow(null) }).again;
  }

  // The page shows another step: the card is closed, unless it belongs there.
  follow(at) {
    if (at !== this.#at) this.element.hidden = true;
  }

  // question: see Replay.nextChoice.
  ask(question) {
    const { tried, moves, at, before, board } = question;
    const isTried = ([from, to]) => from === tried[0] && to === tried[1];
    const nameOf = ([from, to, captured]) => moveName({ piece: board[from], from, to, captured });
    const answer = (button, move) => {
      this.#at = at;
      button.classList.add(isTried(move) ? "right" : "mistaken");
      for (const other of this.offers.children) other.disabled = true;
      const words = `${isTried(move) ? "Yes" : "No"}, it tries ${nameOf(tried)}.`;
      this.verdict.textContent = `${words} ${whyTried(question)}`;
      this.again.hidden = false;
      this.ondone(at);
      this.again.focus();
    };
    // The move that is tried and others, spread over the list of all, in its order.
    const others = moves.filter((move) => !isTried(move));
    const step = Math.max(1, Math.floor(others.length / (CHOICES - 1)));
    const chosen = [...others.filter((_, place) => place % step === 0).slice(0, CHOICES - 1), tried];
    chosen.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    const button = (move) =>
      make("button.plain.small", { onclick: ({ currentTarget }) => answer(currentTarget, move) }, nameOf(move));
    this.#at = before;
    this.offers.replaceChildren(...chosen.map(button));
    this.verdict.textContent = "";
    this.again.hidden = true;
    this.element.hidden = false;
    find("button", this.offers).focus();
    announce("Which move does micro-Max try next?");
  }
}

export class Without {
  #view = null;

  // outline(view): a search as a whole. onchange(without): watch the search without some parts.
  constructor(dialog, { outline, onchange }) {
    this.dialog = dialog;
    this.outline = outline;
    this.onchange = onchange;
    this.boxes = findAll("input", dialog);
    this.result = find(".compared", dialog);
    for (const box of this.boxes) box.addEventListener("change", () => this.#compare());
    const watch = () => {
      dialog.close();
      onchange(this.#chosen);
    };
    onClick(dialog, { watch, close: () => dialog.close() });
  }

  // A button for each part that is left out, which brings the part back.
  chips(without) {
    return without.map((name) => {
      const label = find(`[value=${name}] + span`, this.dialog);
      const back = () => this.onchange(without.filter((other) => other !== name));
      const title = `${label.lastChild.textContent} Click to search with it again.`;
      const words = `without ${find("b span", label).textContent}`;
      return make("button.chip", { title, onclick: back }, [words, make("span", { "aria-hidden": "true" }, " ×")]);
    });
  }

  get #chosen() {
    return this.boxes.filter(({ checked }) => checked).map(({ value }) => value);
  }

  open(view) {
    this.#view = view;
    for (const box of this.boxes) box.checked = view.without.includes(box.value);
    this.dialog.showModal();
    this.#compare();
  }

  // The nodes at the end of each iteration, with and without.
  async #compare() {
    const without = this.#chosen;
    this.result.replaceChildren(make("p.muted", "Counting …"));
    try {
      const wanted = without.length ? [[], without] : [[]];
      const outlines = await Promise.all(wanted.map((parts) => this.outline({ ...this.#view, without: parts })));
      if (without.join() === this.#chosen.join()) this.result.replaceChildren(this.#tabulate(outlines));
    } catch (error) {
      this.result.replaceChildren(make("p.wrong", capital(error.message)));
    }
  }

  #tabulate(outlines) {
    const depths = new Set(outlines.flatMap(({ iterations }) => iterations.map(({ depth }) => depth)));
    const labels = findAll("label:has(:checked) b span", this.dialog).map(({ textContent }) => textContent);
    const names = ["The whole search", `Without ${labels.join(" and ")}`].slice(0, outlines.length);
    const cells = ({ iterations }, depth) => {
      const line = iterations.find((iteration) => iteration.depth === depth);
      const words = line ? [whole(line.nodes), resultOf(line, this.#view.fen)] : ["–", "–"];
      return words.map((text) => make("td", text));
    };
    const row = (depth) =>
      make("tr", [make("th", { scope: "row" }, depthOf({ depth })), outlines.map((outline) => cells(outline, depth))]);
    const head = names.map((name) => make("th", { scope: "colgroup", colspan: 2 }, name));
    return make("table.summary", [
      make("thead", make("tr", [make("th", { scope: "col" }, "Depth"), head])),
      make("tbody", [...depths].sort((one, other) => one - other).map(row)),
    ]);
  }
}
