// My games: a list of the games that the server keeps, with search, filters, export and delete.

import { Diagram } from "/viewer/diagram.js";
import { find, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { careful, download, fetchPgn } from "./controls.js";
import { known } from "./known.js";

const PAUSE = 150; // Milliseconds without a key before a search.
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

const undrawn = new WeakMap(); // What draws a board when it comes into sight.
const sight = new IntersectionObserver((entries) => {
  for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
    sight.unobserve(target);
    undrawn.get(target)();
  }
});

// A row of a list: a small board, what it is about, and buttons. board: see Diagram.show; null for none. href: of what
// it leads to. beside: stands right of the title. lines: what else is written. buttons: elements.
export function row({ id, href = null, board = null, title, beside = null, lines, buttons }) {
  const diagram = new Diagram({ pieces: "/viewer/pieces.svg", coordinates: false });
  diagram.element.setAttribute("aria-hidden", "true");
  undrawn.set(diagram.element, () => diagram.show(board));
  if (board) sight.observe(diagram.element);
  const words = lines.filter(Boolean).map((line) => make("span.muted", line));
  const about = make(href ? "a.about" : "span.about", { id, href }, [
    diagram.element,
    make("span.words", [make("span.title", [title]), beside, ...words]),
  ]);
  return make("li", [about, make("div.buttons", buttons)]);
}

// When something was changed, in seconds since 1970.
export const dateText = (changed) => WHEN.format(1000 * changed);

export class Library {
  #timer = 0;
  #asked = 0;

  // onanalyse(text, side): called with a game to analyse, as PGN, and the person's side. onerror(error): called when
  // something cannot be had or done.
  /** @param {import("./socket.js").Socket} socket */
  constructor(panel, socket, { onanalyse, onerror }) {
    this.panel = panel;
    this.socket = socket;
    this.onanalyse = onanalyse;
    this.onerror = onerror;
    this.form = find("form", panel);
    this.count = find(".count", panel);
    this.list = find(".library", panel);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.show(), PAUSE);
    });
    this.exporting = find("[data-do=export]", panel);
    this.exporting.addEventListener("click", () => this.#export());
    socket.on("open", () => !panel.hidden && this.show());
  }

  /** @returns {Messages.FromPage["library"]} */
  get #wish() {
    const { search, outcome, engine } = this.form.elements;
    return { search: search.value, outcome: outcome.value, engine: engine.value, games: known("games") };
  }

  async show() {
    const serial = ++this.#asked;
    const found = await this.socket.ask("library", this.#wish).catch(this.onerror);
    if (found && serial === this.#asked) this.#showList(found.games, found.count);
  }

  #showList(games, count) {
    const { search, outcome, engine } = this.#wish;
    const none = search.trim() || outcome || engine ? "No game fits." : "No games yet.";
    const rest = count > games.length ? `, of which the last ${games.length} are shown` : "";
    this.count.textContent = count ? `${count} game${count > 1 ? "s" : ""}${rest}` : none;
    this.exporting.hidden = !count;
    this.list.replaceChildren(...games.map((game) => this.#item(game)));
  }

  #item(game) {
    const { id, changed, fen, uci, engine, side, outcome, result, reason, opening, plies, unreadable } = game;
    const name = { "aria-describedby": `game-${id}` };
    const remove = make("button.plain.small", name, "Delete");
    careful(remove, "Really delete?", () => this.#delete(id, item));
    const analyse = make("button.plain.small", { ...name, onclick: () => this.#analyse(id, side) }, "Analyse");
    const common = { id: `game-${id}`, buttons: [!unreadable && analyse, remove].filter(Boolean) };
    const moves = `${Math.ceil(plies / 2)} move${plies > 2 || !plies ? "s" : ""}`;
    const score = result === "*" ? "" : ` ${result?.replaceAll("1/2", "½")}`;
    const item = unreadable
      ? row({ ...common, title: "A game that cannot be read", lines: [unreadable, dateText(changed)] })
      : row({
          ...common,
          href: `#play/${id}`,
          board: { fen, uci, orientation: side },
          title: [make(`span.swatch.${side}`), make("span.aside", `You with ${capital(side)} against `), engine],
          beside: make("b", { class: outcome }, `${capital(outcome)}${score}`),
          lines: [opening, [moves, reason, dateText(changed)].filter(Boolean).join(" · ")],
        });
    return item;
  }

  async #analyse(id, side) {
    await fetchPgn(`/game/${id}.pgn`).then((text) => this.onanalyse(text, side), this.onerror);
  }

  async #export() {
    const games = fetchPgn("/games.pgn", { method: "POST", body: JSON.stringify(this.#wish) });
    await games.then((text) => download("ox88-games.pgn", text), this.onerror);
  }

  async #delete(id, item) {
    const place = [...this.list.children].indexOf(item);
    await this.socket.ask("delete", { game: id }).catch(this.onerror);
    await this.show();
    const next = this.list.children[Math.min(place, this.list.children.length - 1)];
    (next ? find("a, button", next) : this.form.elements.search).focus();
  }
}
