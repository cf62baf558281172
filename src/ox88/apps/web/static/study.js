// The game that is analysed: its tree of moves, the current position, tags, and what an undo brings back. It is kept
// for as long as the page's tab, and does not touch the page.

import * as tree from "/viewer/tree.js";
import { numbered, START, shapeInWords, shapesOf, withShapes } from "/viewer/words.js";

const KEPT = "ox88.tree";
const PLACE = "ox88.place";
const MOST_UNDOS = 20;
const ROSTER = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?", Result: "*" };
const OF_ANALYSIS = ["WhiteAccuracy", "BlackAccuracy", "WhiteACPL", "BlackACPL", "Annotator"];

// Keep something for as long as the page's tab. What is too large for the browser will not be restored by a reload.
export function keepInTab(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    sessionStorage.removeItem(name);
  }
}

// A tag's value without question marks and such for unknown parts.
export const plain = (value = "") => value.replaceAll(".??", "").replace(/^[?\s]+$/, "");

export class Study {
  root = null;
  at = null;
  tags = {};
  errors = [];
  players = null;
  undos = [];
  onchange = () => {};

  constructor() {
    const kept = sessionStorage.getItem(KEPT);
    this.isRestored = Boolean(kept);
    this.#set(kept ? { ...JSON.parse(kept), place: sessionStorage.getItem(PLACE) } : { nodes: [{ fen: START }] });
  }

