// The list of the moves of a game: the main line in two columns, comments and variations below the move they belong to.
// A click goes to a position. For the keyboard it is one stop, in which the arrow keys go from move to move.

import { keepInSight, make, unbroken } from "./dom.js";
import { grow, listOf, walk } from "./tree.js";
import { errorOf, isFigurine, numberOf, signs, written } from "./words.js";

export class MoveList {
  #buttons = new Map(); // By their nodes.
  #current = null; // The button of the current move.
  #stop = null; // The button that Tab leads to.
  #isFocused = false; // A button that is gone had the focus.
  #isByKey = false; // The list got its focus from the keyboard. After a click the arrow keys are the page's.
  #game = []; // What showGame has shown.

  // element: the list. onpick(node): called for a click. none: what is said if there are no moves.
  constructor(element, onpick, none = "No moves yet.") {
    this.element = element;
    this.onpick = onpick;
    this.none = none;
    element.addEventListener("pointerdown", () => (this.#isByKey = false));
    element.addEventListener("focusin", ({ target }) => {
      this.#isByKey = target.matches(":focus-visible");
      this.#lead(target);
    });
    element.addEventListener("keydown", (event) => this.#isByKey && this.#step(event));
    new ResizeObserver(() => this.#current && keepInSight(element, this.#current)).observe(element);
  }

  // A game without variations. start: the FEN before the first move. current: the ply that is shown. Nodes have plies.
  showGame(start, moves, current) {
    const game = [moves, start, isFigurine()];
    if (game.some((part, place) => part !== this.#game[place])) {
      this.show(grow(listOf(start, moves).map((node, ply) => ({ ...node, ply }))));
      this.#game = game;
    }
    this.mark([...this.#buttons.keys()][current - 1]);
  }

  // root: see tree.js.
  show(root) {
    this.#buttons = new Map();
    const items = [];
    const add = (...item) => items.push(make(...item));
    let block = null; // The paragraph of a variation.
    let depth = 0;
    let isRowOpen = false; // Black's half is still empty.
    let isNumbered = true;
    let last = root;

    const closeRow = () => {
      if (isRowOpen) add("span.gap", last.children.length ? "…" : "");
      isRowOpen = false;
    };
    const remark = (words = "") => {
      const text = words.replace(/\[%[^\]]*\]/g, "").trim(); // Commands before a variation.
      if (!text) return;
      isNumbered = true;
      if (depth) return block.append(make("span.comment", unbroken(text)), " ");
      closeRow();
      add("p.comment", unbroken(text));
    };
    const addMain = (node, { number, white }) => {
      if (!isRowOpen) {
        add("span.number", `${number}.`);
        if (!white) add("span.gap", "…");
      }
      const score = node.eval && node.eval !== "#" ? make("span.score", node.eval) : null;
      items.push(button(node, "", score));
      isRowOpen = white;
      last = node;
    };
    const addSide = (node, { number, white }) => {
      block.append(button(node, white ? `${number}. ` : isNumbered ? `${number}… ` : ""), " ");
      isNumbered = false;
    };
    // The bracket stays with what is before it, and with a move in its line.
    const close = () => {
      block.lastChild.remove(); // A blank.
      const last = block.lastChild;
      const whole = last.matches(".comment, :has(.comment)") ? "span" : "span.unbroken";
      block.append(make(whole, last, "\u00a0)"), " ");
    };
    const button = (node, prefix, score) => {
      const words = make("span", prefix + written(node.san) + signs(node.nags));
      const marks = { class: errorOf(node.nags), "aria-current": "false", tabindex: -1, "data-ply": node.ply };
      const made = make("button", { ...marks, onclick: () => this.onpick(node) }, [words, score]);
      this.#buttons.set(node, made);
      return made;
    };

    remark(root.comment);
    for (const token of walk(root)) {
      if (token === "(") {
        if (depth) block.append("( ");
        else closeRow();
        if (!depth) items.push((block = make("p.side")));
        depth += 1;
        isNumbered = true;
      } else if (token === ")") {
        depth -= 1;
        if (depth) close();
        isNumbered = true;
      } else {
        remark(token.before);
        (depth ? addSide : addMain)(token, numberOf(token.parent.fen));
        remark(token.comment);
      }
    }
    if (!items.length) add("p.none", this.none);
    this.#isFocused = this.element.contains(document.activeElement);
    this.element.replaceChildren(...items);
    this.#current = this.#stop = null;
  }

  // The node whose move an element in the list belongs to; undefined if it belongs to none.
  nodeAt(element) {
    const button = element?.closest("button");
    return [...this.#buttons].find(([, each]) => each === button)?.[0];
  }

  // Let Tab lead to a button.
  #lead(button) {
    if (this.#stop) this.#stop.tabIndex = -1;
    this.#stop = button;
    if (button) button.tabIndex = 0;
  }

  #step(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const all = [...this.#buttons.values()];
    const at = all.indexOf(document.activeElement);
    const boxOf = (button) => button.getBoundingClientRect();
    const { top, bottom, left, right } = boxOf(all[at]);
    const found = {
      ArrowRight: () => all[at + 1],
      ArrowLeft: () => all[at - 1],
      ArrowDown: () => all.slice(at).find((each) => boxOf(each).top > bottom - 4 && boxOf(each).right > left),
      ArrowUp: () => all.slice(0, at).findLast((each) => boxOf(each).bottom < top + 4 && boxOf(each).left < right),
      Home: () => all[0],
      End: () => all.at(-1),
    };
    if (!Object.hasOwn(found, event.key)) return;
    found[event.key]()?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  // Show which move led to the current position; none if the node is not in the list.
  mark(node) {
    const button = this.#buttons.get(node) ?? null;
    this.#current?.setAttribute("aria-current", "false");
    this.#current = button;
    button?.setAttribute("aria-current", "true");
    this.#lead(button ?? this.#buttons.values().next().value ?? null);
    if (this.#isFocused) this.#stop?.focus({ preventScroll: true });
    this.#isFocused = false;
    if (button) keepInSight(this.element, button);
    else this.element.scrollTop = 0;
  }
}
