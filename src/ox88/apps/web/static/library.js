// Lists of the games and analyses that the server keeps. A shared server lists only what the browser remembers.

import { find, make, View } from "/viewer/dom.js";
import { capital, plural } from "/viewer/words.js";
import { download, fail, fetchText, notice, onClick, onSubmit, smallBoard } from "./controls.js";
import { fileOf } from "./pgn.js";
import { Latest, socket } from "./socket.js";

const PAUSE = 150; // Milliseconds without a key before a search.
const MOST = 500; // Games or analyses that the browser remembers.
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const dateOf = (seconds) => make("span.unbroken", WHEN.format(1000 * seconds)); // Since 1970.

/** @returns {string[]} The ids of the games or analyses that the browser has shown, the last one first. */
const known = (kind) => JSON.parse(localStorage.getItem(`ox88.${kind}`) ?? "[]");

export function remember(kind, id) {
  const others = known(kind).filter((other) => other !== id);
  localStorage.setItem(`ox88.${kind}`, JSON.stringify([id, ...others].slice(0, MOST)));
}

// What is common to the lists of games and of analyses.
class List extends View {
  #timer = 0;
  #latest = new Latest();
  #shown = ""; // The answer that the rows show.
  kind = null; // Of the message that asks for it.
  noun = []; // One item, as messages name it, and several.

  constructor(panel, on = null) {
    super(panel, on);
    onSubmit(this.parts.form, () => {});
    this.parts.form.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.show(), PAUSE);
    });
    socket.on("open", () => panel.offsetParent && this.show());
  }

  /** @returns {any} What the message says. */
  get wish() {
    return { search: this.parts.form.elements.search.value };
  }

  // What a row tells of an item: board: see Diagram.show; null for none. href: of what it leads to. beside: stands
  // right of the title. lines: what else is written. buttons; button(words, onclick) makes one for the item.
  /** @returns {any} */ item(_item, _button) {}

  async show() {
    /** @type {any} */ const found = await this.#latest.of(socket.ask(this.kind, this.wish).catch(fail));
    if (!found) return;
    const { games, analyses, count } = found;
    const shown = JSON.stringify([games, analyses, count, this.wish]);
    if (shown !== this.#shown) this.showList(found); // Else the row that has the focus would lose it.
    this.#shown = shown;
  }

  showList({ games, analyses, count }) {
    const { search, outcome, engine } = this.wish;
    const items = games ?? analyses;
    const rest = count > items.length ? `, of which the last ${items.length} are shown` : "";
    const [one, many] = this.noun;
    const none = search.trim() || outcome || engine ? `No ${one} fits.` : `No ${many} yet.`;
    this.parts.count.textContent = count ? `${count} ${count > 1 ? many : one}${rest}` : none;
    this.parts.list.replaceChildren(...items.map((item) => this.#row(item)));
  }

  #row(item) {
    const { id, changed, unreadable } = item;
    const [one] = this.noun;
    const about = `${one}-${id}`;
    const button = (words, onclick) => make("button.plain.small", { "aria-describedby": about, onclick }, words);
    const lost = { title: `${capital(one)} that cannot be read`, lines: [unreadable, dateOf(changed)] };
    const told = unreadable ? lost : this.item(item, button);
    const { href = null, board = null, title, beside = null, lines, buttons = [] } = told;
    const words = lines.filter(Boolean).map((line) => make("span.muted", line));
    const focus = (row) => find("a, button", row ?? find("#notice")).focus();
    const restore = async () => {
      await socket.ask("restore", { item: id }).catch(fail);
      await this.show();
      focus(find(`#${about}`)?.parentElement);
    };
    const remove = async () => {
      const place = [...this.parts.list.children].indexOf(row);
      const deleted = await socket.ask("delete", { [one]: id }).catch(fail);
      if (deleted) notice(`The ${one} is deleted.`, restore);
      await this.show();
      const { children } = this.parts.list;
      focus(children[Math.min(place, children.length - 1)]);
    };
    const row = make("li", [
      make(href ? "a.about" : "span.about", { id: about, href }, [
        smallBoard(board),
        make("span.words", [make("span.title", [title]), beside, ...words]),
      ]),
      make("div.buttons", [...buttons, button("Delete", remove)]),
    ]);
    return row;
  }
}

export class Library extends List {
  kind = "library";
  noun = ["game", "games"];

  // onanalyse(text, side): called with a game to analyse, as PGN, and the person's side.
  constructor(panel, onanalyse) {
    super(panel, onanalyse);
    const games = () => fetchText("/games.pgn", { method: "POST", body: JSON.stringify(this.wish) });
    onClick(panel, { export: () => games().then((text) => download("games.pgn", text), fail) });
  }

  get wish() {
    const { search, outcome, engine } = this.parts.form.elements;
    return { search: search.value, outcome: outcome.value, engine: engine.value, games: known("games") };
  }

  showList(found) {
    super.showList(found);
    this.parts.export.hidden = !found.count;
  }

  item({ id, changed, fen, uci, engine, side, outcome, result, reason, opening, plies }, button) {
    const moves = plural(Math.ceil(plies / 2), "move");
    const score = result === "*" ? "" : ` ${result.replaceAll("1/2", "½")}`;
    const analyse = () => fetchText(`/game/${id}.pgn`).then((text) => this.on(text, side), fail);
    const href = `#play/${id}`;
    const link = () => make("a.plain.small", { href, "aria-describedby": `game-${id}` }, "Go on");
    const you = make("span.unbroken", [make(`span.swatch.${side}`), "You"]);
    const players = [you, make("span.unbroken", engine)];
    if (side === "black") players.reverse();
    return {
      href,
      board: { fen, uci, orientation: side },
      title: [players[0], " – ", players[1], make("span.aside", ` You have ${capital(side)}.`)],
      beside: make("b", { class: outcome }, `${capital(outcome)}${score}`),
      lines: [opening, [[moves, reason].filter(Boolean).join(" · "), " · ", dateOf(changed)]],
      buttons: [...(outcome === "unfinished" ? [link()] : []), button("Analyse", analyse)],
    };
  }
}

export class Analyses extends List {
  kind = "analyses";
  noun = ["analysis", "analyses"];

  get wish() {
    return { ...super.wish, analyses: known("analyses") };
  }

  item({ id, changed, name, chapters, players, opening, fen, uci }, button) {
    const copy = async () => {
      await socket.ask("copy", { analysis: id }).then(({ analysis }) => remember("analyses", analysis), fail);
      await this.show();
      find("a", this.parts.list)?.focus();
    };
    const save = () => fetchText(`/analysis/${id}.pgn`).then((text) => download(fileOf(name), text), fail);
    return {
      href: `#analyse/${id}`,
      board: fen && { fen, uci },
      title: name,
      lines: [
        [players.join(" – "), opening].filter(Boolean).join(" · "),
        [`${plural(chapters, "chapter")} · `, dateOf(changed)],
      ],
      buttons: [button("Copy", copy), button("Export", save)],
    };
  }
}
