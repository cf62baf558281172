// The analysis of a whole game by the server: its progress, graph and result. What it finds goes into the study's tree.

import { arrowOf } from "/viewer/commands.js";
import { find, make, unbroken } from "/viewer/dom.js";
import { Graph } from "/viewer/graph.js";
import { summary } from "/viewer/players.js";
import { lineFrom } from "/viewer/tree.js";
import { capital, errorOf, nextError, numbered, numberOf, signs, turnOf, written } from "/viewer/words.js";
import { fail, onClick } from "./controls.js";
import { percent } from "./people.js";
import { Latest, socket } from "./socket.js";
import { announce } from "./words.js";

export class GameAnalysis {
  #wins = null; // While the game is analysed: the chances that are known.
  #root = null; // Of the game that is analysed.
  #mistake = null; // The move that is asked about; the position before it is on the board.
  #latest = new Latest();

  // study: the game. on.go(node): called when a position is chosen. on.change(): called when the analysis is complete.
  // on.people(place, rating): see People.ask.
  constructor(element, study, on) {
    this.study = study;
    this.on = on;
    this.graph = new Graph((ply) => on.go(this.#positions[ply] ?? study.root));
    this.frame = find("#graph");
    this.frame.append(this.graph.element);
    this.offer = find(".rows-tight", element);
    this.whose = find("select", element);
    this.remark = find("#mistake");
    this.found = find(".found", this.remark); // How many people find the better move.
    this.why = find(".rows-tight > .muted", element);
    this.progress = find(".progress", element);
    this.bar = find("progress", element);
    this.words = find(".progress .muted", element);
    this.table = make("table");
    element.prepend(this.table);
    const next = () => this.goToNext();
    const stop = () => {
      this.forget();
      this.show();
    };
    this.buttons = onClick(element, { analyse: () => this.start(), next, stop });
    onClick(this.remark, { next });
  }

  get #positions() {
    return [this.study.root, ...this.study.line];
  }

  // Show the analysis as far as there is one, and a button that starts it.
  show() {
    if (this.#root !== this.study.root) this.forget();
    if (this.#wins) return;
    const { players } = this.study;
    const positions = this.#positions;
    const wins = positions.map(({ win }) => win ?? null);
    const marks = positions.map(({ nags }) => errorOf(nags));
    const known = wins.slice(1, players?.plies + 1); // The first position may have no evaluation.
    const isAnalysed = Boolean(players) && positions.length > players.plies && !known.includes(null);
    this.frame.hidden = wins.filter((win) => win !== null).length < 2;
    if (!this.frame.hidden) this.graph.show(wins, marks);
    const table = isAnalysed ? summary(players.white, players.black) : make("table", { hidden: true });
    this.table.replaceWith(table);
    this.table = table;
    this.offer.hidden = false;
    this.progress.hidden = true;
    this.buttons.analyse.hidden = this.why.hidden = isAnalysed;
    this.buttons.analyse.disabled = positions.length < 2;
    this.buttons.next.hidden = this.whose.hidden = !marks.some(Boolean);
    this.point();
  }

  // Ignore the answers that may still come.
  forget() {
    if (this.#wins) socket.say("cancel");
    this.#wins = null;
  }

  // Show what belongs to the current position: its place in the graph, and the mistake that is asked about.
  point() {
    this.graph.point(this.study.ply);
    if (this.#mistake?.parent !== this.study.at) this.#mistake = null;
    this.remark.hidden = !this.#mistake;
    this.#latest.drop();
    if (!this.#mistake) return;
    find("p", this.remark).replaceChildren(...this.#words());
    this.#latest.of(this.#shares()).then((words) => (this.found.textContent = words));
  }

  // How many people with the rating of the player, or with the chosen one, find the better move.
  async #shares() {
    const { parent, uci, san } = this.#mistake;
    const better = betterThan(this.#mistake);
    if (!better) return "";
    try {
      const rating = this.study.tag(`${capital(turnOf(parent.fen))}Elo`);
      const people = await this.on.people(this.study.played, rating);
      const of = (move) => percent(people.moves.find((likely) => likely.uci === move)?.share ?? 0);
      return `At ${people.rating}, ${of(better.uci)} find ${written(better.san)}, ${of(uci)} play ${written(san)}.`;
    } catch (error) {
      return `${capital(error.message)}.`;
    }
  }

  // Go to the position before the next mistake.
  goToNext() {
    const positions = this.#positions;
    const after = this.#mistake ? positions.indexOf(this.#mistake) : this.study.ply;
    const mistake = positions[nextError(positions, after, this.whose.value)];
    if (!mistake) return;
    if (mistake === this.#mistake) {
      const none = `There is no other ${errorOf(mistake.nags) === "inaccuracy" ? "inaccuracy" : "mistake"}.`;
      find("p", this.remark).replaceChildren(...this.#words(), ` ${none}`);
      announce(none);
      return;
    }
    this.#mistake = mistake;
    this.found.textContent = "";
    this.on.go(mistake.parent);
    announce(find("p", this.remark).textContent);
    for (const element of [this.remark, find(".stage")]) element.scrollIntoView({ block: "nearest" });
  }

  // The move played and the better one, while a mistake is asked about.
  get arrows() {
    if (!this.#mistake) return [];
    const better = betterThan(this.#mistake);
    return [arrowOf(this.#mistake.uci, "red"), ...(better ? [arrowOf(better.uci, "green")] : [])];
  }

  // What is known: the kind of the error, the evaluations, its reason, which the comment says after it has named a
  // better move, and the better line, whose moves lead to it.
  #words() {
    const mistake = this.#mistake;
    const { parent, san, nags, comment = "" } = mistake;
    const better = betterThan(mistake);
    const line = better ? [better, ...lineFrom(better)] : [];
    const labels = numbered(
      parent.fen,
      line.map((node) => node.san),
    );
    const moves = labels.flatMap((label, index) => [
      make("button", { onclick: () => this.on.go(line[index]) }, label),
      " ",
    ]);
    const known = parent.eval && mistake.eval ? `: ${parent.eval} before it, ${mistake.eval} after it` : "";
    const offer = make("button.offer", { onclick: () => this.start() }, "Analyse the game");
    const missing = this.buttons.analyse.hidden ? [] : ["A better move is not in the game: ", offer];
    const score = better?.eval?.replace(/^#$/, "") ? `(${better.eval})` : ""; // A mating move says so itself.
    const reason = comment.split(/ is better\.\s/)[1] ?? "";
    return [
      make("b.unbroken", { class: errorOf(nags) }, `${numbered(parent.fen, [san])}${signs(nags)}`),
      ...unbroken(` ${capital(errorOf(nags))}${known}. ${reason} `),
      make("span.better", better ? ["Better: ", moves, score] : missing),
    ];
  }

  start() {
    const wins = Array(this.study.line.length + 1).fill(null);
    const ifWanted = (act) => (news) => wins === this.#wins && act(news);
    const refuse = (error) => {
      this.#wins = null;
      this.show();
      fail(error);
    };
    this.#wins = wins;
    this.#root = this.study.root;
    socket
      .ask("annotate", { text: this.study.pgn() }, ifWanted(this.#progress))
      .then(ifWanted(this.#finish), ifWanted(refuse));
    this.frame.hidden = false;
    this.graph.show(wins);
    Object.assign(this.bar, { max: wins.length, value: 0 });
    this.words.textContent = "";
    this.table.hidden = this.offer.hidden = true;
    this.progress.hidden = false;
  }

  /** @param {Messages.Progress} news */
  #progress = ({ notice, done, total, win }) => {
    this.words.textContent = notice || `${done} of ${total}`;
    if (notice) return;
    this.#wins[total - done] = win;
    Object.assign(this.bar, { max: total, value: done });
    this.graph.show(this.#wins);
    this.point();
  };

  /** @param {Messages.Annotation} news */
  #finish = (news) => {
    this.#wins = null;
    this.study.merge(news);
    const [white, black] = [news.white, news.black].map(({ accuracy }) => accuracy ?? "unknown");
    announce(`The game is analysed. Accuracy: White ${white}, Black ${black}.`);
    this.on.change();
  };
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
