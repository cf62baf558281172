// Lists of what the server keeps, with search, export and delete; the list of games.

import { Diagram } from "/viewer/diagram.js";
import { find, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { careful, download, fetchPgn } from "./controls.js";
import { known } from "./known.js";

const PAUSE = 150; // Milliseconds without a key before a search.
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

// A row of a list: a small board, what it is about, and buttons. board: see Diagram.show; null for none. href: of what
// it leads to. beside: stands right of the title. lines: what else is written. buttons: elements.
function row({ id, href = null, board = null, title, beside = null, lines, buttons }) {
  const diagram = new Diagram({ pieces: "/viewer/pieces.svg", coordinates: false });
  diagram.element.setAttribute("aria-hidden", "true");
  if (board) diagram.show(board);
  const words = lines.filter(Boolean).map((line) => make("span.muted", line));
  const about = make(href ? "a.about" : "span.about", { id, href }, [
    diagram.element,
    make("span.words", [make("span.title", [title]), beside, ...words]),
  ]);
  return make("li", [about, make("div.buttons", buttons)]);
}

// When something was changed, in seconds since 1970.
export const dateText = (changed) => WHEN.format(1000 * changed);

// What is common to the lists of games and of analyses.
export class List {
  #timer = 0;
  #asked = 0;
  #shown = ""; // The answer that the rows show.

  // kind: of the message that asks for it. noun: one item, as messages name it, and several. onerror(error): called
  // when something cannot be had or done.
  /** @param {import("./socket.js").Socket} socket */
  constructor(panel, socket, { kind, noun, onerror }) {
    this.panel = panel;
    this.socket = socket;
    this.kind = kind;
    this.noun = noun;
    this.onerror = onerror;
    this.form = find("form", panel);
    this.count = find(".count", panel);
    this.list = find(".library", panel);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.show(), PAUSE);
    });
    socket.on("open", () => panel.offsetParent && this.show());
  }

  /** @returns {any} What the message says. */
  get wish() {
    return { search: this.form.elements.search.value };
  }

  /** @returns {any} What `row` is told of an item; button(words, onclick): makes a button for it. */
  item(_item, _button) {}

  async show() {
    const serial = ++this.#asked;
    /** @type {any} */
    const found = await this.socket.ask(this.kind, this.wish).catch(this.onerror);
    if (!found || serial !== this.#asked) return;
    const { games, analyses, count } = found;
    const shown = JSON.stringify([games, analyses, count, this.wish]);
    if (shown !== this.#shown) this.showList(found); // Else a button that asks "Really delete?" would forget it.
    this.#shown = shown;
  }

  showList({ games, analyses, count }) {
    const { search, ...filters } = this.wish;
    const isAll = !search.trim() && !filters.outcome && !filters.engine;
    const items = games ?? analyses;
    const rest = count > items.length ? `, of which the last ${items.length} are shown` : "";
    const [one, many] = this.noun;
    const none = isAll ? `No ${many} yet.` : `No ${one} fits.`;
    this.count.textContent = count ? `${count} ${count > 1 ? many : one}${rest}` : none;
    this.list.replaceChildren(...items.map((item) => this.#row(item)));
  }

  #row(item) {
    const { id, changed, unreadable } = item;
    const [one] = this.noun;
    const about = `${one}-${id}`;
    const button = (words, onclick = null) => make("button.plain.small", { "aria-describedby": about, onclick }, words);
    const remove = button("Delete");
    const lost = { title: `${capital(one)} that cannot be read`, lines: [unreadable, dateText(changed)] };
    const { buttons = [], ...shown } = unreadable ? lost : this.item(item, button);
    const made = row({ id: about, ...shown, buttons: [...buttons, remove] });
    careful(remove, "Really delete?", () => this.#delete({ [one]: id }, made));
    return made;
  }

  async #delete(fields, row) {
    const place = [...this.list.children].indexOf(row);
    await this.socket.ask("delete", fields).catch(this.onerror);
    await this.show();
    const next = this.list.children[Math.min(place, this.list.children.length - 1)];
    (next ? find("a, button", next) : this.form.elements.search).focus();
  }
}

export class Library extends List {
  // onanalyse(text, side): called with a game to analyse, as PGN, and the person's side.
  constructor(panel, socket, { onanalyse, onerror }) {
    super(panel, socket, { kind: "library", noun: ["game", "games"], onerror });
    this.onanalyse = onanalyse;
    this.exporting = find("[data-do=export]", panel);
    this.exporting.addEventListener("click", () => this.#export());
  }

  get wish() {
    const { search, outcome, engine } = this.form.elements;
    return { search: search.value, outcome: outcome.value, engine: engine.value, games: known("games") };
  }

  showList(found) {
    super.showList(found);
    this.exporting.hidden = !found.count;
  }

  item({ id, changed, fen, uci, engine, side, outcome, result, reason, opening, plies }, button) {
    const moves = `${Math.ceil(plies / 2)} move${plies > 2 || !plies ? "s" : ""}`;
    const score = result === "*" ? "" : ` ${result.replaceAll("1/2", "½")}`;
    return {
      href: `#play/${id}`,
      board: { fen, uci, orientation: side },
      title: [make(`span.swatch.${side}`), make("span.aside", `You with ${capital(side)} against `), engine],
      beside: make("b", { class: outcome }, `${capital(outcome)}${score}`),
      lines: [opening, [moves, reason, dateText(changed)].filter(Boolean).join(" · ")],
      buttons: [button("Analyse", () => this.#analyse(id, side))],
    };
  }

  async #analyse(id, side) {
    await fetchPgn(`/game/${id}.pgn`).then((text) => this.onanalyse(text, side), this.onerror);
  }

  async #export() {
    const games = fetchPgn("/games.pgn", { method: "POST", body: JSON.stringify(this.wish) });
    await games.then((text) => download("ox88-games.pgn", text), this.onerror);
  }
}
