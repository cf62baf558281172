// The list of chapters, their names and order; the name of the analysis, and whether it is saved.

import { find, findAll } from "/viewer/dom.js";
import { GameList } from "/viewer/gamelist.js";
import { capital } from "/viewer/words.js";
import { careful, copier, download, onClick } from "./controls.js";
import { LOST } from "./socket.js";

const known = (value = "") => value.replaceAll(".??", "").replace(/^[?\s]+$/, "");

// The tags of a chapter.
export const tagsOf = (text) =>
  Object.fromEntries(
    [...text.matchAll(/^\[(\w+)\s+"(.*)"\]\s*$/gm)].map(([, name, value]) => [name, value.replace(/\\(.)/g, "$1")]),
  );

// The name of a file for an analysis.
export const fileOf = (name) => `${name.replace(/[^\p{L}\p{N} -]+/gu, " ").trim() || "ox88"}.pgn`;

export class Saved {
  #shown = ""; // The rows of the list.
  #list = null; // The chapters in them.
  #current = ""; // The current one.

  /** @param {import("./chapters.js").Chapters} chapters */
  constructor(element, chapters, onerror) {
    this.chapters = chapters;
    this.element = element;
    this.list = new GameList((number) => chapters.go(number).catch(onerror));
    find("#chapters", element).append(this.list.search, this.list.element);
    this.chapter = find("#chapter", element);
    this.title = find("input", this.chapter);
    this.title.addEventListener("change", () => chapters.nameChapter(this.title.value));
    this.form = find("form", element);
    this.name = find("[name=name]", element);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (document.activeElement === event.submitter) this.name.focus(); // The button goes.
      chapters.begin(this.name.value.trim() || this.#usualName());
    });
    this.name.addEventListener("change", () => {
      if (chapters.id) chapters.rename(this.name.value);
      else chapters.name = this.name.value; // It stays until the analysis is saved.
    });
    onClick(element, {
      add: () => chapters.add(),
      up: () => chapters.move(-1),
      down: () => chapters.move(1),
      download: () => download(fileOf(chapters.name), chapters.pgn),
    });
    careful(find("[data-do=remove]", element), "Really delete?", async () => {
      await chapters.remove().catch(onerror);
      if (!this.chapter.contains(document.activeElement) || chapters.list.length < 2) this.title.focus();
    });
    find("[data-do=download]", element).before(copier("Copy all chapters", () => chapters.pgn));
    this.show();
  }

  #usualName() {
    const [white, black] = [this.chapters.study.tag("White"), this.chapters.study.tag("Black")];
    const opening = this.chapters.study.line.findLast((move) => move.opening)?.opening;
    return white || black ? `${white || "?"} – ${black || "?"}` : (opening ?? "Analysis");
  }

  show() {
    const { id, name, list, number, at, study } = this.chapters;
    const isOne = list.length < 2;
    this.element.hidden = isOne && !id && study.isEmpty;
    find("#chapters", this.element).hidden = isOne;
    this.chapter.hidden = isOne && !id;
    for (const button of findAll("button", this.chapter)) button.hidden = isOne;
    find("[data-do=up]", this.chapter).hidden ||= number === 0;
    find("[data-do=down]", this.chapter).hidden ||= number === list.length - 1;
    for (const hint of findAll("button:not([type]), .muted", this.form)) hint.hidden = Boolean(id);
    if (document.activeElement !== this.title) this.title.value = study.tags.ChapterName ?? "";
    if (document.activeElement !== this.name) this.name.value = name;
    this.name.placeholder = this.#usualName();
    this.#showState();
    const current = JSON.stringify([number, this.#row(study.tags, number)]);
    if (list === this.#list && current === this.#current) return; // As while a comment is typed.
    this.#list = list;
    this.#current = current;
    this.#showList(list.map((chapter, place) => this.#row(chapter === at ? study.tags : tagsOf(chapter.text), place)));
    this.list.mark(number);
  }

  #row({ ChapterName, White, Black, Event, Date: date, Result = "" }, number) {
    const [white, black] = [known(White), known(Black)];
    const name = ChapterName || (white || black ? "" : `Chapter ${number + 1}`);
    const players = ChapterName && (white || black) ? `${white || "?"} – ${black || "?"}` : "";
    const detail = [players, known(Event), known(date)].filter(Boolean).join(" · ");
    return { name, white: white || "?", black: black || "?", result: Result.replace("*", ""), detail };
  }

  #showList(rows) {
    const shown = JSON.stringify(rows);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.list.search.hidden = rows.length < 3;
    this.list.search.placeholder = `Search ${rows.length} chapters`;
    this.list.fill(rows);
  }

  #showState() {
    const { id, name, isChanged, wrong, socket, address } = this.chapters;
    const line = find("#kept");
    line.hidden = !id;
    Object.assign(find("a", line), { hash: address, textContent: name });
    const lost = socket.isOpen ? "" : `: ${LOST}`;
    const state = wrong ? `not saved: ${wrong}` : isChanged ? `not saved yet${lost}` : "saved";
    const status = find("[role=status]", line);
    if (status.textContent !== capital(state)) status.textContent = capital(state);
  }
}
