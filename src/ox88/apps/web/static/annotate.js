// The analysis of a whole game by the server: its progress, graph and result.

import { download, make } from "./dom.js";
import { Graph } from "./graph.js";
import { announce, capital, GLYPHS, numberOf, written } from "./words.js";

export class Annotate {
  #asked = 0;
  #wins = [];

  // study: the game. ongo(ply): called when a ply is chosen. onchange(): called when the analysis is complete.
  constructor(socket, study, { ongo, onchange, onerror }) {
    this.socket = socket;
    this.study = study;
    this.ongo = ongo;
    this.onchange = onchange;
    this.onerror = onerror;
    this.graph = new Graph(ongo);
    this.element = make("div", { class: "card", id: "whole" });
    socket.on("progress", (news) => news.id === this.#asked && this.#progress(news));
    socket.on("annotation", (news) => news.id === this.#asked && this.#finish(news));
    socket.on("error", (error) => error.id === this.#asked && this.#fail(error.message));
    socket.on("lost", () => this.#asked && this.#fail("The connection was lost: the analysis has ended."));
  }

  // Show the analysis, or a button that starts it.
  show() {
    if (this.#asked) return;
    const { moves, annotation } = this.study;
    if (annotation) this.#showResult();
    else {
      const offer = make("button", { type: "button", class: "plain", id: "annotate", disabled: !moves.length, onclick: () => this.#begin() }, "Analyse the whole game");
      this.element.replaceChildren(make("div", { class: "pad rows-tight" }, offer, make("p", { class: "muted" }, "Searches every position, and shows a graph, mistakes and accuracies.")));
    }
    this.point();
  }

  // The game has changed: ignore answers about the one before.
  forget() {
    if (this.#asked) this.socket.say("cancel");
    this.#asked = 0;
  }

  point() {
    this.graph.point(this.study.branch?.ply ? this.study.branch.at : this.study.ply);
    const remark = this.element.querySelector(".remark");
    remark?.replaceChildren(...this.#remark());
  }

  #begin() {
    this.#wins = Array(this.study.moves.length + 1).fill(null);
    this.#asked = this.socket.say("annotate", { text: this.study.pgn() });
    this.graph.show(this.#wins);
    this.bar = make("progress", { max: this.#wins.length, value: 0, "aria-label": "Positions analysed" });
    this.words = make("span", { class: "muted" }, "");
    const stop = make("button", { type: "button", class: "plain small", onclick: () => this.#cancel() }, "Stop");
    this.element.replaceChildren(this.graph.element, make("div", { class: "pad progress" }, this.bar, this.words, stop));
  }

  #cancel() {
    this.forget();
    this.show();
  }

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
    this.graph.point(this.study.ply);
  }

  #finish({ game, pgn }) {
    this.#asked = 0;
    this.study.annotation = game;
    this.study.annotated = pgn;
    this.study.keep();
    const { white, black } = game;
    announce(`The game is analysed. Accuracy: White ${white.accuracy ?? "unknown"}, Black ${black.accuracy ?? "unknown"}.`);
    this.onchange();
  }

  #fail(message) {
    this.#asked = 0;
    this.show();
    this.onerror(capital(message));
  }

  #showResult() {
    const { annotation } = this.study;
    const { start, moves, white, black } = annotation;
    this.graph.show([start, ...moves].map((at) => at.win), [null, ...moves.map((move) => move.mark)]);
    const row = ({ name, accuracy, acpl, counts }, fallback) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, name.replace(/^\?$/, fallback)),
        make("td", {}, accuracy == null ? "–" : `${accuracy.toFixed(1)} %`),
        make("td", {}, acpl == null ? "–" : String(acpl)),
        Object.keys(GLYPHS).map((kind, index) => make("td", { class: counts[index] ? kind : "none" }, String(counts[index]))),
      );
    const names = ["", "accuracy", "avg. loss", "?!", "?", "??"];
    const titles = ["", "", "average centipawn loss of a move", "inaccuracies", "mistakes", "blunders"];
    const head = names.map((name, index) => make("th", { scope: "col", title: titles[index], "aria-label": titles[index] || null }, name));
    this.element.replaceChildren(
      this.graph.element,
      make("table", { class: "summary" }, make("thead", {}, make("tr", {}, head)), make("tbody", {}, row(white, "White"), row(black, "Black"))),
      make("p", { class: "remark", "aria-live": "polite" }),
      make(
        "div",
        { class: "pad buttons" },
        make("button", { type: "button", class: "plain small", onclick: () => this.nextMoment() }, "Next mistake"),
        make("button", { type: "button", class: "plain small", onclick: () => download("annotated.pgn", `${this.study.annotated}\n`) }, "Annotated PGN"),
      ),
    );
  }

  nextMoment() {
    const { moves } = this.study.annotation;
    const marked = moves.flatMap((move, index) => (move.mark ? [index + 1] : []));
    const next = marked.find((ply) => ply > this.study.ply) ?? marked[0];
    if (next) this.ongo(next);
  }

  #remark() {
    const move = this.study.ply && !this.study.branch?.ply ? this.study.annotation?.moves[this.study.ply - 1] : null;
    if (!move?.mark) return move?.note ? [move.note] : ["Go to a marked move to see what would have been better."];
    const before = this.study.moves[this.study.ply - 2]?.fen ?? this.study.start;
    const { number, white } = numberOf(before);
    const better = move.lines[0]?.moves.slice(0, 6).map((each) => written(each.san)).join(" ");
    const words = [make("b", { class: move.mark }, `${capital(move.mark)}. `)];
    if (better) words.push(`Better: ${number}${white ? "." : "…"} ${better} (${move.lines[0].eval})`);
    return words;
  }
}
