// Below the list of moves: glyphs and a comment for the current move, and what can be done with its variation.

import { make } from "/viewer/dom.js";
import { OF_MOVES, OF_POSITIONS } from "/viewer/glyphs.js";
import { mainBefore } from "/viewer/tree.js";

export class Edit {
  // study: the game. onchange(): called when the tree has changed.
  constructor(study, onchange) {
    this.study = study;
    this.onchange = onchange;
    const button = (label, title, change) =>
      make("button.plain.small", { title, onclick: () => this.#change(change) }, label);
    this.moves = this.#choice("Glyph of the move", OF_MOVES);
    this.positions = this.#choice("Glyph of the position", OF_POSITIONS);
    this.comment = make("textarea", {
      rows: 2,
      maxlength: 5000,
      "aria-label": "Comment",
      oninput: () =>
        this.#change(() => study.note({ comment: this.comment.value.replace(/\s+/g, " ").replaceAll("}", "").trim() })),
    });
    this.promote = button("Promote", "Put this variation before the others beside it", () => study.promote());
    this.remove = button("Delete from here", "Delete this move and all that follows it", () => study.remove());
    this.undo = button("Undo", "Bring back what was deleted or replaced last", () => study.undo());
    this.element = make("div.edit", [
      make("div.buttons", [this.moves, this.positions, this.promote, this.remove, this.undo]),
      this.comment,
    ]);
  }

  #choice(label, glyphs) {
    const options = glyphs.map(([number, sign, words]) => make("option", { value: number }, `${sign} ${words}`));
    const mark = (event) => {
      const others = (this.study.at.nags ?? []).filter((nag) => !glyphs.some(([number]) => number === nag));
      const chosen = Number(event.target.value);
      this.#change(() =>
        this.study.note({ nags: [...others, ...(chosen ? [chosen] : [])].sort((one, other) => one - other) }),
      );
    };
    return make("select", { "aria-label": label, onchange: mark }, [make("option", { value: 0 }, label), options]);
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
