// Settings of the page, which the browser keeps: colours, board, how moves are written, sounds.

import { find, make } from "/viewer/dom.js";
import { capital, setFigurine } from "/viewer/words.js";
import { segments } from "./controls.js";
import { sound } from "./sound.js";

const board = (name) => [name, make("span.squares-of", { "data-board": name }), capital(name)];
// By name: the words, and the choices, of which the first is the usual one.
const SETTINGS = {
  theme: [
    "Colours",
    [
      ["system", "As the system"],
      ["light", "Light"],
      ["dark", "Dark"],
    ],
  ],
  board: ["Board", ["sand", "brown", "green", "blue", "grey"].map(board)],
  notation: [
    "Moves",
    [
      ["letters", "Nf3", "with letters"],
      ["figures", "♘f3", "with figures"],
    ],
  ],
  sound: [
    "Sounds",
    [
      ["off", "Off"],
      ["on", "On"],
    ],
  ],
};
const system = matchMedia("(prefers-color-scheme: dark)");

function kept(name) {
  const choices = SETTINGS[name][1].map(([value]) => value);
  const value = localStorage.getItem(`ox88.${name}`);
  return choices.includes(value) ? value : choices[0];
}

function apply() {
  const root = document.documentElement;
  const theme = kept("theme");
  root.dataset.theme = theme;
  root.toggleAttribute("data-dark", theme === "dark" || (theme === "system" && system.matches));
  root.dataset.board = kept("board");
  setFigurine(kept("notation") === "figures");
}

// dialog: gets the settings. onchange(): called when moves are to be written anew.
export function offerSettings(dialog, onchange) {
  const keep = (name) => (value) => {
    localStorage.setItem(`ox88.${name}`, value);
    apply();
    if (name === "notation") onchange();
    if (name === "sound") sound("move");
  };
  const offers = Object.entries(SETTINGS).map(([name, [words, choices]]) =>
    segments(name, words, choices, kept(name), keep(name)),
  );
  find("div", dialog).replaceChildren(...offers);
}

system.addEventListener("change", apply);
apply();
