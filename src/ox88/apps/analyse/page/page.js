// The page of analysed games: first what is shown and how it changes, then the views, which read it, then keys.

import { Diagram } from "/viewer/diagram.js";
import { find, findAll, make, unbroken } from "/viewer/dom.js";
import { Graph, showGauge } from "/viewer/graph.js";
import { MoveList } from "/viewer/movelist.js";
import { GameList, playersOf, showPlayer, summary } from "/viewer/players.js";
import { arrowOf, capital, errorOf, nextError, numbered, shapesOf, signs, timesOf } from "/viewer/words.js";

const games = JSON.parse(find("#games").textContent); // As page_output.py writes them.

// --- What is shown ---------------------------------------------------------------------------------------------------

// line: { number, step } in a line in place of the move. asked: the ply of the mistake that is asked about; else 0.
const view = { game: 0, ply: 0, line: null, asked: 0, flipped: false };
const game = () => games[view.game];
const positions = () => [game().start, ...game().moves];

function position() {
  const move = positions()[view.ply];
  if (!view.line) return move;
  const line = move.lines[view.line.number];
  return { ...line.moves[view.line.step], eval: line.eval, win: line.win };
}

function goTo(ply, line = null, asked = 0) {
  Object.assign(view, { ply: Math.min(Math.max(ply, 0), game().moves.length), line, asked });
  show();
}

// To the position before the next mistake.
function goToMistake() {
  const asked = nextError(positions(), view.asked || view.ply);
  if (asked) goTo(asked - 1, null, asked);
}

function step(by) {
  if (!view.line) return goTo(view.ply + by);
  const { number, step } = view.line;
  const last = positions()[view.ply].lines[number].moves.length - 1;
  if (step + by < 0) return goTo(view.ply - 1);
  return goTo(view.ply, { number, step: Math.min(step + by, last) });
}

function open(number, ply = 0) {
  Object.assign(view, { game: Math.min(Math.max(number, 0), games.length - 1), flipped: false });
  showGame();
  goTo(ply);
}

