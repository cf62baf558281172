// The tab Explorer: what was played in the position, over the games that whoever runs the server has named.

import { find, make, View } from "/viewer/dom.js";
import { GameList, playersOf } from "/viewer/players.js";
import { onPoint } from "./controls.js";
import { Latest, socket } from "./socket.js";
import { capital, plural, spoken, whole, written } from "./words.js";

const AGAIN = 700; // Milliseconds until it is asked again how far the index is.
const SIDES = { white: "White", draws: "draws", black: "Black" };
const LEAST = 20; // Percent of a bar that hold a number.

export class Explorer extends View {
  isOpen = false;
  #place = null; // The start and the moves of the position, see Study.played.
  #latest = new Latest();
  #timer = 0;
  #hadFocus = false;
  #games = [];

  // on.play(uci), on.hover(uci or null): a move is chosen, or pointed at. on.open(text): a game is chosen.
  constructor(element, on) {
    super(element, on);
    this.list = new GameList(async (number) => {
      const open = ({ games }) => on.open(games[0].text);
      await socket.ask("past", { past: this.#games[number].game }).then(open, this.#fail);
    });
    this.parts.best.append(this.list.element);
    onPoint(this.parts.rows, (target) => on.hover(target?.closest("tr")?.dataset.move ?? null));
  }

  // The tab is opened or closed.
  toggle(isOpen) {
    this.isOpen = isOpen;
    if (isOpen && this.#place) this.ask(this.#place);
  }

  // Show what was played after some moves; the answer on the position before stays until then, and cannot be used.
  async ask(place) {
    clearTimeout(this.#timer);
    this.#latest.drop();
    this.#place = place;
    this.on.hover(null);
    if (!this.isOpen) return;
    this.#hadFocus ||= this.element.querySelector(":focus-visible") !== null; // By the keyboard.
    this.element.inert = true;
    await this.#latest.of(socket.ask("explore", place)).then((answer) => this.#show(answer), this.#fail);
  }

  #fail = (error) => this.#say(capital(error.message));

  #say(text) {
    this.element.inert = false;
    const { says, none, progress, table, best } = this.parts;
    says.textContent = text;
    none.hidden = progress.hidden = table.hidden = best.hidden = true;
  }

  #show(/** @type {Messages.Explored} */ { files, share, total, found }) {
    const names = files.join(", ");
    const counted = found ? `${whole(found.count)} of ${plural(total, "game")} (${names})` : "";
    this.#say(counted || (files.length ? `The games of ${names} are read, once:` : ""));
    this.parts.none.hidden = files.length > 0;
    this.parts.progress.hidden = share === undefined;
    this.parts.progress.value = share ?? 0;
    if (share !== undefined) this.#timer = setTimeout(() => this.ask(this.#place), AGAIN);
    if (!found) return;
    const moves = found.moves.filter(({ san }) => san !== "--"); // The board plays no null moves.
    this.parts.table.hidden = !moves.length;
    this.parts.best.hidden = !found.games.length;
    this.parts.rows.replaceChildren(...moves.map((move) => this.#row(move)));
    if (this.#hadFocus) find("button", this.parts.rows)?.focus();
    this.#hadFocus = false;
    this.#games = found.games;
    const described = ({ white, black, event, ratings, result, date, file, number }) => {
      const rated = ratings.some(Boolean) && ratings.map((rating) => rating || "–").join(" : ");
      const place = `${file}, game ${number}`;
      const name = playersOf(white, black) || event || place;
      const detail = [rated, name !== event && event, date, name !== place && place].filter(Boolean).join(" · ");
      return { name, result: result.replace("*", "").replaceAll("1/2", "½"), detail };
    };
    this.list.fill(found.games.map(described));
  }

  #row(move) {
    const { san, uci, count, rating, date, opening } = move;
    const title = [opening, date && `last played ${date}`].filter(Boolean).join(", ");
    return make("tr", { "data-move": uci, onclick: () => this.on.play(uci) }, [
      make("th", { scope: "row" }, make("button", { "aria-label": spoken(san), title }, written(san))),
      make("td", whole(count)),
      make("td", bar(move)),
      make("td", rating ?? "–"),
    ]);
  }
}

// White's wins, draws and Black's wins as parts of a bar.
function bar(move) {
  const ended = move.white + move.draws + move.black;
  const shares = Object.keys(ended ? SIDES : {}).map((side) => [side, Math.round((100 * move[side]) / ended)]);
  const words = shares.map(([side, share]) => `${SIDES[side]} ${share} %`).join(", ") || "no results";
  const part = ([side, share]) =>
    make(`span.${side}`, { style: { flexGrow: share } }, share >= LEAST ? `${share}%` : "");
  return make("div.results", { role: "img", "aria-label": words, title: words }, shares.map(part));
}
