// Notes on the current move: glyphs, a comment, what is drawn on the board; its variation; the undo of what is gone.

import { find, findAll, make, View } from "/viewer/dom.js";
import { mainBefore } from "/viewer/tree.js";
import { OF_MOVES, OF_POSITIONS } from "/viewer/words.js";
import { onClick } from "./controls.js";

export class Edit extends View {
  // study: the game. onchange(): called when the tree has changed.
  constructor(element, undo, study, onchange) {
    super(element, onchange);
    this.study = study;
    this.groups = findAll(".glyphs", element);
    const glyphs = [OF_MOVES, OF_POSITIONS];
    this.groups.forEach((group, place) => group.append(...this.#buttons(glyphs[place])));
    this.comment = this.parts.comment;
    this.comment.addEventListener("input", () => {
      const comment = this.comment.value.replace(/\s+/g, " ").replaceAll("{", "(").replaceAll("}", ")").trim();
      this.#change(() => study.note({ comment }));
    });
    this.comment.addEventListener("keydown", ({ key }) => key === "Escape" && this.comment.blur());
    const change = (act) => () => this.#change(act);
    onClick(element, { promote: change(() => study.promote()), remove: change(() => study.remove()) });
    this.back = find("button", undo);
    this.back.addEventListener("click", () => this.undo());
  }

  // Buttons for glyphs of which a move has one at most.
  #buttons(glyphs) {
    const numbers = glyphs.map(([nag]) => nag);
    return glyphs.map(([nag, sign, words]) => {
      const onclick = () => {
        const { nags = [] } = this.study.at;
        const others = nags.filter((other) => !numbers.includes(other));
        const given = nags.includes(nag) ? others : [...others, nag].sort((one, other) => one - other);
        this.#change(() => this.study.note({ nags: given }));
      };
      return make("button", { "data-nag": nag, title: words, "aria-label": words, onclick }, sign);
    });
  }

  #change(change) {
    change();
    this.on();
  }

  undo() {
    if (this.study.undoes()) this.#change(() => this.study.undo());
  }

  // Show what belongs to the current move.
  show() {
    const { at } = this.study;
    const undoes = this.study.undoes();
    for (const group of this.groups) {
      group.hidden = !at.parent;
      for (const button of group.children)
        button.setAttribute("aria-pressed", String((at.nags ?? []).includes(Number(button.dataset.nag))));
    }
    if (document.activeElement !== this.comment || this.shown !== at) this.comment.value = at.comment ?? "";
    this.shown = at;
    this.comment.placeholder = at.parent ? "A comment on this move" : "A comment on the game";
    this.parts.promote.hidden = mainBefore(at) === at;
    this.parts.remove.hidden = !at.parent;
    this.back.parentElement.hidden = !undoes;
    this.back.title = `Undo: ${undoes} (Ctrl+Z)`;
    this.back.replaceChildren("Undo", make("span", `: ${undoes}`)); // The tooltip where there is no room.
  }
}

// Drawing on the board without a mouse: while it is on, a square that is chosen begins an arrow or ends it, and one
// that is chosen twice is marked.
export class Drawing extends View {
  isOn = false;
  #from = ""; // Where an arrow begins.

  // on.draw(shape): an arrow or a marked square, see words.js. on.change(): it is switched, or an arrow begins.
  constructor(element, on) {
    super(element, on);
    onClick(element, { draw: () => this.switch(!this.isOn) });
  }

  switch(isOn) {
    this.isOn = isOn;
    this.#from = "";
    this.parts.draw.setAttribute("aria-pressed", String(isOn));
    this.parts.words.textContent = isOn ? "Choose two squares for an arrow, one square twice to mark it." : "";
    this.on.change();
  }

  // The square where an arrow begins, to be shown.
  begun = () => (this.#from ? [{ brush: this.parts.colour.value, orig: this.#from }] : []);

  pick(square) {
    if (!this.isOn || !square) return;
    const [begun] = this.begun();
    this.#from = begun ? "" : square;
    if (begun) this.on.draw(square === begun.orig ? begun : { ...begun, dest: square });
    this.on.change();
  }
}
