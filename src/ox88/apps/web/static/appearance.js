// Settings of the page, which the browser keeps: colours, board, how moves are written, sounds.

import { find, make, segments } from "./dom.js";
import { hasSound, setSound, sound } from "./sound.js";
import { capital, isFigurine, setFigurine } from "./words.js";

const COLOURS = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];
const BOARDS = ["sand", "brown", "green", "blue", "grey"];

const system = matchMedia("(prefers-color-scheme: dark)");
const kept = (name, names) =>
  names.includes(localStorage.getItem(`ox88.${name}`)) ? localStorage.getItem(`ox88.${name}`) : names[0];
const colours = () =>
  kept(
    "theme",
    COLOURS.map(([name]) => name),
  );

function show() {
  const root = document.documentElement;
  root.dataset.theme = colours();
  root.toggleAttribute("data-dark", colours() === "dark" || (colours() === "system" && system.matches));
  root.dataset.board = kept("board", BOARDS);
}

// dialog: gets the settings. onchange(): called when moves are to be written anew.
export function offerSettings(dialog, onchange) {
  const keep = (name) => (value) => {
    localStorage.setItem(`ox88.${name}`, value);
    show();
  };
  const squares = (name) => make("span.squares-of", { "data-board": name });
  find("div", dialog).replaceChildren(
    segments("theme", "Colours", COLOURS, colours(), keep("theme")),
    segments(
      "board",
      "Board",
      BOARDS.map((name) => [name, squares(name), capital(name)]),
      kept("board", BOARDS),
      keep("board"),
    ),
    segments(
      "notation",
      "Moves",
      [
        ["letters", "Nf3", "with letters"],
        ["figures", "♘f3", "with figures"],
      ],
      isFigurine() ? "figures" : "letters",
      (value) => {
        setFigurine(value === "figures");
        onchange();
      },
    ),
    segments(
      "sound",
      "Sounds",
      [
        ["off", "Off"],
        ["on", "On"],
      ],
      hasSound() ? "on" : "off",
      (value) => {
        setSound(value === "on");
        sound("move");
      },
    ),
  );
}

system.addEventListener("change", show);
show();
