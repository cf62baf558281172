// The page: what playing and analysing share, the addresses of its parts, and keyboard shortcuts.

import { find, findAll, make, svgOf } from "/viewer/dom.js";
import { showGauge } from "/viewer/graph.js";
import { Analyse } from "./analyse.js";
import { Board, inBoard } from "./board.js";
import {
  copied,
  fail,
  fetchText,
  isPointed,
  listenForLosses,
  notice,
  offerSettings,
  onClick,
  Tabs,
  undo,
} from "./controls.js";
import { Inside } from "./inside.js";
import { Analyses, Library } from "./library.js";
import { menuButton } from "./menu.js";
import { Play } from "./play.js";
import { socket } from "./socket.js";
import { Train } from "./train.js";
import { announce } from "./words.js";

const THOUGHT = 100_000; // Nodes of a search in Think.

const desk = {
  mode: null, // "play", "games", "train", "analyse" or "think".
  // The part of the address that the page follows. When location.hash changes, this stays as it was until `enter` runs.
  entered: "",
  board: new Board(find("#board"), {
    move: (uci) => now().moved(uci),
    select: (square) => now().pick?.(square),
    change: () => now().setup?.changed(),
    draw: (shapes) => now().drawn?.(shapes),
  }),

  strip: (side) => find(`.strip[data-side="${side === desk.board.orientation() ? "bottom" : "top"}"]`),

  // On a phone the board may be out of sight.
  seekBoard() {
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    find("#board").scrollIntoView({ block: "nearest", behavior });
  },

  // Turn the board to a side, unless the person has turned it otherwise: for a game, or for Analyse.
  turnBoard(usual) {
    const side = sessionStorage.getItem(bottomOf(now().place())) ?? usual;
    if (desk.board.orientation() === side) return;
    desk.board.turn(side);
    find(".gauge").classList.toggle("turned", side === "black");
  },

  shown: () => inside.show(now().fen()),
  showInside: () => showInside(),

  // side: at the bottom. isReviewed: the whole game is analysed at once.
  async analyse(game, { side = desk.board.orientation(), isReviewed = false } = {}) {
    sessionStorage.setItem(bottomOf(analyse.place()), side);
    await analyse.load(game);
    location.hash = "#analyse";
    if (isReviewed) analyse.review();
  },

  // Let the address name what is shown, unless another one has just been entered.
  show(address) {
    if (location.hash !== desk.entered || location.hash === address) return; // Safari takes 100 addresses in 30 s.
    history.replaceState(null, "", address);
    desk.entered = location.hash;
  },

  // Offer a new game from a position.
  playFrom(fen) {
    play.newGame.from(fen);
    location.hash = "#play";
  },

  // at: see graph.js; null for none.
  gauge: (at) => showGauge(find(".gauge"), at),
};

const inside = new Inside(find("#inside"));
const play = new Play(find("#panel-play"), desk);
const analyse = new Analyse(find("#panel-analyse"), desk);
const train = new Train(find("#panel-train"), desk);
const review = (text, side) => socket.ask("open", { text }).then((game) => desk.analyse(game, { side }), fail);
const library = new Library(find("#tab-played"), review);
const analyses = new Analyses(find("#tab-analyses"));
new Tabs(find(".tabs", find("#panel-games")), "games");
/** @returns {any} The panel that has the board. */
const now = () => ({ analyse, train })[desk.mode] ?? play;
let think = null; // Its modules are loaded when it is first opened.

// --- Addresses: #play, #play/ID, #games, #analyse, #analyse/ID, #analyse/ID/CHAPTER, #think, #think/FEN/LIMIT/NODE,
// #train, #train/KIND, #train/theme/THEME, #train/game/ID, #train/over ---

const MODES = ["play", "games", "train", "analyse", "think"];

function enter() {
  desk.entered = location.hash;
  const [name, ...rest] = location.hash.slice(1).split("/");
  const mode = MODES.includes(name) ? name : "play";
  if (desk.mode !== mode) change(mode);
  if (mode === "think") openThink(rest.join("/"));
  else ({ play, analyse, train })[mode]?.open(...rest);
}

async function openThink(address) {
  const panel = find("#panel-think");
  if (!think) {
    panel.classList.toggle("beginning", !address);
    const { Think } = await import("./think.js");
    think ??= new Think(panel, desk);
    panel.inert = false;
  }
  if (desk.mode === "think") think.open(address);
}

const bottomOf = (place) => `ox88.bottom.${place}`;

function change(mode) {
  ({ analyse, think, train })[desk.mode]?.rest();
  desk.mode = mode;
  document.body.dataset.mode = mode;
  document.title = mode === "play" ? "Ox88" : `Ox88 – ${find(`#panel-${mode}`).getAttribute("aria-label")}`;
  for (const name of MODES) find(`#panel-${name}`).hidden = name !== mode;
  for (const link of findAll(".bar nav a")) link.ariaCurrent = link.dataset.mode === mode ? "page" : null;
  notice("");
  find(".gauge").hidden = mode !== "analyse";
  desk.gauge(null);
  showInside();
  if (mode === "games") for (const list of [library, analyses]) list.show();
  if (mode === "analyse") {
    desk.turnBoard("white");
    analyse.enter();
  }
}

// --- Commands ---

