// Parts of the search that can be left out, and how many nodes the search then has.

import { find, findAll, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { onClick } from "./controls.js";
import { depthOf, resultOf } from "./thinkviews.js";
import { whole } from "./words.js";

export const SWITCHES = ["hash", "best", "recapture", "legality"];

export class Without {
  #view = null;

  // outline(view): a search as a whole. onchange(without): watch the search without some parts.
  constructor(dialog, { outline, onchange }) {
    this.dialog = dialog;
    this.outline = outline;
    this.boxes = findAll("input", dialog);
    this.result = find(".compared", dialog);
    for (const box of this.boxes) box.addEventListener("change", () => this.#compare());
    this.onchange = onchange;
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
    const labels = findAll("label:has(:checked) b span", this.dialog)
      .map(({ textContent }) => textContent)
      .join(" and ");
    const names = less ? ["The whole search", `Without ${labels}`] : ["The whole search"];
    const cells = ({ iterations }, depth) => {
      const line = iterations.find((iteration) => iteration.depth === depth);
      if (!line) return [make("td", "–"), make("td", "–")];
      return [make("td", whole(line.nodes)), make("td", resultOf(line, this.#view.fen))];
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