  // nodes: see tree.js. place: the moves from the first position to the current one. players: see GameAnalysis.
  #set({ nodes, place = "", tags = {}, errors = [], players = null }) {
    Object.assign(this, { root: tree.grow(nodes), tags, errors, players });
    this.at = this.root;
    for (const uci of place.split(" ").filter(Boolean))
      this.at = this.at.children.find((child) => child.uci === uci) ?? this.at;
  }

  get #state() {
    const { root, tags, errors, players } = this;
    return { nodes: tree.listed(root), place: this.place(), tags, errors, players };
  }

  place = () => Array.from(this.path(), ({ uci }) => uci).join(" ");

  // Begin with another game: nodes (its tree), or start and moves; ply or place (of the current position); its undos.
  open({ start = START, moves = [], nodes = tree.listOf(start, moves), ply = 0, place, undos = [], ...game }) {
    const { tags, errors, white, black } = game;
    this.undos = undos;
    this.#set({ nodes, place, tags, errors });
    if (white) this.#assess(white, black);
    if (ply) this.at = this.line()[ply - 1] ?? this.root;
    this.#keep();
  }

  // Nothing has been opened or played.
  isEmpty = () => !this.root.children.length && this.start() === START && !this.root.comment && !this.root.commands;

  // Something has changed.
  keep() {
    this.#keep();
    this.onchange();
  }

  #keep() {
    keepInTab(KEPT, this.#state);
    this.goTo(this.at);
  }

  // --- The current position ---

  start = () => this.root.fen;
  path = () => tree.pathTo(this.at); // The moves that led to the current position.
  line = () => tree.lineFrom(this.root); // The moves of the main line.
  // The ply of the main line at which the current position or its variation is.
  ply = () => tree.pathTo(tree.mainBefore(this.at)).length;
  opening = () => this.path().findLast((node) => node.opening)?.opening ?? "";
  tag = (name) => plain(this.tags[name]);

  // A position and the moves that lead from it to the current one. After a side has passed, a search begins anew.
  get played() {
    const path = this.path();
    const pass = path.findLastIndex(({ uci }) => uci === tree.PASS);
    return { start: path[pass]?.fen ?? this.start(), moves: path.slice(pass + 1).map(({ uci }) => uci) };
  }

  // The node to which "first", "back", "on" or "last" leads.
  nodeTo(name) {
    const { at, root } = this;
    return { first: root, back: at.parent, on: at.children[0], last: tree.lineFrom(at).at(-1) }[name] ?? at;
  }

  goTo(node) {
    this.at = node;
    sessionStorage.setItem(PLACE, this.place());
  }

  // --- Changes ---

  play(move) {
    this.at = tree.play(this.at, move);
    this.keep();
  }

  // Change the notes beside the current move.
  note(notes) {
    Object.assign(this.at, notes);
    this.keep();
  }

  // Take over the arrows and marked squares of the current position. Returns what has been done, in words.
  draw(shapes) {
    const [before, after] = [shapesOf(this.at), shapes].map((list) => list.map(shapeInWords));
    const added = after.filter((words) => !before.includes(words));
    const gone = before.filter((words) => !after.includes(words));
    const what = added.length ? `draw ${added.join(", ")}` : `erase ${gone.join(", ")}`;
    const change = () => Object.assign(this.at, { commands: withShapes(this.at, shapes) });
    if (added.length || gone.length) this.#change(what, change);
    return what;
  }

  promote = (node = this.at) => this.#change(`promote ${nameOf(node)}`, () => tree.promote(node));
  makeMain = (node) => this.#change(`make ${nameOf(node)} the main line`, () => tree.makeMain(node));

  remove(node = this.at) {
    this.#change(`delete from ${nameOf(node)}`, () => {
      tree.remove(node);
      if (this.path().includes(node)) this.at = node.parent;
    });
  }

  // Take over the server's analysis of the game.
  merge({ nodes, tags, white, black }) {
    this.#change("analyse the whole game", () => {
      tree.merge(this.root, nodes);
      this.tags = { ...this.tags, ...tags };
      this.#assess(white, black);
    });
  }

  // Change something that an undo can take back. what: the undo's words.
  #change(what, change) {
    this.undos = this.remembered(what);
    change();
    this.keep();
  }

  // white, black: how well they have played, up to the last position that has an evaluation.
  #assess = (white, black) =>
    (this.players = { white, black, plies: this.line().findLastIndex((node) => node.win !== undefined) + 1 });

  undoes = () => this.undos.at(-1)?.what ?? ""; // What an undo takes back, in words; "" for nothing.

  // What can be undone if this game is replaced. what: an undo's words. restore(): called before it is brought back.
  remembered = (what, restore = () => {}) =>
    [...this.undos, { what, game: JSON.stringify(this.#state), restore }].slice(-MOST_UNDOS);

  // Bring back what the last change has deleted or replaced.
  undo() {
    const { game, restore } = this.undos.pop();
    restore();
    this.#set(JSON.parse(game));
    this.keep();
  }

  // --- PGN ---

  // The line that a move belongs to, from the first position to its end.
  lineAsPgn(node) {
    const moves = [...tree.pathTo(node), ...tree.lineFrom(node)].map(({ uci, san, fen }) => ({ uci, san, fen }));
    const result = tree.mainBefore(node) === node ? {} : { Result: "*" }; // A side line did not lead to it.
    return this.pgn(true, tree.grow(tree.listOf(this.start(), moves)), result);
  }

  // bare: only the main line, without comments and analysis. others: tags that differ from the game's.
  pgn(bare = false, root = this.root, others = {}) {
    const setup = this.start() === START ? {} : { SetUp: "1", FEN: this.start() };
    const tags = { ...ROSTER, ...this.tags, ...setup, ...others };
    if (bare) for (const name of OF_ANALYSIS) delete tags[name];
    const quoted = (value) => String(value).replace(/[\\"]/g, "\\$&");
    const head = Object.entries(tags).map(([name, value]) => `[${name} "${quoted(value)}"]\n`);
    const text = `${tree.movetext(root, bare)} ${tags.Result}`.trim();
    // Lines of 80 characters; a command stays in one, and none begins with a sign that would have a meaning there.
    const whole = text.replace(/\[%[^\]]*\]/g, (command) => command.replaceAll(" ", "\0"));
    const lines = whole.replace(/(.{1,80})(?: (?![%[;])|$)/g, "$1\n").replaceAll("\0", " ");
    return `${head.join("")}\n${lines}`;
  }
}

// A move with its number.
const nameOf = (node) => numbered(node.parent.fen, [node])[0];
