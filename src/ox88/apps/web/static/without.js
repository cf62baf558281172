// Parts of the search that can be left out, and how many nodes the search then has.

import { make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { scoreText } from "./ruler.js";
import { whole } from "./thinkviews.js";

const NO_MOVE = "a8a8";
export const SWITCHES = [
  {
    name: "hash",
    label: "the hash table",
    words: "No result is looked up, so a position that comes up again is searched again.",
  },
  { name: "best", label: "the best move first", words: "No iteration begins with the best move of the one before." },
  { name: "recapture", label: "free recaptures", words: "A recapture costs a ply of depth, as any move does." },
  { name: "legality", label: "king capture as legality", words: "Taking the king does not end the node." },
];

export class Without {
  #view = null;

  // outline(view): a search as a whole. onchange(without): watch the search without some parts.
  constructor({ outline, onchange }) {
    this.outline = outline;
    this.onchange = onchange;
    this.boxes = SWITCHES.map(({ name, label, words }) =>
      make("label.tick", [
        make("input", { type: "checkbox", value: name, onchange: () => this.#compare() }),
        make("span", [make("b", `Without ${label}. `), words]),
      ]),
    );
    this.result = make("div.compared", { "aria-live": "polite" });
    this.dialog = make("dialog.without", { "aria-labelledby": "without-title" }, [
      make("h2#without-title", "Without"),
      make("div.rows-tight", this.boxes),
      this.result,
      make("div.buttons", [
        make("button.primary", { onclick: () => this.#watch() }, "Watch this search"),
        make("button.plain", { onclick: () => this.dialog.close() }, "Close"),
      ]),
    ]);
  }

  get #chosen() {
    return [...this.dialog.querySelectorAll("input:checked")].map(({ value }) => value);
  }

  open(view) {
    this.#view = view;
    for (const box of this.dialog.querySelectorAll("input")) box.checked = view.without.includes(box.value);
    this.dialog.showModal();
    this.#compare();
  }

  #watch() {
    this.dialog.close();
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
    const depths = [...new Set([...all.iterations, ...(less?.iterations ?? [])].map(({ depth }) => depth))].sort(
      (one, other) => one - other,
    );
    const cells = (outline, depth) => {
      const line = outline.iterations.find((iteration) => iteration.depth === depth);
      return [
        make("td", line ? whole(line.nodes) : "–"),
        make("td", line ? `${line.move === NO_MOVE ? "" : line.move} ${scoreText(line.score)}` : "–"),
      ];
    };
    const names = [
      "The whole search",
      ...(less
        ? [`Without ${this.#chosen.map((name) => SWITCHES.find((part) => part.name === name).label).join(" and ")}`]
        : []),
    ];
    return make("table.summary", [
      make("thead", [
        make("tr", [
          make("th", { scope: "col" }, "Depth"),
          names.map((name) => make("th", { scope: "colgroup", colspan: 2 }, name)),
        ]),
      ]),
      make("tbody", [
        depths.map((depth) =>
          make("tr", [make("th", { scope: "row" }, String(depth)), cells(all, depth), less ? cells(less, depth) : []]),
        ),
      ]),
    ]);
  }
}
