// The list of the moves of a game: the main line in two columns, comments and variations below the move they belong to.
// A click goes to a position. For the keyboard it is one stop, in which the arrow keys go from move to move.

import { keepInSight, make, unbroken } from "./dom.js";
import { grow, lineFrom, listOf, walk } from "./tree.js";
import { errorOf, isFigurine, numberOf, signs, written } from "./words.js";

const NONE = "No moves yet.";
const shown = new WeakMap(); // What a list shows: its buttons by node, the current one, and the one that Tab leads to.

// A game without variations. start: the FEN before the first move. current: the ply that is shown. none: what is said
// if there are no moves. onpick(ply).
export function showMoves(list, { start, moves, current, onpick, none = NONE }) {
  const known = shown.get(list);
  if (known?.moves !== moves || known.start !== start || known.isFigurine !== isFigurine()) {
    const root = grow(listOf(start, moves));
    const plies = new Map(lineFrom(root).map((node, index) => [node, index + 1]));
    showTree(list, root, (node) => onpick(plies.get(node)), none);
    for (const [node, ply] of plies) shown.get(list).buttons.get(node).dataset.ply = ply;
    Object.assign(shown.get(list), { moves, start, isFigurine: isFigurine(), nodes: [...plies.keys()] });
  }
  markCurrent(list, shown.get(list).nodes[current - 1]);
}

// root: see tree.js. onpick(node): called for a click.
export function showTree(list, root, onpick, none = NONE) {
  const buttons = new Map();
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
    const marks = { class: errorOf(node.nags), "aria-current": "false", tabindex: -1 };
    const made = make("button", { ...marks, onclick: () => onpick(node) }, [words, score]);
    buttons.set(node, made);
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
  if (!items.length) add("p.none", none);
  if (!shown.has(list)) listen(list);
  const isFocused = list.contains(document.activeElement);
  list.replaceChildren(...items);
  shown.set(list, { buttons, current: null, stop: null, isFocused });
}

// The node whose move an element in a list belongs to; undefined if it belongs to none.
export function nodeAt(list, element) {
  const button = element?.closest("button");
  return [...shown.get(list).buttons].find(([, each]) => each === button)?.[0];
}

// After a click the arrow keys are the page's: they go through the game.
function listen(list) {
  let isByKey = false;
  list.addEventListener("pointerdown", () => (isByKey = false));
  list.addEventListener("focusin", ({ target }) => {
    isByKey = target.matches(":focus-visible");
    lead(shown.get(list), target);
  });
  list.addEventListener("keydown", (event) => isByKey && step(list, event));
}

// Let Tab lead to a button.
function lead(known, button) {
  if (known.stop) known.stop.tabIndex = -1;
  known.stop = button;
  if (button) button.tabIndex = 0;
}

function step(list, event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const all = [...shown.get(list).buttons.values()];
  const at = all.indexOf(document.activeElement);
  const box = all[at].getBoundingClientRect();
  const boxOf = (button) => button.getBoundingClientRect();
  const found = {
    ArrowRight: () => all[at + 1],
    ArrowLeft: () => all[at - 1],
    ArrowDown: () => all.slice(at).find((each) => boxOf(each).top > box.bottom - 4 && boxOf(each).right > box.left),
    ArrowUp: () =>
      all.slice(0, at).findLast((each) => boxOf(each).bottom < box.top + 4 && boxOf(each).left < box.right),
    Home: () => all[0],
    End: () => all.at(-1),
  };
  if (!Object.hasOwn(found, event.key)) return;
  found[event.key]()?.focus();
  event.preventDefault();
  event.stopPropagation();
}

// Show which move led to the current position; none if the node is not in the list.
export function markCurrent(list, node) {
  const known = shown.get(list);
  known.current?.setAttribute("aria-current", "false");
  known.current = known.buttons.get(node) ?? null;
  known.current?.setAttribute("aria-current", "true");
  lead(known, known.current ?? known.buttons.values().next().value ?? null);
  if (known.isFocused) known.stop?.focus({ preventScroll: true }); // The button that had the focus is gone.
  known.isFocused = false;
  if (known.current) keepInSight(list, known.current);
  else list.scrollTop = 0;
}
