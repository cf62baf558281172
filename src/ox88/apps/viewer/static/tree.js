// A game as a tree of positions. A node is the position after a move, { parent, children, uci, san, fen, check,
// opening, nags, comment, commands, before, eval, win }; the root is the first position. Of several children the first
// is the main line. Nothing here knows the page or the rules of chess.

import { numberOf, shapesOf, withShapes } from "./words.js";

export const PASS = "0000"; // The move (UCI) of a side that passes.

// A tree from a list in which each node has the number of its parent, which stands before it. Returns the root.
export function grow(list) {
  const nodes = [];
  for (const { parent, ...fields } of list) nodes.push(attach(nodes[parent] ?? null, fields));
  return nodes[0];
}

function attach(parent, fields) {
  const node = { ...fields, parent, children: [] };
  parent?.children.push(node);
  return node;
}

// The inverse of `grow`.
export function listed(root) {
  const list = [];
  const numbers = new Map();
  const waiting = [root];
  while (waiting.length) {
    const node = waiting.pop();
    const { parent, children, ...fields } = node;
    numbers.set(node, list.length);
    list.push(parent ? { parent: numbers.get(parent), ...fields } : fields);
    for (const child of children.toReversed()) waiting.push(child);
  }
  return list;
}

// The list for a game without variations.
export const listOf = (start, moves) => [{ fen: start }, ...moves.map((move, parent) => ({ ...move, parent }))];

// The node after a move, which is added if it is new. move: as the server describes it.
export const play = (node, move) => node.children.find(({ uci }) => uci === move.uci) ?? attach(node, move);

// The nodes from the root to a node, without the root.
export function pathTo(node) {
  const path = [];
  for (let at = node; at.parent; at = at.parent) path.push(at);
  return path.reverse();
}

// The nodes of the main line after a node.
export function lineFrom(node) {
  const line = [];
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

// The last node on the way to a node that belongs to the main line.
export function mainBefore(node) {
  let main = node;
  for (let at = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) main = at.parent;
  return main;
}

// All nodes but the root in a PGN's order: a move, the variations beside it between "(" and ")", what follows.
export function* walk(root) {
  const waiting = [root.children];
  while (waiting.length) {
    const next = waiting.pop();
    if (!Array.isArray(next)) yield next;
    else if (next.length) {
      const [main, ...others] = next;
      waiting.push(main.children);
      for (const other of others.reverse()) waiting.push(")", other.children, other, "(");
      waiting.push(main);
    }
  }
}

// Put the innermost variation that a node belongs to before the others beside it.
export function promote(node) {
  let at = node;
  while (at.parent && at.parent.children[0] === at) at = at.parent;
  const children = at.parent?.children ?? [];
  children.unshift(...children.splice(children.indexOf(at), 1));
}

// Make the way to a node the main line.
export function makeMain(node) {
  while (mainBefore(node) !== node) promote(node);
}

// Delete a move and all that follows it.
export const remove = (node) => node.parent.children.splice(node.parent.children.indexOf(node), 1);

// Add the notes and variations of another version of the same tree. What has been written and drawn meanwhile stays.
export function merge(root, list) {
  const nodes = [];
  for (const { parent, comment = "", ...fields } of list) {
    const node = parent === undefined ? root : play(nodes[parent], fields);
    const shapes = shapesOf(node);
    const { nags = [] } = node;
    Object.assign(node, fields);
    if (node.commands) node.commands = withShapes(node, shapes);
    if (comment?.includes(node.comment ?? "")) node.comment = comment;
    if (!nags.every((nag) => node.nags?.includes(nag))) node.nags = nags;
    nodes.push(node);
  }
}

// The moves as PGN, without the result. bare: the moves of the main line only.
export function movetext(root, bare = false) {
  const words = [];
  let isNumbered = true;
  const remark = (...parts) => {
    const text = parts.filter(Boolean).join(" ").replaceAll("}", "");
    if (bare || !text) return;
    words.push(`{ ${text} }`);
    isNumbered = true;
  };
  remark(root.commands, root.comment);
  for (const token of bare ? lineFrom(root) : walk(root)) {
    if (typeof token === "string") {
      words.push(token);
      isNumbered = true;
      continue;
    }
    remark(token.before);
    const { number, white } = numberOf(token.parent.fen);
    if (white || isNumbered) words.push(`${number}${white ? "." : "..."}`);
    words.push(token.san);
    isNumbered = false;
    if (!bare) words.push(...(token.nags ?? []).map((nag) => `$${nag}`));
    remark(token.commands, token.comment);
  }
  return words.join(" ");
}
