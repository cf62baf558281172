// Where Train begins: what is due, one's own games, the open set, how it goes, export and import.

import { draw, find, make, table, View } from "/viewer/dom.js";
import { fail, fetchText, onClick, onSubmit } from "./controls.js";
import { Games } from "./pgn.js";
import { Latest, socket } from "./socket.js";
import { capital, counts, inDays, isTelling, plural, themeInWords, titleOf } from "./words.js";

const ME = "ox88.me"; // The name in games, as the browser remembers it.
const LENGTH = 10; // Puzzles of a session.

export class TrainStart extends View {
  #search = new Latest(); // For mistakes.
  #text = ""; // Games whose player is to be chosen.

  // on.begin(what, theme): called to begin, or to go on. on.train(keys): called to train these puzzles.
  constructor(element, on) {
    super(element, on);
    const { who, player, theme, exported, imported } = this.parts;
    new Games(find("#from-games", element), {
      open: (games) => this.#offerNames(games),
      fen: async () => "A position has no mistakes: games (PGN) are expected.",
      takes: () => location.hash === "#train",
      command: "ox88 train --games",
    });
    const stop = () => {
      socket.say("cancel", { what: "learn" });
      this.#end("Stopped. What was found is kept.");
      this.show();
    };
    onClick(element, {
      played: () => this.learn({}),
      stop,
      rated: () => on.begin("open"),
      rush: () => on.begin("rush"),
      import: () => exported.click(),
    });
    onSubmit(theme.form, () => on.begin("theme", theme.value));
    onSubmit(who, () => {
      localStorage.setItem(ME, player.value);
      this.learn({ text: this.#text, player: player.value });
    });
    exported.addEventListener("change", async () => {
      const [file] = exported.files;
      exported.value = "";
      if (!file) return;
      imported.textContent = await importFile(file);
      this.show();
    });
  }

  async show() {
    const found = await socket.ask("statistics").catch(fail);
    if (!found) return;
    const { rating, deviation, best, open, due, fresh, session } = found;
    const { today, advice, offers, theme, charts, progressCard } = this.parts;
    [today.textContent, advice.textContent] = todayText(found);
    const count = Math.min(due + fresh, LENGTH);
    const offered = [
      count && session?.what !== "mistakes" && [`Train ${many(count, "position")}`, "mistakes"],
      session && [`Go on: ${titleOf(session)}${placeText(session)}`, session.what, session.theme],
      !session && !count && ["Solve rated puzzles", "open"],
    ].filter(Boolean);
    const button = ([words, ...session], index) =>
      make(index ? "button.plain" : "button.primary", { onclick: () => this.on.begin(...session) }, words);
    offers.replaceChildren(...offered.map(button));
    this.parts.rating.textContent = `Your rating: ${rating} ± ${2 * deviation}`;
    this.parts.best.textContent = `Three minutes, three errors${best ? ` · best: ${best}` : ""}`;
    for (const option of theme.options) option.hidden = option.disabled = !open.includes(option.value);
    charts.replaceChildren(...chartsOf(found));
    progressCard.hidden = !charts.firstChild;
  }

  // Let the person say who they are in the games of a PGN.
  #offerNames(games) {
    const players = games.flatMap(({ tags }) => [tags.White, tags.Black]).filter(Boolean);
    if (!players.length) throw new Error("the games name no players (tags White and Black)");
    const counted = counts(players).sort(([, one], [, other]) => other - one);
    const options = counted.map(([name, count]) => make("option", { value: name }, `${name} (${many(count, "game")})`));
    const { who, player, learnt } = this.parts;
    learnt.replaceChildren(); // What is said of other games.
    player.replaceChildren(...options);
    if (players.includes(localStorage.getItem(ME))) player.value = localStorage.getItem(ME);
    this.#text = games.map(({ text }) => text).join("\n\n");
    who.hidden = false;
    player.focus();
  }

  // Look for mistakes. fields: of the message.
  learn(fields) {
    const { who, progress, bar, count } = this.parts;
    who.hidden = true;
    this.#end("");
    bar.removeAttribute("value");
    count.textContent = "";
    progress.hidden = false;
    const learnt = socket.ask("learn", fields, ({ notice, done, total }) => {
      count.textContent = notice || `${done} of ${plural(total, "position")}`;
      if (!notice) Object.assign(bar, { max: total, value: done });
    });
    const refuse = (error) => this.#end(capital(error.message));
    this.#search.of(learnt).then((news) => this.#finish(news), refuse);
  }

  #finish(/** @type {Messages.Learnt} */ { keys, games, wrong }) {
    const found = ["No mistake that makes a puzzle", "One puzzle"][keys.length] ?? `${keys.length} puzzles`;
    const words = games ? `${found} from ${many(games, "game")}.` : "There is no new game.";
    this.#end(wrong ? `${words} ${capital(wrong)}.` : words);
    const train = () => this.on.train(keys);
    if (keys.length && location.hash.startsWith("#train/game/")) return train();
    if (keys.length) this.parts.learnt.append(make("button.primary.small", { onclick: train }, "Train"));
    return this.show();
  }

