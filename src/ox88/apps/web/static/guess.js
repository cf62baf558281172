// The question which move the program tries next.

import { find, make } from "/viewer/dom.js";
import { whyTried } from "./sentences.js";
import { moveName, pieceName, squareName } from "./squares88.js";
import { announce } from "./words.js";

const CHOICES = 4;

export class Guess {
  #question = null;

  // onask(): another question is wanted. ondone(at): go to the event that makes the move. onshow(): it came or went.
  constructor({ onask, ondone, onshow }) {
    this.onask = onask;
    this.onshow = onshow;
    this.ondone = ondone;
    this.element = make("section.card.guess", { "aria-label": "Guess", hidden: true });
  }

  // question: see Replay.nextChoice.
  ask(question) {
    this.#question = question;
    const moves = offered(question).map((move) =>
      make("button.plain.small", { onclick: (event) => this.#answer(event.currentTarget, move) }, [
        nameOf(move, question.board),
      ]),
    );
    this.element.hidden = false;
    this.onshow();
    this.element.replaceChildren(
      make("header", [
        make("h2", "Guess"),
        make("button.quiet.push", { "aria-label": "End guessing", onclick: () => this.close() }, "×"),
      ]),
      make("div.pad.rows-tight", [
        make("p", "Which move does the program try next?"),
        make("div.buttons.offered", moves),
        make("p.verdict", { "aria-live": "polite" }),
      ]),
    );
    find("button.plain", this.element).focus();
    announce("Which move does the program try next?");
  }

  #answer(button, move) {
    const { tried, at, board } = this.#question;
    const isRight = same(move, tried);
    button.classList.add(isRight ? "right" : "mistaken");
    for (const other of this.element.querySelectorAll(".offered button")) other.disabled = true;
    const verdict = find(".verdict", this.element);
    verdict.textContent = `${isRight ? "Yes" : "No"}, it tries ${nameOf(tried, board)}. ${whyTried(this.#question)}`;
    const again = make("button.plain.small", { onclick: () => this.onask() }, "Another");
    verdict.after(again);
    this.ondone(at);
    again.focus();
  }

  close() {
    this.element.hidden = true;
    this.onshow();
  }
}

const same = (one, other) => one[0] === other[0] && one[1] === other[1];
const nameOf = ([from, to, captured], board) =>
  `${moveName(board[from], from, to, captured)} (${pieceName(board[from]).split(" ")[1]} from ${squareName(from)})`;

// The move that is tried and others, spread over the list of all, in its order.
function offered({ tried, moves }) {
  const others = moves.filter((move) => !same(move, tried));
  const step = Math.max(1, Math.floor(others.length / (CHOICES - 1)));
  const chosen = others.filter((_, place) => place % step === 0).slice(0, CHOICES - 1);
  return [...chosen, tried].sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}
