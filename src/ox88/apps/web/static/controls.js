// Controls: the notice, buttons that ask or answer, downloads, figures of pieces, tabs, fields for moves, settings.

import { Diagram } from "/viewer/diagram.js";
import { find, findAll, itemByKey, make } from "/viewer/dom.js";
import { LOST, socket } from "./socket.js";
import { announce, capital, setFigurine, sound } from "./words.js";

const PATIENCE = 60_000; // Milliseconds that a download may wait: Safari asks the person first.

let said = ""; // By the last notice.
let lost = ""; // Said while the connection is lost.
let undoing = null; // What the last notice offers to undo.

// undo(): takes back what the notice tells; null if nothing does.
export function notice(text, undo = null) {
  said = text;
  undoing = undo;
  showNotice();
}

export function undo() {
  const act = undoing;
  notice("");
  act?.();
}

/** @returns {any} */
export const fail = (error) => notice(capital(error.message));

// While the connection is lost its notice stays, and blinks at what cannot be done.
function showNotice() {
  const element = find("#notice");
  const more = said === capital(LOST) ? "" : said;
  element.hidden = !lost && !said;
  find("span", element).textContent = lost ? `${lost} ${more}` : said;
  find("[data-do=undo]", element).hidden = Boolean(lost) || !undoing;
  find("[data-do=close]", element).hidden = Boolean(lost);
  if (lost && said) element.animate([{ opacity: 0.2 }, { opacity: 1 }], 400);
}

// Called after all others listen: at the welcome the game is joined again, and what was said of the loss is put aside.
export function listenForLosses() {
  socket.on("lost", ({ reason }) => {
    if (lost) return; // Another attempt has failed. What has been said since stays.
    const what = reason ? `The server has ended the connection: ${reason}` : "The connection to the server is lost";
    lost = `${what}. Trying again …`;
    notice("");
  });
  socket.on("welcome", () => {
    if (lost) said = lost = "";
    showNotice();
  });
}

// A piece, drawn by chessground's style sheet.
export const figure = (color, role) =>
  make("span.cg-wrap.figure", { "aria-hidden": "true" }, make(`piece.${role}.${color}`));

// A small board for the eye alone. position: see Diagram.show; null for none.
export function smallBoard(position) {
  const diagram = new Diagram({ coordinates: false });
  diagram.element.setAttribute("aria-hidden", "true");
  if (position) diagram.show(position);
  return diagram.element;
}

// Let the buttons inside an element act. acts: by the buttons' data-do.
export function onClick(element, acts) {
  for (const [name, act] of Object.entries(acts)) find(`[data-do="${name}"]`, element).addEventListener("click", act);
}

export function onSubmit(form, act) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act(event);
  });
}

// Call act(target) when the pointer or the focus comes to something in an element, and act(null) when it leaves.
export function onPoint(element, act) {
  for (const type of ["pointerover", "focusin"]) element.addEventListener(type, ({ target }) => act(target));
  for (const type of ["pointerleave", "focusout"]) element.addEventListener(type, () => act(null));
}

export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), PATIENCE);
}

export async function fetchText(address, options = {}) {
  const response = await fetch(address, options).catch(() => Promise.reject(new Error(LOST)));
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}

export const fetchJson = async (address) => JSON.parse(await fetchText(address)); // Safari imports no JSON before 17.2.

