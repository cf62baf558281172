// The analysis of a whole game by the server: its progress, graph and result. What it finds goes into the study's tree.

import { arrowOf } from "/viewer/commands.js";
import { find, make } from "/viewer/dom.js";
import { errorOf, nextError, signs } from "/viewer/glyphs.js";
import { Graph } from "/viewer/graph.js";
import { summary } from "/viewer/players.js";
import { lineFrom } from "/viewer/tree.js";
import { capital, numbered, numberOf } from "/viewer/words.js";
import { onClick } from "./controls.js";
import { announce } from "./words.js";

export class GameAnalysis {
  #asked = 0;
  #wins = [];
  #root = null; // Of the game that is analysed.
  #mistake = null; // The move that is asked about; the position before it is on the board.

  // study: the game. ongo(node): called when a position is chosen. onchange(): called when the analysis is complete.
  /** @param {import("./socket.js").Socket} socket */
  constructor(element, socket, study, { ongo, onchange, onerror }) {
    this.socket = socket;
    this.study = study;
    this.ongo = ongo;
    this.onchange = onchange;
    this.onerror = onerror;
    this.graph = new Graph((ply) => ongo(this.#positions()[ply] ?? study.root));
    this.offer = find(".rows-tight", element);
    this.begin = find("[data-do=analyse]", element);
    this.next = find("[data-do=next]", element);
    this.whose = find("select", element);
    this.remark = find("#mistake");
    this.why = find(".rows-tight > .muted", element);
    this.progress = find(".progress", element);
    this.bar = find("progress", element);
    this.words = find(".progress .muted", element);
    this.table = make("table");
    find("#graph").append(this.graph.element);
    element.prepend(this.table);
    const next = () => this.goToNext();
    onClick(element, { analyse: () => this.start(), next, stop: () => this.#cancel() });
    onClick(this.remark, { next });
    socket.on("progress", (news) => news.id === this.#asked && this.#progress(news));
    socket.on("annotation", (news) => news.id === this.#asked && this.#finish(news));
    socket.on("error", (error) => error.id === this.#asked && this.#fail(error.message));
    socket.on("lost", () => this.#asked && this.#fail("The connection was lost: the analysis has ended."));
  }

  #positions() {
    return [this.study.root, ...this.study.line];
  }

  // Show the analysis as far as there is one, and a button that starts it.
  show() {
    if (this.#root !== this.study.root) this.forget();
    if (this.#asked) return;
    const positions = this.#positions();
    const wins = positions.map(({ win }) => win ?? null);
    const isKnown = wins.filter((win) => win !== null).length > 1;
    const { players } = this.study;
    const known = wins.slice(1, players?.plies + 1); // The first position may have no evaluation.
    const isAnalysed = Boolean(players) && positions.length > players.plies && !known.includes(null);
    find("#graph").hidden = !isKnown;
    const marks = positions.map(({ nags }) => errorOf(nags));
    if (isKnown) this.graph.show(wins, marks);
    const table = isAnalysed ? summary(players.white, players.black) : make("table", { hidden: true });
    this.table.replaceWith(table);
    this.table = table;
    this.offer.hidden = false;
    this.progress.hidden = true;
    this.begin.hidden = this.why.hidden = isAnalysed;
    this.begin.disabled = positions.length < 2;
    this.next.hidden = this.whose.hidden = !marks.some(Boolean);
    this.point();
  }

  // Ignore the answers that may still come.
  forget() {
    if (this.#asked) this.socket.say("cancel");
    this.#asked = 0;
  }

  // Show what belongs to the current position: its place in the graph, and the mistake that is asked about.
  point() {
    this.graph.point(this.study.ply);
    if (this.#mistake?.parent !== this.study.at) this.#mistake = null;
    this.remark.hidden = !this.#mistake;
    if (this.#mistake) find("p", this.remark).replaceChildren(...this.#words());
  }

  // Go to the position before the next mistake.
  goToNext() {
    const positions = this.#positions();
    const after = this.#mistake ? positions.indexOf(this.#mistake) : this.study.ply;
    const mistake = positions[nextError(positions, after, this.whose.value)];
    if (!mistake) return;
    this.#mistake = mistake;
    this.ongo(mistake.parent);
    announce(find("p", this.remark).textContent);
    for (const element of [this.remark, find(".stage")]) element.scrollIntoView({ block: "nearest" });
  }

  // The move played and the better one, while a mistake is asked about.
  get arrows() {
    if (!this.#mistake) return [];
    const better = betterThan(this.#mistake);
    return [arrowOf(this.#mistake.uci, "red"), ...(better ? [arrowOf(better.uci, "green")] : [])];
  }

  // What is known: the kind of the error, the evaluations, the better line, whose moves lead to it.
  #words() {
    const mistake = this.#mistake;
    const { parent, san, nags } = mistake;
    const better = betterThan(mistake);
    const line = better ? [better, ...lineFrom(better)] : [];
    const sans = line.map((node) => node.san);
    const buttons = numbered(parent.fen, sans).map((label, index) =>
      make("button", { onclick: () => this.ongo(line[index]) }, label),
    );
    const known = parent.eval && mistake.eval ? `: ${parent.eval} before it, ${mistake.eval} after it` : "";
    const offer = make("button.offer", { onclick: () => this.start() }, "Analyse the game");
    const missing = this.begin.hidden ? [] : ["A better move is not in the game: ", offer];
    const score = better?.eval?.replace(/^#$/, "") ? `(${better.eval})` : ""; // A mating move says so itself.
    return [
      make("b", { class: errorOf(nags) }, `${numbered(parent.fen, [san])}${signs(nags)}`),
      ` ${capital(errorOf(nags))}${known}. ${reasonOf(mistake)} `,
      make("span.better", better ? ["Better: ", buttons.flatMap((button) => [button, " "]), score] : missing),
    ];
  }

  start() {
    this.#wins = Array(this.study.line.length + 1).fill(null);
    this.#root = this.study.root;
    this.#asked = this.socket.say("annotate", { text: this.study.pgn() });
    find("#graph").hidden = false;
    this.graph.show(this.#wins);
    Object.assign(this.bar, { max: this.#wins.length, value: 0 });
    this.words.textContent = "";
    this.table.hidden = this.offer.hidden = true;
    this.progress.hidden = false;
  }

  #cancel() {
    this.forget();
    this.show();
  }

  /** @param {Messages.Progress} news */
  #progress({ notice, done, total, win }) {
    if (notice) {
      this.words.textContent = notice;
      return;
    }
    this.#wins[total - done] = win;
    this.bar.max = total;
    this.bar.value = done;
    this.words.textContent = `${done} of ${total}`;
    this.graph.show(this.#wins);
    this.point();
  }

  /** @param {Messages.Annotation} news */
  #finish(news) {
    this.#asked = 0;
    this.study.merge(news);
    const { white, black } = news;
    announce(
      `The game is analysed. Accuracy: White ${white.accuracy ?? "unknown"}, Black ${black.accuracy ?? "unknown"}.`,
    );
    this.onchange();
  }

  #fail(message) {
    this.#asked = 0;
    this.show();
    this.onerror(new Error(message));
  }
}

// Why a move is a mistake: what its comment says after it has named a better one.
function reasonOf({ comment = "" }) {
  return comment.split(/ is better\.\s/)[1] ?? "";
}

// The first move of the variation that is better than a move: the one that its comment names, or one with a better
// evaluation; undefined if there is none.
function betterThan(node) {
  const { parent, comment = "", win } = node;
  const others = parent.children.filter((child) => child !== node);
  const sign = numberOf(parent.fen).white ? 1 : -1;
  const isBetter = (other) => sign * (other.win - win) > 0; // False if one of them is unknown.
  return others.find(({ san }) => comment.includes(`: ${san} is better`)) ?? others.find(isBetter);
}