  #end(text) {
    this.#search.drop();
    this.parts.progress.hidden = true;
    this.parts.learnt.textContent = text;
  }
}

// Send a file of all that is trained. Returns what is to be said.
async function importFile(file) {
  try {
    const { cards, answers } = JSON.parse(await fetchText("/training.json", { method: "POST", body: file }));
    return `Imported: ${plural(cards, "puzzle")} and ${plural(answers, "answer")} that were not here.`;
  } catch (error) {
    return capital(error.message);
  }
}

const many = (count, noun) => (count === 1 ? `one ${noun}` : `${count} ${noun}s`);
const placeText = ({ what, place, length }) => (what === "rush" ? "" : `, ${place} of ${length}`);

// What stands large, and what below it.
function todayText(/** @type {Messages.Statistics} */ { due, fresh, days, streak, today }) {
  const waiting = [due && `${due} due`, fresh && `${fresh} new from your mistakes`].filter(Boolean).join(", ");
  const next = days.findIndex((count, day) => day > 0 && count > 0);
  const promise = "Each mistake in a game becomes a puzzle, which comes back until you know it.";
  if (!waiting && next < 0 && !today) return ["Learn from your own games", promise];
  const words = [
    !waiting && next > 0 && `${days[next] === 1 ? "One comes" : `${days[next]} come`} back ${inDays(next)}.`,
    today && `${today} answered today.`,
    streak > 1 && `${streak} days in a row.`,
  ];
  return [waiting || "Nothing is due today", words.filter(Boolean).join(" ")];
}

// --- How the training goes, as small charts --------------------------------------------------------------------------

const [WIDTH, HEIGHT, EDGE] = [320, 72, 6];
const [MOST_THEMES, DAYS] = [12, 7];
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const nameOf = (day) => (day ? WEEKDAY.format(Date.now() + day * 86_400_000) : "today");

function chartsOf(/** @type {Messages.Statistics} */ { themes, ratings, days }) {
  const told = themes.filter(({ theme }) => isTelling(theme)).slice(0, MOST_THEMES);
  const charts = [
    ratings.length > 1 && ["Rating", ratingChart(ratings)],
    days.some(Boolean) && ["Coming back", dueChart(days.slice(0, DAYS))],
    told.length && ["Right at once, by theme", themeTable(told)],
  ];
  return charts.filter(Boolean).map(([title, chart]) => make("figure", [make("figcaption", title), chart]));
}

// Each theme has a bar in a row of a table, which says the numbers too.
function themeTable(themes) {
  const row = ({ theme, seen, right }) =>
    make("tr", [
      make("th", { scope: "row" }, capital(themeInWords(theme))),
      make("td", make("progress", { max: seen, value: right, "aria-hidden": "true" })),
      make("td", `${right} of ${seen}`),
    ]);
  const head = ["Theme", "Share", "Right"].map((name) => make("th", { scope: "col" }, make("span.aside", name)));
  return table("table.themes", head, themes.map(row));
}

const picture = (label, shapes) =>
  draw("svg.days", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label }, shapes);

function ratingChart(ratings) {
  const values = ratings.map(({ rating }) => rating);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, index) => {
    const x = EDGE + ((WIDTH - 2 * EDGE - 34) * index) / (values.length - 1);
    return [x, HEIGHT - EDGE - ((value - low) / Math.max(high - low, 1)) * (HEIGHT - 2 * EDGE)];
  });
  const [first, last] = [ratings[0], ratings.at(-1)];
  return picture(`From ${first.rating} on ${first.day} to ${last.rating} on ${last.day}`, [
    draw("path.curve", { d: `M${points.map((point) => point.map(Math.round).join(" ")).join("L")}` }),
    draw("text.end", { x: WIDTH - 34, y: points.at(-1)[1] + 4 }, last.rating),
  ]);
}

function dueChart(days) {
  const most = Math.max(...days);
  const columns = days.flatMap((count, day) => {
    const [x, height] = [((day + 0.5) * WIDTH) / DAYS, (count / most) * 36];
    return [
      draw("rect.share", { x: x - 12, y: 52 - height, width: 24, height }),
      draw("text", { x, y: 48 - height }, count || ""),
      draw("text.day", { x, y: 67 }, nameOf(day)),
    ];
  });
  return picture(days.map((count, day) => `${nameOf(day)} ${count}`).join(", "), columns);
}
