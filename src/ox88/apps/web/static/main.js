// The page: what playing and analysing share, keyboard shortcuts, and settings kept in the browser.

import { Analyse } from "./analyse.js";
import { Board, inBoard } from "./board.js";
import { find, icon } from "./dom.js";
import { Inside } from "./inside.js";
import { Play } from "./play.js";
import { Socket } from "./socket.js";
import { announce, isFigurine, setFigurine } from "./words.js";

const socket = new Socket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);

const desk = {
  mode: null,
  board: new Board(find("#board"), { onMove: (uci) => now().moved(uci), onSelect: (square) => now().pick?.(square) }),

  strip: (side) => find(`.strip[data-side="${side === desk.board.orientation ? "bottom" : "top"}"]`),

  notice(text) {
    find("#notice").hidden = !text;
    find("#notice").textContent = text;
  },

  turnBoard(side) {
    if (desk.board.orientation === side) return;
    desk.board.turn(side);
    find(".gauge").classList.toggle("turned", side === "black");
  },

  refresh() {
    now().showBoard();
  },

  shown() {
    inside.show(now().fen);
  },

  analyse(game) {
    analyse.load(game);
    location.hash = "#analyse";
  },

  gauge(at, isShown) {
    const gauge = find(".gauge");
    gauge.hidden = !isShown || desk.mode !== "analyse";
    find(".gauge-white").style.height = `${at?.win ?? 50}%`;
    find(".gauge-text").textContent = at?.eval ?? "";
    gauge.setAttribute("aria-label", at ? `Evaluation ${at.eval}` : "No evaluation");
  },
};

const inside = new Inside(find("#inside"), socket);
const play = new Play(find("#play"), socket, desk);
const analyse = new Analyse(find("#analyse"), socket, desk);
const now = () => (desk.mode === "analyse" ? analyse : play);

// --- Modes and commands ---

function enter() {
  const mode = location.hash === "#analyse" ? "analyse" : "play";
  if (desk.mode === mode) return;
  if (desk.mode === "analyse") analyse.rest();
  desk.mode = mode;
  document.body.dataset.mode = mode;
  document.title = mode === "play" ? "Ox88" : "Ox88 – Analyse";
  find("#play").hidden = mode !== "play";
  find("#analyse").hidden = mode !== "analyse";
  for (const link of document.querySelectorAll(".bar nav a")) {
    if (link.hash === `#${mode}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  desk.notice("");
  desk.gauge(null, false);
  now().enter();
  now().showPanel();
  now().showBoard();
  desk.shown();
}

function flip() {
  desk.turnBoard(desk.board.orientation === "white" ? "black" : "white");
  now().turned();
  announce(`${desk.board.orientation} at the bottom`);
}

function lookInside() {
  inside.toggle(now().fen);
  find("[data-go='inside']").setAttribute("aria-pressed", String(inside.isOpen));
  find(".desk").classList.toggle("with-inside", inside.isOpen);
}

const go = (to) => () => now().go(to);
const commands = { first: go("first"), back: go("back"), on: go("on"), last: go("last"), flip, inside: lookInside };

for (const button of document.querySelectorAll("[data-go]")) {
  button.append(icon(button.dataset.go));
  button.addEventListener("click", commands[button.dataset.go]);
}

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
  m: () => find("#move")?.focus(),
  b: () => desk.board.focus(),
  "?": () => find("#keys").showModal(),
};

function ownsKeys(element, key) {
  if (element.closest("dialog, select, textarea, .promotion")) return true;
  if (element instanceof HTMLInputElement) return !["checkbox", "radio"].includes(element.type) || key === " " || key.startsWith("Arrow");
  return inBoard(element) ? false : key === " " && element.closest("button, a, summary, [role=switch]") !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !Object.hasOwn(KEYS, event.key) || ownsKeys(event.target, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
});
find("#keys-button").addEventListener("click", KEYS["?"]);
find(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  desk.board.focus();
});

// --- Appearance ---

const system = matchMedia("(prefers-color-scheme: dark)");

function showTheme() {
  const chosen = localStorage.getItem("ox88.theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
  const isDark = chosen ? chosen === "dark" : system.matches;
  document.documentElement.toggleAttribute("data-dark", isDark);
  find("#theme").replaceChildren(icon(isDark ? "light" : "dark"));
  find("#theme").setAttribute("aria-label", isDark ? "Light colours" : "Dark colours");
  find("#theme").onclick = () => {
    localStorage.setItem("ox88.theme", isDark ? "light" : "dark");
    showTheme();
  };
}

function showNotation() {
  find("#notation").textContent = isFigurine() ? "♘f3" : "Nf3";
  find("#notation").setAttribute("aria-label", isFigurine() ? "Moves with letters" : "Moves with figures");
}

find("#notation").addEventListener("click", () => {
  setFigurine(!isFigurine());
  showNotation();
  now().showPanel();
});
system.addEventListener("change", showTheme);
showTheme();
showNotation();

// --- The connection ---

let isLost = false;
socket.on("lost", ({ reason }) => {
  isLost = true;
  desk.notice(reason ? `The server has ended the connection: ${reason}. Trying again …` : "The connection to the server is lost. Trying again …");
});
socket.on("welcome", () => { // By now the game is joined again, so moves are accepted.
  if (isLost) desk.notice("");
  isLost = false;
});

window.addEventListener("hashchange", enter);
enter();
