// Notes on the current move: glyphs and a comment; what can be done with its variation; and the undo of what was
// deleted or replaced.

import { find, findAll, make } from "/viewer/dom.js";
import { OF_MOVES, OF_POSITIONS } from "/viewer/glyphs.js";
import { mainBefore } from "/viewer/tree.js";
import { onClick } from "./controls.js";

export class Edit {
  // study: the game. onchange(): called when the tree has changed.
  constructor(element, undo, study, onchange) {
    this.study = study;
    this.onchange = onchange;
    this.groups = findAll(".glyphs", element);
    this.#offer(this.groups[0], OF_MOVES);
    this.#offer(this.groups[1], OF_POSITIONS);
    this.comment = find("textarea", element);
    this.comment.addEventListener("input", () => {
      const comment = this.comment.value.replace(/\s+/g, " ").replaceAll("}", "").trim();
      this.#change(() => study.note({ comment }));
    });
    this.promote = find("[data-do=promote]", element);
    this.remove = find("[data-do=remove]", element);
    const changes = ["promote", "remove"].map((name) => [name, () => this.#change(() => study[name]())]);
    onClick(element, Object.fromEntries(changes));
    this.back = undo;
    find("button", undo).addEventListener("click", () => this.undo());
  }

  // Buttons for glyphs of which a move has one at most.
  #offer(group, glyphs) {
    const numbers = glyphs.map(([nag]) => nag);
    const toggle = (nag) => () => {
      const { nags = [] } = this.study.at;
      const others = nags.filter((other) => !numbers.includes(other));
      const given = nags.includes(nag) ? others : [...others, nag].sort((one, other) => one - other);
      this.#change(() => this.study.note({ nags: given }));
    };
    const button = ([nag, sign, words]) =>
      make("button", { "data-nag": nag, title: words, "aria-label": words, onclick: toggle(nag) }, sign);
    group.append(...glyphs.map(button));
  }

  #change(change) {
    change();
    this.onchange();
  }

  undo() {
    if (this.study.undoes) this.#change(() => this.study.undo());
  }

  // Show what belongs to the current move.
  show() {
    const { at, undoes } = this.study;
    for (const group of this.groups) {
      group.hidden = !at.parent;
      for (const button of group.children)
        button.setAttribute("aria-pressed", String((at.nags ?? []).includes(Number(button.dataset.nag))));
    }
    if (document.activeElement !== this.comment || this.shown !== at) this.comment.value = at.comment ?? "";
    this.shown = at;
    this.comment.placeholder = at.parent ? "A comment on this move" : "A comment on the game";
    this.promote.hidden = mainBefore(at) === at;
    this.remove.hidden = !at.parent;
    this.back.hidden = !undoes;
    find("button", this.back).textContent = `Undo: ${undoes}`;
  }
}
