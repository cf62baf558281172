// Controls: buttons that ask or answer; downloads; figures of pieces.

import { find, make } from "/viewer/dom.js";
import { announce } from "./words.js";

// A piece, drawn by chessground's style sheet.
export const figure = (color, role) =>
  make("span.cg-wrap.figure", { "aria-hidden": "true" }, make(`piece.${role}.${color}`));

// Let the buttons inside an element act. acts: by the buttons' data-do.
export function onClick(element, acts) {
  for (const [name, act] of Object.entries(acts))
    find(`[data-do="${name}"]`, element).addEventListener("click", () => act());
}

export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export async function fetchPgn(address, options = {}) {
  const response = await fetch(address, options);
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}

// text: a promise. Pages that did not come from this machine or by https have no clipboard.
async function copy(text) {
  if (navigator.clipboard)
    return navigator.clipboard.write([
      new ClipboardItem({ "text/plain": text.then((words) => new Blob([words], { type: "text/plain" })) }),
    ]);
  const area = make("textarea.aside", { readonly: true }, await text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// Copy a text, or the promise of one. Returns what to say about it.
export const copied = (text) =>
  copy(Promise.resolve(text)).then(
    () => "Copied",
    () => "Not copied",
  );

function relabel(button, text, milliseconds) {
  const label = button.textContent;
  button.textContent = text;
  announce(text);
  setTimeout(() => (button.textContent = label), milliseconds);
}

// A button that copies a text and says so. text(): the text, or a promise of it.
export function copier(label, text) {
  const onclick = async ({ currentTarget: button }) => {
    if (button.textContent !== label) return;
    relabel(button, await copied(text()), 1500);
  };
  return make("button.plain.small", { onclick }, label);
}

// Let a button act on a second click within three seconds.
export function careful(button, question, act) {
  button.addEventListener("click", () => (button.textContent === question ? act() : relabel(button, question, 3000)));
}