function openFromHash() {
  const [, number, ply] = location.hash.match(/^#(\d+)\/(\d+)$/) ?? ["", "1", "0"];
  open(Number(number) - 1, Number(ply));
}

// --- Drawn again for each move ---------------------------------------------------------------------------------------

const board = new Diagram();
const graph = new Graph((ply) => goTo(ply));
const moveList = new MoveList(find(".moves"), ({ ply }) => goTo(ply), "No move of this game could be analysed.");

let noting = 0; // A timer, because browsers refuse too many changes of the address in a row.

function show() {
  const { start, moves } = game();
  const at = position();
  const asked = view.asked || view.ply;
  const { uci, lines = [] } = positions()[asked];
  const kind = view.line ? "" : errorOf(at.nags);
  const better = (kind || view.asked) && lines.length ? [arrowOf(lines[0].moves[0].uci, "green")] : [];
  board.show({
    ...at,
    orientation: view.flipped ? "black" : "white",
    shapes: [...shapesOf(at), ...(view.asked ? [arrowOf(uci, "red")] : []), ...better],
    mark: kind && { kind, sign: signs(at.nags) },
  });
  board.element.setAttribute("aria-label", at.san ? `Position after ${at.san}` : "The position at the start");
  find(".gauge").classList.toggle("turned", view.flipped);
  showGauge(find(".gauge"), at.eval ? at : null);
  for (const strip of findAll(".strip")) {
    const side = (strip.dataset.side === "bottom") === view.flipped ? "black" : "white";
    const { name, rating } = game()[side];
    showPlayer(strip, side, { name, rating, ...timesOf(positions().slice(0, view.ply + 1), side) });
  }
  graph.point(view.ply);
  find(".remark").replaceChildren(...remark(asked));
  moveList.showGame(start.fen, moves, view.ply);
  const line = view.line && `${view.ply}/${view.line.number}/${view.line.step}`;
  for (const button of findAll("[data-line]"))
    button.setAttribute("aria-current", String(button.dataset.line === line));
  clearTimeout(noting);
  noting = setTimeout(() => history.replaceState(null, "", `#${view.game + 1}/${view.ply}`), 300);
}

// What is said of a move.
function remark(ply) {
  const move = positions()[ply];
  const kind = errorOf(move.nags);
  const words = ply ? [make("b", label(ply)), move.eval === "#" ? " " : ` ${move.eval} `] : [];
  if (kind) words.push(make("b", { class: kind }, `${capital(kind)}. `));
  if (kind) move.lines.forEach((_, number) => words.push(number ? " Or: " : "Better: ", lineOf(ply, number), " "));
  if (move.reason) words.push(...unbroken(`${move.reason} `));
  if (move.comment && !view.line) words.push(...unbroken(move.comment));
  return words;
}

// The move that leads to a position, such as 8… Nxe4??
function label(ply) {
  const [before, move] = positions().slice(ply - 1);
  return numbered(before.fen, [move]) + signs(move.nags);
}

// A line in place of a move.
function lineOf(ply, number) {
  const line = positions()[ply].lines[number];
  const labels = numbered(positions()[ply - 1].fen, line.moves);
  const button = (words, step) =>
    make("button", { "data-line": `${ply}/${number}/${step}`, onclick: () => goTo(ply, { number, step }) }, words);
  return make("span.line", [labels.flatMap((words, step) => [button(words, step), " "]), `(${line.eval})`]);
}

// --- Drawn again for each game ---------------------------------------------------------------------------------------

const list = new GameList((number) => open(number));

function showGame() {
  const { white, black, result, opening, place, errors, moves } = game();
  find(".about").replaceChildren(
    make("h2", [playersOf(white.name, black.name) || "A game", make("b", result)]),
    ...[opening, place].filter(Boolean).map((text) => make("p", text)),
    ...errors.map((text) => make("p.wrong", text)),
  );
  graph.element.toggleAttribute("hidden", !moves.length);
  graph.show(positions());
  find(".summary").replaceWith(summary(white, black));
  showMoments();
  list.mark(view.game);
}

function showMoments() {
  const plies = positions().flatMap(({ nags }, ply) => (errorOf(nags) ? [ply] : []));
  find(".moments").replaceChildren(
    make("h3", "Key moments"),
    plies.length ? make("ol", plies.map(moment)) : make("p.line", "None: no move lost much."),
  );
}

function moment(ply) {
  const [before, move] = positions().slice(ply - 1);
  return make("li", { class: errorOf(move.nags) }, [
    make("button.what", { onclick: () => goTo(ply) }, label(ply)),
    make("span.swing", `${before.eval} → ${move.eval}`),
    move.lines.length ? make("div", [lineOf(ply, 0)]) : null,
  ]);
}

function detail({ white, black, opening, place, errors }) {
  const accuracies = [white, black].map(({ accuracy }) => accuracy?.toFixed(1) ?? "–").join(" : ");
  const isKnown = white.accuracy != null || black.accuracy != null;
  const words = [isKnown && `${accuracies} %`, opening, place].filter(Boolean).join(" · ");
  return [errors.length ? make("span.wrong", "with errors ") : null, words];
}

// --- The page, keys and pointers -------------------------------------------------------------------------------------

const commands = {
  first: () => goTo(0),
  back: () => step(-1),
  on: () => step(1),
  last: () => goTo(Infinity),
  key: goToMistake,
  flip: () => {
    view.flipped = !view.flipped;
    show();
  },
  leave: () => goTo(view.ply),
  before: () => open(view.game - 1),
  after: () => open(view.game + 1),
};
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "flip", Escape: "leave" };
KEYS.k = KEYS.n = "key";
if (games.length > 1) Object.assign(KEYS, { ArrowUp: "before", ArrowDown: "after" }); // Else they scroll the page.

document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || event.altKey || event.ctrlKey || event.metaKey) return;
  const command = commands[KEYS[event.key]];
  if (!command) return;
  event.preventDefault();
  command();
});
for (const button of findAll("[data-go]")) button.addEventListener("click", commands[button.dataset.go]);
find(".stage").append(board.element);
find(".about").after(graph.element);
board.element.addEventListener("click", (event) => {
  const box = board.element.getBoundingClientRect();
  step(event.clientX - box.left < box.width / 2 ? -1 : 1);
});
if (games.length > 1) {
  list.search.placeholder = "Player, opening, event";
  list.fill(games.map((each) => ({ ...each, white: each.white.name, black: each.black.name, detail: detail(each) })));
  find(".finder").append(list.search, list.element);
  find(".finder").hidden = false;
  find(".layout").classList.add("with-games");
}
window.addEventListener("hashchange", openFromHash);
openFromHash();