function flip() {
  const side = desk.board.orientation() === "white" ? "black" : "white";
  if (now().place()) sessionStorage.setItem(bottomOf(now().place()), side);
  desk.turnBoard(side);
  now().turned();
  announce(`${desk.board.orientation()} at the bottom`);
}

let isBeside = false; // In Play, Look inside is open beside the board.

// In Analyse it is a tab.
function showInside() {
  const isTab = desk.mode === "analyse";
  if (isTab) find("#tab-inside").append(inside.element);
  else find(".table").after(inside.element);
  inside.toggle(isTab ? analyse.tabs.opened() === "tab-inside" : isBeside, now().fen());
  find("[data-go='inside']").setAttribute("aria-pressed", String(isBeside));
  find(".desk").classList.toggle("with-inside", isBeside && !isTab);
}

function lookInside() {
  if (desk.mode === "analyse") return analyse.lookInside();
  if (desk.mode === "train") return;
  isBeside = !isBeside;
  return showInside();
}

// With this position to every other page.
function elsewhere() {
  const fen = (desk.mode === "think" ? think : now()).fen();
  const toAnalyse = () => (desk.mode === "play" ? play.analyse() : desk.analyse({ start: fen }));
  return [
    ["Play from here", () => desk.playFrom(fen)],
    desk.mode !== "analyse" && ["Analyse", toAnalyse],
    desk.mode !== "think" && [
      "Think about this position",
      () => (location.hash = `#think/${fen.replaceAll(" ", "_")}/${THOUGHT}/1`),
    ],
    ["Copy FEN", async () => notice(`${await copied(fen)}.`)],
    ...(desk.mode === "play" ? play.copies : []),
  ];
}

const go = (to) => () => now().go(to);
const commands = { first: go("first"), back: go("back"), on: go("on"), last: go("last"), flip, inside: lookInside };

for (const button of findAll("[data-go]")) button.addEventListener("click", commands[button.dataset.go]);
for (const button of findAll(".elsewhere")) menuButton(button, elsewhere);

const HELP = "?";
const KEYS = {
  ArrowLeft: commands.back,
  ArrowRight: commands.on,
  ArrowUp: commands.first,
  ArrowDown: commands.last,
  Home: commands.first,
  End: commands.last,
  " ": () => now().space(),
  f: flip,
  i: lookInside,
  n: () => now().nextMistake?.(),
  m: () => now().write(),
  h: () => now().askHint?.(),
  x: () => now().engine?.toggleThreat(),
  b: () => desk.board.focus(),
  [HELP]: () => find("#keys").showModal(),
};

// After a click or a touch, keys are shortcuts: Space would repeat the last button, and an arrow choose another option.
document.addEventListener("change", ({ target }) => {
  if (isPointed && target instanceof HTMLSelectElement) target.blur();
});

const OWN = "dialog, select, textarea, .promotion, [role=menu]"; // What has all keys.

function ownsKeys(element, key) {
  if (element.closest(OWN)) return true;
  if (inBoard(element)) return false;
  if (element instanceof HTMLInputElement && !["checkbox", "radio"].includes(element.type)) return true;
  if (isPointed) return false;
  return " Enter".includes(key)
    ? element.closest("button, a, summary, input") !== null
    : key.startsWith("Arrow") && element.matches("input");
}

const repeats = (element, key) =>
  isPointed && " Enter".includes(key) && element.closest("button") && !element.closest(OWN);
const keysOf = (mode) => ({ games: {}, train: { ...KEYS, ...train.keys }, think: think?.keys() ?? {} })[mode] ?? KEYS;
let taken = ""; // The key that is down, if its button shall not have it.

document.addEventListener("keydown", (event) => {
  const { key } = event;
  const target = /** @type {Element} */ (event.target);
  taken = "";
  if (key === "Escape" && !target.closest("dialog, .promotion, [role=menu]")) now().escape?.();
  if (key === "z" && (event.ctrlKey || event.metaKey) && !ownsKeys(target, key)) {
    event.preventDefault(); // The browser would undo what was written in some field.
    if (desk.mode === "analyse") analyse.edit.undo();
    else undo();
  }
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const act = key === HELP ? KEYS[HELP] : Object.hasOwn(keysOf(desk.mode), key) && keysOf(desk.mode)[key];
  const isOurs = act && !ownsKeys(target, key);
  if (!isOurs && !repeats(target, key)) return;
  event.preventDefault();
  taken = key;
  if (isOurs) act();
});
document.addEventListener("keyup", (event) => {
  if (event.key === taken) event.preventDefault(); // Firefox clicks here.
  taken = "";
});
find("#keys-button").addEventListener("click", KEYS[HELP]);
find("#settings-button").addEventListener("click", () => find("#settings").showModal());
onClick(find("#notice"), { undo, close: () => notice("") });
find(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  if (desk.mode === "think") think?.focus();
  else desk.board.focus();
});
offerSettings(() => {
  now().showPanel();
  now().showBoard();
});

listenForLosses();
// The pieces of small boards: while the connection is lost they could not be had.
const addPieces = (text) => document.body.prepend(make("div.aside", { "aria-hidden": "true" }, svgOf(text)));
fetchText("/viewer/pieces.svg").then(addPieces, fail);
window.addEventListener("hashchange", enter);
enter();
for (const part of findAll("body > [inert], .choices")) part.inert = false; // From here on clicks are heard.
