// The list of chapters, their names and order; the name of the analysis, and whether it is saved.

import { find, findAll, View } from "/viewer/dom.js";
import { GameList, playersOf } from "/viewer/players.js";
import { capital } from "/viewer/words.js";
import { copier, download, fail, onClick, onSubmit } from "./controls.js";
import { fileOf, tagsOf } from "./pgn.js";
import { LOST, socket } from "./socket.js";
import { plain } from "./study.js";

export class Saved extends View {
  #shown = ""; // The rows of the list.
  #list = null; // The chapters in them.
  #current = ""; // The current one.

  constructor(element, /** @type {import("./chapters.js").Chapters} */ chapters) {
    super(element);
    this.chapters = chapters;
    this.list = new GameList((number) => chapters.go(number).catch(fail), "chapters");
    const { all, chapter, title, form, name, download: button } = this.parts;
    all.append(this.list.search, this.list.element);
    title.addEventListener("change", () => chapters.nameChapter(title.value));
    onSubmit(form, ({ submitter }) => {
      name.value = name.value.trim() || this.#usualName;
      if (document.activeElement === submitter) name.focus(); // The button goes.
      chapters.begin(name.value);
    });
    name.addEventListener("change", () => {
      if (chapters.id) chapters.rename(name.value);
      else chapters.name = name.value; // It stays until the analysis is saved.
    });
    const remove = async () => {
      await chapters.remove().catch(fail);
      if (!chapter.contains(document.activeElement) || chapters.list.length < 2) title.focus();
    };
    onClick(element, {
      add: () => chapters.add(),
      up: () => chapters.move(-1),
      down: () => chapters.move(1),
      download: () => download(fileOf(chapters.name), chapters.pgn),
      remove,
    });
    button.before(copier("Copy all chapters", () => chapters.pgn));
    this.show();
  }

  get #usualName() {
    const { study } = this.chapters;
    const opening = study.line().findLast((move) => move.opening)?.opening;
    return playersOf(study.tag("White"), study.tag("Black")) || (opening ?? "Analysis");
  }

  show() {
    const { id, name, list, at, study } = this.chapters;
    const number = this.chapters.number();
    const isOne = list.length < 2;
    this.element.hidden = isOne && !id && study.isEmpty();
    this.parts.all.hidden = isOne;
    this.parts.chapter.hidden = isOne && !id;
    for (const button of findAll("button", this.parts.chapter)) button.hidden = isOne;
    this.parts.up.hidden ||= number === 0;
    this.parts.down.hidden ||= number === list.length - 1;
    for (const hint of findAll("button:not([type]), .muted", this.parts.form)) hint.hidden = Boolean(id);
    if (document.activeElement !== this.parts.title) this.parts.title.value = study.tags.ChapterName ?? "";
    if (document.activeElement !== this.parts.name) this.parts.name.value = name;
    this.parts.name.placeholder = this.#usualName;
    this.#showState();
    const current = JSON.stringify([number, rowOf(study.tags, number)]);
    if (list === this.#list && current === this.#current) return; // As while a comment is typed.
    this.#list = list;
    this.#current = current;
    const rows = list.map((chapter, place) => rowOf(chapter === at ? study.tags : tagsOf(chapter.text), place));
    const shown = JSON.stringify(rows);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.list.search.hidden = rows.length < 3;
      this.list.search.placeholder = `Search ${rows.length} chapters`;
      this.list.fill(rows);
    }
    this.list.mark(number);
  }

  #showState() {
    const { id, name, isChanged, wrong } = this.chapters;
    const line = find("#kept");
    line.hidden = !id;
    Object.assign(find("a", line), { hash: this.chapters.address(), textContent: name });
    const lost = socket.isOpen() ? "" : `: ${LOST}`;
    const state = capital(wrong ? `not saved: ${wrong}` : isChanged ? `not saved yet${lost}` : "saved");
    const status = find("[role=status]", line);
    if (status.textContent !== state) status.textContent = state;
  }
}

// What the list shows of a chapter with these tags.
function rowOf({ ChapterName, White, Black, Event, Date: date, Result = "" }, number) {
  const [white, black, event, day] = [White, Black, Event, date].map(plain);
  const name = ChapterName || (white || black ? "" : `Chapter ${number + 1}`);
  const detail = [ChapterName && playersOf(white, black), event, day].filter(Boolean).join(" · ");
  return { name, white, black, result: Result.replace("*", ""), detail };
}
