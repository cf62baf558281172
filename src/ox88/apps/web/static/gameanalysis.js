// The analysis of a whole game by the server: its progress, graph and result. What it finds goes into the study's tree.

import { find, findAll, make, unbroken, View } from "/viewer/dom.js";
import { Graph } from "/viewer/graph.js";
import { summary } from "/viewer/players.js";
import { lineFrom } from "/viewer/tree.js";
import { byArrows, fail, onClick } from "./controls.js";
import { percent } from "./people.js";
import { Latest, LOST, socket } from "./socket.js";
import { announce, arrowOf, capital, errorOf, nextError, numbered, numberOf, signs, turnOf, written } from "./words.js";

const RUNNING = "ox88.annotating"; // Set while the game is analysed. After a reload or a loss it is begun again.

export class GameAnalysis extends View {
  #wins = null; // While the game is analysed: { win } for each position, where it is known.
  #root = null; // Of the game that is analysed.
  #mistake = null; // The move that is asked about; the position before it is on the board.
  #latest = new Latest();

  // study: the game. on.go(node): called when a position is chosen. on.change(): called when the analysis is complete.
  // on.people(place, rating): see People.ask.
  constructor(element, study, on) {
    super(element, on);
    this.study = study;
    this.graph = new Graph((ply) => on.go(this.#positions()[ply] ?? study.root));
    this.frame = find("#graph");
    this.frame.append(this.graph.element);
    this.mistake = new View(find("#mistake"));
    const { says } = this.mistake.parts;
    byArrows(says, () => findAll("button", says), ["ArrowLeft", "ArrowRight"]);
    const next = () => this.goToNext();
    const stop = () => {
      this.forget();
      this.show();
    };
    onClick(element, { analyse: () => this.start(), next, stop });
    onClick(this.mistake.element, { next });
    this.#root = study.root;
    socket.on("open", () => sessionStorage.getItem(RUNNING) && this.start());
  }

  #positions = () => [this.study.root, ...this.study.line()];

  // Show the analysis as far as there is one, and a button that starts it.
  show() {
    if (this.#root !== this.study.root) this.forget();
    if (this.#wins) return;
    const { players } = this.study;
    const positions = this.#positions();
    const isKnown = ({ win }) => win !== undefined;
    const judged = positions.slice(1, players?.plies + 1); // The first position may have no evaluation.
    const isAnalysed = Boolean(players) && positions.length > players.plies && judged.every(isKnown);
    this.frame.hidden = positions.filter(isKnown).length < 2;
    if (!this.frame.hidden) this.graph.show(positions);
    this.parts.summary.replaceChildren(...(isAnalysed ? [summary(players.white, players.black)] : []));
    this.parts.summary.hidden = !isAnalysed;
    this.parts.offer.hidden = false;
    this.parts.progress.hidden = true;
    this.parts.analyse.hidden = this.parts.why.hidden = isAnalysed;
    this.parts.analyse.disabled = positions.length < 2;
    this.parts.next.hidden = this.parts.whose.hidden = !positions.some(({ nags }) => errorOf(nags));
    this.point();
  }

  // Ignore the answers that may still come.
  forget() {
    if (this.#wins) socket.say("cancel");
    this.#end();
  }

  #end() {
    this.#wins = null;
    sessionStorage.removeItem(RUNNING);
  }

  // Show what belongs to the current position: its place in the graph, and the mistake that is asked about.
  point() {
    this.graph.point(this.study.ply());
    if (this.#mistake?.parent !== this.study.at) this.#mistake = null;
    this.mistake.element.hidden = !this.#mistake;
    this.#latest.drop();
    if (!this.#mistake) return;
    this.mistake.parts.says.replaceChildren(...this.#words());
    this.#latest.of(this.#shares()).then((words) => (this.mistake.parts.found.textContent = words));
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
    const positions = this.#positions();
    const after = this.#mistake ? positions.indexOf(this.#mistake) : this.study.ply();
    const mistake = positions[nextError(positions, after, this.parts.whose.value)];
    if (!mistake) return;
    if (mistake === this.#mistake) {
      const none = `There is no other ${errorOf(mistake.nags) === "inaccuracy" ? "inaccuracy" : "mistake"}.`;
      this.mistake.parts.says.replaceChildren(...this.#words(), ` ${none}`);
      return announce(none);
    }
    this.#mistake = mistake;
    this.mistake.parts.found.textContent = "";
    this.on.go(mistake.parent);
    announce(this.mistake.parts.says.textContent);
    for (const element of [this.mistake.element, find(".stage")]) element.scrollIntoView({ block: "nearest" });
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
    const { parent, nags, comment = "" } = mistake;
    const better = betterThan(mistake);
    const line = better ? [better, ...lineFrom(better)] : [];
    const button = (label, index) =>
      make("button", { tabindex: index ? -1 : 0, onclick: () => this.on.go(line[index]) }, label);
    const moves = numbered(parent.fen, line).flatMap((label, index) => [button(label, index), " "]);
    const known = parent.eval && mistake.eval ? `: ${parent.eval} before it, ${mistake.eval} after it` : "";
    const offer = make("button.offer", { onclick: () => this.start() }, "Analyse the game");
    const missing = this.parts.analyse.hidden ? [] : ["A better move is not in the game: ", offer];
    const score = better?.eval?.replace(/^#$/, "") ? `(${better.eval})` : ""; // A mating move says so itself.
    const reason = comment.split(/ is better\.\s/)[1] ?? "";
    return [
      make("b.unbroken", { class: errorOf(nags) }, `${numbered(parent.fen, [mistake])}${signs(nags)}`),
      ...unbroken(` ${capital(errorOf(nags))}${known}. ${reason} `),
      make("span.better", better ? ["Better: ", moves, score] : missing),
    ];
  }

  start() {
    const wins = this.#positions().map(() => ({}));
    const ifWanted = (act) => (news) => wins === this.#wins && act(news);
    const refuse = (error) => {
      if (error.message === LOST) this.#wins = null;
      else this.#end();
      this.show();
      fail(error);
    };
    this.#wins = wins;
    sessionStorage.setItem(RUNNING, "yes");
    this.#root = this.study.root;
    const annotated = socket.ask("annotate", { text: this.study.pgn() }, ifWanted(this.#progress));
    annotated.then(ifWanted(this.#finish), ifWanted(refuse));
    this.frame.hidden = false;
    this.graph.show(wins);
    Object.assign(this.parts.bar, { max: wins.length, value: 0 });
    this.parts.words.textContent = "";
    this.parts.summary.hidden = this.parts.offer.hidden = true;
    this.parts.progress.hidden = false;
  }

  #progress = (/** @type {Messages.Progress} */ { notice, done, total, win }) => {
    this.parts.words.textContent = notice || `${done} of ${total}`;
    if (notice) return;
    this.#wins[total - done] = { win };
    Object.assign(this.parts.bar, { max: total, value: done });
    this.graph.show(this.#wins);
    this.point();
  };

  #finish = (/** @type {Messages.Annotation} */ news) => {
    this.#end();
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
