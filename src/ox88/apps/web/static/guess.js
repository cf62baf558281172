// The question which move the program tries next.

import { find, make } from "/viewer/dom.js";
import { onClick } from "./controls.js";
import { whyTried } from "./sentences.js";
import { moveName } from "./squares88.js";
import { announce } from "./words.js";

const CHOICES = 4;

export class Guess {
  #question = null;
  #at = null; // The step to which the card belongs.

  // onask(): another question is wanted. ondone(at): go to the event that makes the move.
  constructor(element, { onask, ondone }) {
    this.element = element;
    this.ondone = ondone;
    this.offers = find(".offered", element);
    this.verdict = find(".verdict", element);
    this.again = find("[data-do=again]", element);
    onClick(element, { again: onask, end: () => this.follow(null) });
  }

  // The page shows another step: the card is closed, unless it belongs there.
  follow(at) {
    if (at !== this.#at) this.element.hidden = true;
  }

  // question: see Replay.nextChoice.
  ask(question) {
    this.#question = question;
    this.#at = question.before;
    const moves = offered(question).map((move) => {
      const answer = (event) => this.#answer(event.currentTarget, move);
      return make("button.plain.small", { onclick: answer }, nameOf(move, question.board));
    });
    this.offers.replaceChildren(...moves);
    this.verdict.textContent = "";
    this.again.hidden = true;
    this.element.hidden = false;
    moves[0].focus();
    announce("Which move does micro-Max try next?");
  }

  #answer(button, move) {
    const { tried, at, board } = this.#question;
    this.#at = at;
    const isRight = same(move, tried);
    button.classList.add(isRight ? "right" : "mistaken");
    for (const other of this.offers.children) other.disabled = true;
    const words = `${isRight ? "Yes" : "No"}, it tries ${nameOf(tried, board)}.`;
    this.verdict.textContent = `${words} ${whyTried(this.#question)}`;
    this.again.hidden = false;
    this.ondone(at);
    this.again.focus();
  }
}

const same = (one, other) => one[0] === other[0] && one[1] === other[1];
const nameOf = ([from, to, captured], board) => moveName({ piece: board[from], from, to, captured });

// The move that is tried and others, spread over the list of all, in its order.
function offered({ tried, moves }) {
  const others = moves.filter((move) => !same(move, tried));
  const step = Math.max(1, Math.floor(others.length / (CHOICES - 1)));
  const chosen = others.filter((_, place) => place % step === 0).slice(0, CHOICES - 1);
  return [...chosen, tried].sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}
