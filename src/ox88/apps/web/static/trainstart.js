// Where Train begins: what is due, one's own games, the open set, how it goes, export and import.

import { find, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { onClick } from "./controls.js";
import { Games } from "./pgn.js";
import { showCharts } from "./traincharts.js";
import { inDays, titleOf } from "./trainwords.js";

const ME = "ox88.me"; // The name in games, as the browser remembers it.
const LENGTH = 10; // Puzzles of a session.

export class TrainStart {
  #asked = 0; // The message that looks for mistakes, while it runs.
  #text = ""; // Games whose player is to be chosen.

  // onbegin(what, theme): called to begin, or to go on. ontrain(keys): called to train these puzzles.
  /** @param {import("./socket.js").Socket} socket */
  constructor(element, socket, { onbegin, ontrain, onerror }) {
    this.element = element;
    this.socket = socket;
    this.onbegin = onbegin;
    this.ontrain = ontrain;
    this.onerror = onerror;
    this.today = find(".today", element);
    this.who = find(".who", element);
    this.progress = find(".progress", element);
    this.learnt = find(".learnt", element);
    const own = find("#from-games", element);
    this.games = new Games(own, socket, {
      onopen: (games) => this.#offerNames(games),
      onfen: async () => "A position has no mistakes: games (PGN) are expected.",
      takes: () => location.hash === "#train",
    });
    onClick(own, { played: () => this.learn({}), stop: () => this.#stop() });
    onClick(find("#open-set", element), { rated: () => onbegin("open"), rush: () => onbegin("rush") });
    const theme = find("#theme");
    onSubmit(theme.form, () => onbegin("theme", theme.value));
    onSubmit(this.who, () => this.#learnFrom(find("select", this.who).value));
    const file = find("#train-file input", element);
    find("[data-do=import]", element).addEventListener("click", () => file.click());
    file.addEventListener("change", () => this.#import(file));
    socket.on("progress", (news) => news.id === this.#asked && this.#showProgress(news));
    socket.on("learnt", (news) => news.id === this.#asked && this.#finish(news));
    socket.on("error", (error) => error.id === this.#asked && this.#end(capital(error.message)));
    socket.on("lost", () => this.#asked && this.#end("The connection was lost: begin again."));
  }

  async show() {
    const found = await this.socket.ask("statistics").catch(this.onerror);
    if (!found) return;
    const { rating, deviation, best, open } = found;
    this.#showToday(found);
    find("#rated", this.element).textContent = `Your rating: ${rating} ± ${2 * deviation}`;
    find("#best", this.element).textContent = `Three minutes, three errors${best ? ` · best: ${best}` : ""}`;
    for (const option of find("#theme").options) option.hidden = option.disabled = !open.includes(option.value);
    find("#progress-card", this.element).hidden = !showCharts(find("#charts", this.element), found);
  }

  // --- Today ---

  /** @param {Messages.Statistics} found */
  #showToday(found) {
    const { due, fresh, session } = found;
    const [title, words] = this.today.querySelectorAll("p");
    [title.textContent, words.textContent] = todayText(found);
    const count = Math.min(due + fresh, LENGTH);
    const many = count === 1 ? "one position" : `${count} positions`;
    const begin = (words, { what, theme = "" }) => [words, () => this.onbegin(what, theme)];
    const offered = [
      count && session?.what !== "mistakes" && begin(`Train ${many}`, { what: "mistakes" }),
      session && begin(`Go on: ${titleOf(session)}${placeText(session)}`, session),
      !session && !count && begin("Solve rated puzzles", { what: "open" }),
    ];
    const button = ([words, onclick], index) => make(index ? "button.plain" : "button.primary", { onclick }, words);
    find(".buttons", this.today).replaceChildren(...offered.filter(Boolean).map(button));
  }

  // --- Games ---

  // Let the person say who they are in the games of a PGN.
  #offerNames(games) {
    const counts = new Map();
    for (const { tags } of games)
      for (const name of [tags.White, tags.Black].filter(Boolean)) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (!counts.size) throw new Error("the games name no players (tags White and Black)");
    const names = [...counts].sort(([, one], [, other]) => other - one);
    const option = ([name, count]) => make("option", { value: name }, `${name} (${manyGames(count)})`);
    const select = find("select", this.who);
    select.replaceChildren(...names.map(option));
    if (counts.has(localStorage.getItem(ME))) select.value = localStorage.getItem(ME);
    this.#text = games.map(({ text }) => text).join("\n\n");
    this.who.hidden = false;
    select.focus();
  }

  #learnFrom(player) {
    localStorage.setItem(ME, player);
    this.learn({ text: this.#text, player });
  }

  // Look for mistakes. fields: of the message.
  learn(fields) {
    this.who.hidden = true;
    this.#end("");
    find("progress", this.progress).removeAttribute("value");
    find(".muted", this.progress).textContent = "";
    this.progress.hidden = false;
    this.#asked = this.socket.say("learn", fields);
  }

  #stop() {
    this.socket.say("cancel", { what: "learn" });
    this.#end("Stopped. What was found is kept.");
    this.show();
  }

  /** @param {Messages.Progress} news */
  #showProgress({ notice, done, total }) {
    find(".muted", this.progress).textContent = notice || `${done} of ${total} positions`;
    if (!notice) Object.assign(find("progress", this.progress), { max: total, value: done });
  }

  /** @param {Messages.Learnt} news */
  #finish({ keys, games }) {
    const found = ["No mistake that makes a puzzle", "One puzzle"][keys.length] ?? `${keys.length} puzzles`;
    this.#end(games ? `${found} from ${manyGames(games)}.` : "There is no new game.");
    const train = () => this.ontrain(keys);
    if (keys.length && location.hash.startsWith("#train/game/")) return train();
    if (keys.length) this.learnt.append(make("button.primary.small", { onclick: train }, "Train"));
    return this.show();
  }

  #end(text) {
    this.#asked = 0;
    this.progress.hidden = true;
    this.learnt.textContent = text;
  }

  // --- All that is trained, as a file ---

  async #import(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    find("#train-file [role=status]", this.element).textContent = await imported(file);
    this.show();
  }
}

// Returns what is to be said.
async function imported(file) {
  try {
    const response = await fetch("/training.json", { method: "POST", body: file });
    if (!response.ok) return capital(await response.text());
    const { cards, answers } = await response.json();
    return `Imported: ${cards} puzzles and ${answers} answers that were not here.`;
  } catch {
    return "Not imported: the connection is lost.";
  }
}

function onSubmit(form, act) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}

const manyGames = (count) => (count === 1 ? "one game" : `${count} games`);
const placeText = ({ what, place, length }) => (what === "rush" ? "" : `, ${place} of ${length}`);

// What stands large, and what below it.
/** @param {Messages.Statistics} found */
function todayText({ due, fresh, days, streak, today }) {
  const waiting = [due && `${due} due`, fresh && `${fresh} new from your mistakes`].filter(Boolean).join(", ");
  const next = days.findIndex((count, day) => day > 0 && count > 0);
  if (!waiting && next < 0 && !today)
    return [
      "Learn from your own games",
      "Each mistake in a game becomes a puzzle, which comes back until you know it.",
    ];
  const words = [
    !waiting && next > 0 && `${days[next] === 1 ? "One comes" : `${days[next]} come`} back ${inDays(next)}.`,
    today && `${today} answered today.`,
    streak > 1 && `${streak} days in a row.`,
  ];
  return [waiting || "Nothing is due today", words.filter(Boolean).join(" ")];
}
