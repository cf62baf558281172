// Settings of the page, which the browser keeps: colours, board, pieces, how moves are written, sounds. Their choices
// stand in index.html; the first of each is the usual one.

import { find, findAll } from "/viewer/dom.js";
import { setFigurine, sound } from "./words.js";

const dialog = find("#settings");
const system = matchMedia("(prefers-color-scheme: dark)");

// What is chosen.
export function kept(name) {
  const choices = findAll(`[name=${name}]`, dialog).map(({ value }) => value);
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
  for (const input of findAll("input", dialog)) {
    input.checked = input.value === kept(input.name);
    input.addEventListener("change", () => {
      localStorage.setItem(`ox88.${input.name}`, input.value);
      apply();
      if (input.name === "notation") onchange();
      if (input.name === "sound") sound("move");
    });
  }
}

system.addEventListener("change", apply);
apply();
