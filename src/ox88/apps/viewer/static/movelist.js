// The list of the moves of a game: the main line in two columns, comments and variations below the move they belong to.
// A click goes to a position.

import { keepInSight, make } from "./dom.js";
import { errorOf, signs } from "./glyphs.js";
import { grow, lineFrom, listOf, walk } from "./tree.js";
import { isFigurine, numberOf, written } from "./words.js";

const NONE = "No moves yet.";
const shown = new WeakMap(); // What a list shows: its buttons by node, and the current one.

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
    if (depth) return block.append(make("span.comment", text), " ");
    closeRow();
    add("p.comment", text);
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
  const button = (node, prefix, score) => {
    const words = make("span", prefix + written(node.san) + signs(node.nags));
    const made = make("button", { class: errorOf(node.nags), "aria-current": "false", onclick: () => onpick(node) }, [
      words,
      score,
    ]);
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
      if (depth) block.append(") ");
      isNumbered = true;
    } else {
      remark(token.before);
      (depth ? addSide : addMain)(token, numberOf(token.parent.fen));
      remark(token.comment);
    }
  }
  if (!items.length) add("p.none", none);
  list.replaceChildren(...items);
  shown.set(list, { buttons, current: null });
}

// Show which move led to the current position; none if the node is not in the list.
export function markCurrent(list, node) {
  const known = shown.get(list);
  known.current?.setAttribute("aria-current", "false");
  known.current = known.buttons.get(node) ?? null;
  known.current?.setAttribute("aria-current", "true");
  if (known.current) keepInSight(list, known.current);
  else list.scrollTop = 0;
}
