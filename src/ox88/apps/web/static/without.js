// Parts of the search that can be left out, and how many nodes the search then has.

import { findAll, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { scoreText } from "./ruler.js";
import { whole } from "./thinkviews.js";

const NO_MOVE = "a8a8";
// By name: what is left out, and what follows.
export const SWITCHES = {
  hash: ["the hash table", "No result is looked up, so a position that comes up again is searched again."],
  best: ["the best move first", "No iteration begins with the best move of the one before."],
  recapture: ["free recaptures", "A recapture costs a ply of depth, as any move does."],
  legality: ["king capture as legality", "Taking the king does not end the node."],
};

export class Without {
  #view = null;

  // outline(view): a search as a whole. onchange(without): watch the search without some parts.
  constructor({ outline, onchange }) {
    this.outline = outline;
    this.onchange = onchange;
    this.boxes = Object.entries(SWITCHES).map(([name, [label, words]]) =>
      make("label.tick", [
        make("input", { type: "checkbox", value: name, onchange: () => this.#compare() }),
        make("span", [make("b", `Without ${label}. `), words]),
      ]),
    );
    this.result = make("div.compared", { "aria-live": "polite" });
    this.element = make("dialog.without", { "aria-labelledby": "without-title" }, [
      make("h2#without-title", "Without"),
      make("div.rows-tight", this.boxes),
      this.result,
      make("div.buttons", [
        make("button.primary", { onclick: () => this.#watch() }, "Watch this search"),
        make("button.plain", { onclick: () => this.element.close() }, "Close"),
      ]),
    ]);
  }

  get #chosen() {
    return findAll("input:checked", this.element).map(({ value }) => value);
  }

  open(view) {
    this.#view = view;
    for (const box of findAll("input", this.element)) box.checked = view.without.includes(box.value);
    this.element.showModal();
    this.#compare();
  }

  #watch() {
    this.element.close();
    this.onchange(this.#chosen);
  }

  // The nodes at the end of each iteration, with and without.
  async #compare() {
    const without = this.#chosen;
    this.result.replaceChildren(make("p.muted", "Counting …"));
    try {
      const [all, less] = await Promise.all([this.#outline([]), without.length ? this.#outline(without) : null]);
      if (without.join() === this.#chosen.join()) this.result.replaceChildren(this.#tabulate(all, less));
    } catch (error) {
      this.result.replaceChildren(make("p.wrong", capital(error.message)));
    }
  }

  #outline(without) {
    return this.outline({ ...this.#view, without });
  }

  #tabulate(all, less) {
    const outlines = less ? [all, less] : [all];
    const depths = new Set(outlines.flatMap(({ iterations }) => iterations.map(({ depth }) => depth)));
    const labels = this.#chosen.map((name) => SWITCHES[name][0]).join(" and ");
    const names = less ? ["The whole search", `Without ${labels}`] : ["The whole search"];
    const cells = ({ iterations }, depth) => {
      const line = iterations.find((iteration) => iteration.depth === depth);
      if (!line) return [make("td", "–"), make("td", "–")];
      const move = line.move === NO_MOVE ? "" : line.move;
      return [make("td", whole(line.nodes)), make("td", `${move} ${scoreText(line.score)}`)];
    };
    const row = (depth) =>
      make("tr", [make("th", { scope: "row" }, depth), outlines.map((outline) => cells(outline, depth))]);
    const head = names.map((name) => make("th", { scope: "colgroup", colspan: 2 }, name));
    return make("table.summary", [
      make("thead", make("tr", [make("th", { scope: "col" }, "Depth"), head])),
      make("tbody", [...depths].sort((one, other) => one - other).map(row)),
    ]);
  }
}