// text: a promise. Pages that did not come from this machine or by https have no clipboard.
async function copy(text) {
  if (navigator.clipboard) {
    const blob = text.then((words) => new Blob([words], { type: "text/plain" }));
    return navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  }
  const area = make("textarea.aside", { readonly: true }, await text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// Copy a text, or the promise of one. Returns what to say about it.
export function copied(text) {
  const refuse = () => "Not copied";
  return copy(Promise.resolve(text)).then(() => "Copied", refuse);
}

function relabel(button, text, milliseconds) {
  const label = button.textContent;
  button.textContent = text;
  announce(text);
  setTimeout(() => (button.textContent = label), milliseconds);
}

// A button that copies a text and says so. text(): the text, or a promise of it.
export function copier(label, text) {
  const onclick = async ({ currentTarget: button }) => {
    if (button.textContent === label) relabel(button, await copied(text()), 1500);
  };
  return make("button.plain.small", { onclick }, label);
}

// For a button that acts on a second click within three seconds.
export const careful = (question, act) => {
  return ({ currentTarget: button }) => (button.textContent === question ? act() : relabel(button, question, 3000));
};

// Let the browser remember what is chosen in a list. usual: unless it remembers another choice.
export function keepChoice(select, name, usual) {
  select.value = localStorage.getItem(`ox88.${name}`) ?? usual;
  if (!select.value) select.value = usual; // It is not offered any more.
  select.onchange = () => localStorage.setItem(`ox88.${name}`, select.value);
}

// True after a click or a touch, until the focus is moved by the keyboard.
export let isPointed = false;
document.addEventListener("pointerdown", () => (isPointed = true), true);
document.addEventListener("focusin", ({ target }) => {
  isPointed = !(/** @type {Element} */ (target).matches(":focus-visible")); // Later any key would make it match.
});

// Let keys lead from one of several items to another, so that they need one tab stop. keys: the one that leads back and
// the one that leads on; Home and End do too. act(item): go to it. After a click, arrows are the page's.
export function byArrows(list, items, keys, act = (item) => item.focus()) {
  list.addEventListener("keydown", (event) => {
    const item = isPointed ? null : itemByKey(items(), event.key, keys);
    if (!item) return;
    event.preventDefault(); // The page's keys go through the game.
    act(item);
  });
}

// A row of tabs: a click, the arrow keys, Home and End open one, and the browser remembers it.
export class Tabs {
  #kept;

  // list: its buttons name the elements that they open (aria-controls). kept: what the choice is called in the
  // browser's memory. onopen(id): called with the id of the element that is opened.
  constructor(list, kept, onopen = null) {
    this.#kept = `ox88.tab.${kept}`;
    this.all = findAll("[role=tab]", list);
    for (const tab of this.all) tab.addEventListener("click", () => this.choose(idOf(tab)));
    byArrows(list, this.#offered, ["ArrowLeft", "ArrowRight"], (tab) => {
      this.choose(idOf(tab));
      tab.focus();
    });
    this.open();
    this.onopen = onopen;
  }

  opened = () => idOf(this.all.find(({ tabIndex }) => tabIndex === 0)); // The id of the element that is open.
  #offered = () => this.all.filter(({ hidden }) => !hidden);

  // Open a tab, and remember it.
  choose(id) {
    localStorage.setItem(this.#kept, id);
    this.open(id);
  }

  // Open a tab; if it is hidden, the first one that is not. The remembered one, if none is named.
  open(id = localStorage.getItem(this.#kept)) {
    const opened = this.#offered().find((tab) => idOf(tab) === id) ?? this.#offered()[0];
    for (const tab of this.all) {
      tab.setAttribute("aria-selected", String(tab === opened));
      tab.tabIndex = tab === opened ? 0 : -1;
      document.getElementById(idOf(tab)).toggleAttribute("data-closed", tab !== opened);
    }
    this.onopen?.(idOf(opened));
  }
}

const idOf = (tab) => tab.getAttribute("aria-controls");

// A field for a move that is written. What is wrong with the move stands below it.
export class Entry {
  // onmove(text): called with what has been written.
  constructor(form, onmove) {
    this.field = find("input", form);
    this.wrong = find(`#${this.field.getAttribute("aria-describedby")}`);
    this.field.addEventListener("input", () => this.say(""));
    this.field.addEventListener("keydown", ({ key }) => key === "Escape" && this.field.blur());
    onSubmit(form, () => this.field.value.trim() && onmove(this.field.value.trim()));
  }

  // wrong: what is wrong with the text, which stays, to be corrected.
  say(wrong) {
    this.wrong.textContent = wrong;
    this.field.setAttribute("aria-invalid", String(Boolean(wrong)));
    if (wrong) this.field.select();
  }

  clear() {
    this.field.value = "";
    this.say("");
  }
}

// --- Settings, which the browser keeps. Their choices stand in index.html; the first of each is the usual one --------

const settings = find("#settings");
const system = matchMedia("(prefers-color-scheme: dark)");

// What is chosen.
export function kept(name) {
  const choices = findAll(`[name=${name}]`, settings).map(({ value }) => value);
  const value = localStorage.getItem(`ox88.${name}`);
  return choices.includes(value) ? value : choices[0];
}

function apply() {
  const root = document.documentElement;
  for (const name of ["theme", "board", "pieces", "coordinates"]) root.dataset[name] = kept(name);
  root.toggleAttribute("data-dark", kept("theme") === "dark" || (kept("theme") === "system" && system.matches));
  setFigurine(kept("notation") === "figures");
}

// onchange(): called when moves are to be written anew.
export function offerSettings(onchange) {
  for (const input of findAll("input", settings)) input.checked = input.value === kept(input.name);
  const change = ({ target: { name, value } }) => {
    localStorage.setItem(`ox88.${name}`, value);
    apply();
    if (name === "notation") onchange();
    if (name === "sound") sound("move");
  };
  settings.addEventListener("change", change, true); // Before others who ask what is kept.
}

system.addEventListener("change", apply);
apply();
