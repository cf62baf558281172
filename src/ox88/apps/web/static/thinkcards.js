// What Think offers beside the search: tours, the question which move is tried next, and parts to leave out.

import { find, findAll, make, table, View } from "/viewer/dom.js";
import { moveName } from "./board88.js";
import { fetchJson, onClick, smallBoard } from "./controls.js";
import { whyTried } from "./sentences.js";
import { depthOf, resultOf, tell } from "./thinkviews.js";
import { announce, capital, whole } from "./words.js";

const TOURS = await fetchJson("/static/tours.json");

// A card for each tour. onpick(number): called when one is chosen.
export function tourCards(onpick) {
  return TOURS.map(({ title, about, fen }, number) => {
    const words = make("span.about", [make("b", title), make("span.muted", about)]);
    return make("li", make("button.card", { onclick: () => onpick(number) }, [smallBoard({ fen }), words]));
  });
}

const KEPT = "ox88.tour"; // The number of the tour, and of its stop, for as long as the page's tab.

export class Tour extends View {
  #tour = null;
  #stop = 0;

  // onstop(view): go to a stop; view: see Think.load. Returns a promise of whether it is shown.
  constructor(element, onstop) {
    super(element, onstop);
    const [number, stop] = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    this.#tour = TOURS[number] ?? null;
    if (this.#tour) this.#show(stop);
    onClick(element, {
      back: () => this.#go(this.#stop - 1),
      on: () => this.#go(this.#stop + 1),
      end: () => this.open(null),
    });
  }

  // number: of the tour; null ends it.
  open(number) {
    this.#tour = TOURS[number] ?? null;
    this.element.hidden = !this.#tour;
    sessionStorage.removeItem(KEPT);
    if (!this.#tour) return;
    this.parts.title.textContent = this.#tour.title;
    this.parts.words.replaceChildren();
    this.parts.place.textContent = "";
    this.parts.on.disabled = false;
    this.#go(0);
    this.parts.on.focus({ preventScroll: true });
  }

  // The search of a position is shown: a tour of another one ends.
  follow(fen) {
    if (this.#tour?.fen !== fen) this.open(null);
    this.element.hidden = !this.#tour;
  }

  // The words come with what they tell of.
  async #go(stop) {
    const tour = this.#tour;
    const { fen, nodes, stops } = tour;
    const [node, step] = Object.keys(stops)[stop].split("/").map(Number);
    this.#keep(stop);
    const isThere = await this.on({ fen, nodes, node, step });
    if (tour !== this.#tour) return;
    if (isThere) this.#show(stop);
    else this.#keep(this.#stop);
  }

  #keep = (stop) => sessionStorage.setItem(KEPT, JSON.stringify([TOURS.indexOf(this.#tour), stop]));

  #show(stop) {
    this.#stop = stop;
    const { title, stops } = this.#tour;
    const texts = Object.values(stops);
    this.parts.title.textContent = title;
    tell(this.parts.words, texts[stop]);
    this.parts.place.textContent = `stop ${stop + 1} of ${texts.length}`;
    this.parts.back.disabled = stop === 0;
    this.parts.on.disabled = stop === texts.length - 1;
  }
}

const CHOICES = 4;

export class Guess extends View {
  #at = null; // The step to which the card belongs.

  // on.ask(): another question is wanted. on.done(at): go to the event that makes the move.
  constructor(element, on) {
    super(element, on);
    onClick(element, { again: on.ask, end: () => this.follow(null) });
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
      for (const other of this.parts.offers.children) other.disabled = true;
      const words = `${isTried(move) ? "Yes" : "No"}, it tries ${nameOf(tried)}.`;
      tell(this.parts.verdict, `${words} ${whyTried(question)}`);
      this.parts.again.hidden = false;
      this.on.done(at);
      this.parts.again.focus();
    };
    // The move that is tried and others, spread over the list of all, in its order.
    const others = moves.filter((move) => !isTried(move));
    const step = Math.max(1, Math.floor(others.length / (CHOICES - 1)));
    const chosen = [...others.filter((_, place) => place % step === 0).slice(0, CHOICES - 1), tried];
    chosen.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    const button = (move) =>
      make("button.plain.small", { onclick: ({ currentTarget }) => answer(currentTarget, move) }, nameOf(move));
    this.#at = before;
    this.parts.offers.replaceChildren(...chosen.map(button));
    this.parts.verdict.textContent = "";
    this.parts.again.hidden = true;
    this.element.hidden = false;
    find("button", this.parts.offers).focus();
    announce("Which move does micro-Max try next?");
  }
}

export class Without extends View {
  #view = null;

  // on.outline(view): a search as a whole. on.change(without): watch the search without some parts.
  constructor(dialog, on) {
    super(dialog, on);
    this.boxes = findAll("input", dialog);
    for (const box of this.boxes) box.addEventListener("change", () => this.#compare());
    const watch = () => {
      dialog.close();
      on.change(this.#chosen());
    };
    onClick(dialog, { watch, close: () => dialog.close() });
  }

  // A button for each part that is left out, which brings the part back.
  chips(without) {
    return without.map((name) => {
      const part = find(`.part:has([value=${name}])`, this.element);
      const back = () => this.on.change(without.filter((other) => other !== name));
      const title = `${find("p", part).textContent} Click to search with it again.`;
      const words = `without ${find("b span", part).textContent}`;
      return make("button.chip", { title, onclick: back }, [words, make("span", { "aria-hidden": "true" }, " ×")]);
    });
  }

  #chosen = () => this.boxes.filter(({ checked }) => checked).map(({ value }) => value);

  open(view) {
    this.#view = view;
    for (const box of this.boxes) box.checked = view.without.includes(box.value);
    this.element.showModal();
    this.#compare();
  }

  // The nodes at the end of each iteration, with and without.
  async #compare() {
    const without = this.#chosen();
    this.parts.result.replaceChildren(make("p.muted", "Counting …"));
    try {
      const wanted = without.length ? [[], without] : [[]];
      const outlines = await Promise.all(wanted.map((parts) => this.on.outline({ ...this.#view, without: parts })));
      if (without.join() === this.#chosen().join()) this.parts.result.replaceChildren(this.#tabulate(outlines));
    } catch (error) {
      this.parts.result.replaceChildren(make("p.wrong", capital(error.message)));
    }
  }

  #tabulate(outlines) {
    const depths = new Set(outlines.flatMap(({ iterations }) => iterations.map(({ depth }) => depth)));
    const labels = findAll("label:has(:checked) b span", this.element).map(({ textContent }) => textContent);
    const names = ["The whole search", `Without ${labels.join(" and ")}`].slice(0, outlines.length);
    const cells = ({ iterations }, depth) => {
      const line = iterations.find((iteration) => iteration.depth === depth);
      const words = line ? [whole(line.nodes), resultOf(line, this.#view.fen)] : ["–", "–"];
      return words.map((text) => make("td", text));
    };
    const row = (depth) =>
      make("tr", [make("th", { scope: "row" }, depthOf({ depth })), outlines.map((outline) => cells(outline, depth))]);
    const head = names.map((name) => make("th", { scope: "colgroup", colspan: 2 }, name));
    const rows = [...depths].sort((one, other) => one - other).map(row);
    return table("table.summary", [make("th", { scope: "col" }, "Depth"), head], rows);
  }
}
