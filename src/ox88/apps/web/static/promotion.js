// The choice of a promotion: four pieces on the squares of the pawn's file.

import { make } from "/viewer/dom.js";
import { figure } from "./controls.js";

const ROLES = { q: "queen", n: "knight", r: "rook", b: "bishop" };

// onchosen(letter): called with the piece's letter; with "" if the person cancels; with null if the caller closes the
// chooser by the function that is returned.
export function choosePromotion(board, square, color, orientation, onchosen) {
  /** @type {any} */
  const before = document.activeElement;
  const close = (letter) => {
    chooser.remove();
    before?.focus({ preventScroll: true });
    onchosen(letter);
  };
  const chooser = make("div.promotion", { role: "dialog", "aria-label": "The pawn becomes" });
  const column = "abcdefgh".indexOf(square[0]);
  const left = orientation === "white" ? column : 7 - column;
  const atTop = (square[1] === "8") === (orientation === "white");
  Object.entries(ROLES).forEach(([letter, role], row) => {
    const button = make("button", { "aria-label": role, onclick: () => close(letter) }, figure(color, role));
    button.style.left = `${12.5 * left}%`;
    button.style.top = `${12.5 * (atTop ? row : 7 - row)}%`;
    chooser.append(button);
  });
  chooser.addEventListener("click", (event) => event.target === chooser && close(""));
  chooser.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const buttons = [...chooser.children];
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") close("");
    else if (step) buttons.at((buttons.indexOf(document.activeElement) + step) % 4).focus();
    else if (Object.hasOwn(ROLES, event.key)) close(event.key);
    else return;
    event.preventDefault();
  });
  board.append(chooser);
  chooser.firstChild.focus({ preventScroll: true });
  return () => close(null);
}
