// Below the list of moves: glyphs and a comment for the current move, and what can be done with its variation.

import { find, make } from "/viewer/dom.js";
import { OF_MOVES, OF_POSITIONS } from "/viewer/glyphs.js";
import { mainBefore } from "/viewer/tree.js";

export class Edit {
  // study: the game. onchange(): called when the tree has changed.
  constructor(element, study, onchange) {
    this.study = study;
    this.onchange = onchange;
    this.moves = find("select", element);
    this.positions = find("select + select", element);
    this.#offer(this.moves, OF_MOVES);
    this.#offer(this.positions, OF_POSITIONS);
    this.comment = find("textarea", element);
    this.comment.addEventListener("input", () => {
      const comment = this.comment.value.replace(/\s+/g, " ").replaceAll("}", "").trim();
      this.#change(() => study.note({ comment }));
    });
    this.promote = this.#button(element, "promote");
    this.remove = this.#button(element, "remove");
    this.undo = this.#button(element, "undo");
  }

  // A button that changes the study in a way that has its name.
  #button(element, name) {
    const button = find(`[data-do="${name}"]`, element);
    button.addEventListener("click", () => this.#change(() => this.study[name]()));
    return button;
  }

  #offer(choice, glyphs) {
    choice.append(...glyphs.map(([value, sign, words]) => make("option", { value }, `${sign} ${words}`)));
    choice.addEventListener("change", () => {
      const others = (this.study.at.nags ?? []).filter((nag) => !glyphs.some(([number]) => number === nag));
      const nags = [...others, Number(choice.value)].filter(Boolean).sort((one, other) => one - other);
      this.#change(() => this.study.note({ nags }));
    });
  }

  #change(change) {
    change();
    this.onchange();
  }

  // Show what belongs to the current move.
  show() {
    const { at, canUndo } = this.study;
    for (const choice of [this.moves, this.positions]) {
      choice.value = (at.nags ?? []).find((nag) => choice.querySelector(`option[value="${nag}"]`)) ?? 0;
      choice.disabled = !at.parent;
    }
    if (document.activeElement !== this.comment || this.shown !== at) this.comment.value = at.comment ?? "";
    this.shown = at;
    this.comment.placeholder = at.parent ? "A comment on this move" : "A comment on the game";
    this.promote.hidden = mainBefore(at) === at;
    this.remove.disabled = !at.parent;
    this.undo.disabled = !canUndo;
  }
}
