// How the training goes, as small charts: the rating over time, what comes back when, and the themes.

import { draw, make } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { inWords, isTelling } from "./trainwords.js";

const [WIDTH, HEIGHT, EDGE] = [320, 72, 6];
const MOST_THEMES = 12;
const DAYS = 7;
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const nameOf = (day) => (day ? WEEKDAY.format(Date.now() + day * 86_400_000) : "today");

// Returns true if there is something to show.
/** @param {HTMLElement} element @param {Messages.Statistics} statistics */
export function showCharts(element, { themes, ratings, days }) {
  const told = themes.filter(({ theme }) => isTelling(theme)).slice(0, MOST_THEMES);
  const charts = [
    ratings.length > 1 && ["Rating", ratingChart(ratings)],
    days.some(Boolean) && ["Coming back", dueChart(days.slice(0, DAYS))],
    told.length && ["Right at once, by theme", themeTable(told)],
  ].filter(Boolean);
  element.replaceChildren(...charts.map(([title, chart]) => make("figure", [make("figcaption", title), chart])));
  return charts.length > 0;
}

// Each theme has a bar in a row of a table, which says the numbers too.
function themeTable(themes) {
  const row = ({ theme, seen, right }) =>
    make("tr", [
      make("th", { scope: "row" }, capital(inWords(theme))),
      make("td", bar(right / seen)),
      make("td", `${right} of ${seen}`),
    ]);
  const head = ["Theme", "Share", "Right"].map((name) => make("th", { scope: "col" }, make("span.aside", name)));
  return make("table.themes", [make("thead", make("tr", head)), make("tbody", themes.map(row))]);
}

const bar = (share) =>
  draw("svg.share-of", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, [
    draw("rect.whole", { width: 100, height: 8 }),
    draw("rect.share", { width: 100 * share, height: 8 }),
  ]);

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
  const label = days.map((count, day) => `${nameOf(day)} ${count}`).join(", ");
  const column = (count, day) => {
    const [x, height] = [((day + 0.5) * WIDTH) / DAYS, (count / most) * 36];
    return [
      draw("rect.share", { x: x - 12, y: 52 - height, width: 24, height }),
      draw("text", { x, y: 48 - height }, count || ""),
      draw("text.day", { x, y: 67 }, nameOf(day)),
    ];
  };
  return picture(label, days.flatMap(column));
}
