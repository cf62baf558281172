// My games: a list of the games that the server keeps, with search and delete.

import { find, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { careful } from "./controls.js";
import { knownGames } from "./play.js";

const PAUSE = 150; // Milliseconds without a key before a search.

export class Library {
  #timer = 0;
  #asked = 0;

  // onerror(error): called when the list cannot be had, or a game cannot be deleted.
  /** @param {import("./socket.js").Socket} socket */
  constructor(panel, socket, onerror) {
    this.panel = panel;
    this.socket = socket;
    this.onerror = onerror;
    this.search = find("input", panel);
    this.count = find("[role=status]", panel);
    this.list = find(".library", panel);
    this.search.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.show(), PAUSE);
    });
    socket.on("open", () => !panel.hidden && this.show());
  }

  async show() {
    const serial = ++this.#asked;
    const wish = { search: this.search.value, games: knownGames() };
    const found = await this.socket.ask("library", wish).catch(this.onerror);
    if (found && serial === this.#asked) this.#showList(found.games, found.count);
  }

  #showList(games, count) {
    const none = this.search.value.trim() ? "No game fits the search." : "No games yet.";
    const rest = count > games.length ? `, of which the last ${games.length} are shown` : "";
    this.count.textContent = count ? `${count} game${count > 1 ? "s" : ""}${rest}` : none;
    this.list.replaceChildren(...games.map((game) => this.#item(game)));
  }

  #item({ id, date, engine, side, outcome, result, reason, opening, plies, unreadable }) {
    const remove = make("button.plain.small", { "aria-describedby": `game-${id}` }, "Delete");
    careful(remove, "Really delete?", () => this.#delete(id, item));
    const moves = `${Math.ceil(plies / 2)} move${plies > 2 || !plies ? "s" : ""}`;
    const details = [date, opening, [moves, reason].filter(Boolean).join(", ")].filter(Boolean).join(" · ");
    const score = result === "*" ? "" : ` ${result?.replaceAll("1/2", "½")}`;
    const about = unreadable
      ? make("span.about", [make("b", "A game that cannot be read"), make("span.muted", unreadable)])
      : make("a.about", { href: `#play/${id}` }, [
          make("span", [
            make(`span.swatch.${side}`),
            make("span.aside", `You with ${capital(side)} `),
            `against ${engine}`,
          ]),
          make("b", { class: outcome }, `${capital(outcome)}${score}`),
          make("span.muted", details),
        ]);
    about.id = `game-${id}`;
    const item = make("li", [about, remove]);
    return item;
  }

  async #delete(id, item) {
    const place = [...this.list.children].indexOf(item);
    await this.socket.ask("delete", { game: id }).catch(this.onerror);
    await this.show();
    const next = this.list.children[Math.min(place, this.list.children.length - 1)];
    (next ? find("a, button", next) : this.search).focus();
  }
}
