// The list of moves of a game; a click goes to a position.

import { keepInSight, make } from "./dom.js";
import { GLYPHS, numberOf, written } from "./words.js";

// start: the FEN before the first move. current: the ply that is shown. notes: by ply, { mark, eval }. branch: moves that
// form a variation, { at, moves, ply }; ply counts from 1 within it. onpick(ply, inBranch): called for a click.
export function showMoves(list, { start, moves, current, notes = [], branch = null, onpick }) {
  const begin = numberOf(start);
  const offset = begin.white ? 0 : 1;
  const items = [];
  const openRow = (ply) => {
    items.push(make("span", { class: "number" }, `${begin.number + Math.floor((ply + offset) / 2)}.`));
    if ((ply + offset) % 2) items.push(make("span", { class: "gap" }, "…"));
  };
  moves.forEach((move, index) => {
    if ((index + offset) % 2 === 0 || index === 0) openRow(index);
    items.push(button(move, index + 1, !branch?.ply && current === index + 1, notes[index], () => onpick(index + 1, false)));
    if (branch && index + 1 === Math.max(branch.at, 1)) {
      const isOpen = (index + offset) % 2 === 0;
      if (isOpen) items.push(make("span", { class: "gap" }, index + 1 < moves.length ? "…" : ""));
      items.push(sideLine(branch, begin, offset, onpick));
      if (isOpen && index + 1 < moves.length) openRow(index + 1);
    }
  });
  if (branch && !moves.length) items.push(sideLine(branch, begin, offset, onpick));
  if (!items.length) items.push(make("p", { class: "none" }, "No moves yet."));
  list.replaceChildren(...items);
  const chosen = list.querySelector("[aria-current='true']");
  if (chosen) keepInSight(list, chosen);
  else list.scrollTop = 0;
}

function button(move, ply, isCurrent, note, onclick) {
  const mark = note?.mark ?? "";
  return make(
    "button",
    { type: "button", class: mark, "data-ply": ply, "aria-current": String(isCurrent), onclick },
    make("span", {}, written(move.san) + (GLYPHS[mark] ?? "")),
    note?.eval ? make("span", { class: "score" }, note.eval) : null,
  );
}

function sideLine(branch, begin, offset, onpick) {
  const words = branch.moves.flatMap((move, index) => {
    const ply = branch.at + index;
    const white = (ply + offset) % 2 === 0;
    const number = begin.number + Math.floor((ply + offset) / 2);
    const prefix = white ? `${number}. ` : index === 0 ? `${number}… ` : "";
    const label = prefix + written(move.san);
    const isCurrent = String(branch.ply === index + 1);
    return [make("button", { type: "button", "aria-current": isCurrent, onclick: () => onpick(index + 1, true) }, label), " "];
  });
  return make("p", { class: "side" }, words);
}
