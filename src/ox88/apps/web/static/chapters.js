// The analysis: its chapters, each a game as PGN. The study is the current one. An analysis is kept for as long as the
// page's tab. Once it has a name, it has an address too, and the server saves each change.

import { fail, notice } from "./controls.js";
import { remember } from "./library.js";
import { Latest, LOST, socket } from "./socket.js";
import { keepInTab } from "./study.js";

const KEPT = "ox88.analysis";
const PAUSE = 700; // Milliseconds without a change, after which it is saved.
const GONE = /^there is no analysis/;
const nothing = () => ({ revision: 0, name: "", chapters: [] });

export class Chapters {
  id = ""; // "" for an analysis that is not saved.
  name = "";
  // Another array at each change of it. from: the chapter's text in what the server has.
  list = [{ text: "", from: null }];
  at = this.list[0];
  wrong = ""; // Why it cannot be saved.
  #known = nothing(); // What the server has: revision, name, texts.
  #isEdited = true; // The study has changed, and not yet the text of its chapter.
  #isWatching = false; // The server tells changes that others make.
  #saving = null;
  #timer = 0;
  #latest = new Latest();
  #early = null; // What was last told of another analysis, perhaps of one that is being opened.
  #gone = ""; // The id of this analysis before it was deleted.

  // on.open(game): called with a game for the study, see Study.open. on.change(): called when anything has changed.
  constructor(study, on) {
    this.study = study;
    this.on = on;
    this.#restore();
    study.onchange = () => this.#edited();
    socket.on("welcome", () => this.id && this.#watch());
    socket.on("analysis", (state) => {
      if (state.analysis === this.#gone && !this.id) {
        this.id = this.#gone; // The deletion is undone. What has changed since is a change of it.
        this.#isWatching = true;
        notice("");
      }
      if (state.analysis !== this.id) this.#early = state;
      this.#told(state);
    });
    socket.on("deleted", ({ analysis }) => analysis && analysis === this.id && this.#deleted());
    socket.on("lost", () => {
      this.#isWatching = false;
      on.change();
    });
    addEventListener("pagehide", () => this.save());
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
    addEventListener(
      "beforeunload",
      (event) => this.id && this.isChanged && !socket.isOpen() && event.preventDefault(),
    );
  }

  number = () => Math.max(0, this.list.indexOf(this.at));
  address = () => (this.id ? `#analyse/${this.id}${this.list.length > 1 ? `/${this.number() + 1}` : ""}` : "#analyse");

  // The chapters as one PGN.
  get pgn() {
    this.#settle();
    return this.list.map(({ text }) => `${text}\n\n`).join("");
  }

  // The server does not have all of it.
  get isChanged() {
    const { name, chapters } = this.#known;
    const isSame = this.list.length === chapters.length && this.list.every(({ text }, at) => text === chapters[at]);
    return this.#isEdited || this.name !== name || !isSame;
  }

  // --- What the tab keeps ---

  #keep() {
    const { id, name, study } = this;
    if (!id && !name && this.list.length < 2 && study.isEmpty()) return sessionStorage.removeItem(KEPT);
    const short = this.#numbered();
    const list = this.list.map(({ text, from }) => [short(text), short(from)]);
    keepInTab(KEPT, { id, name, list, number: this.number(), known: this.#known, isEdited: this.#isEdited });
  }

  #restore() {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    if (!kept) return;
    const long = (text) => (typeof text === "number" ? kept.known.chapters[text] : text);
    const list = kept.list.map(([text, from]) => ({ text: long(text), from: long(from) }));
    Object.assign(this, { id: kept.id, name: kept.name, list, at: list[kept.number] });
    this.#known = kept.known;
    this.#isEdited = kept.isEdited && this.study.isRestored;
    if (!this.study.isRestored) this.#show(this.at).catch(fail);
  }

  // Gives the number of a text that the server has, and other texts back.
  #numbered() {
    const numbers = new Map(this.#known.chapters.map((text, number) => [text, number]));
    return (text) => numbers.get(text) ?? text;
  }

  // Bring the text of the current chapter up to date.
  #settle() {
    if (this.#isEdited) this.at.text = this.study.pgn().trim();
    this.#isEdited = false;
    this.#keep();
  }

  // --- Opening ---

  // Open a saved analysis, or a chapter of it. number: from 0.
  async open(id, number) {
    if (id !== this.id) {
      const state = await socket.ask("load", { analysis: id });
      const list = state.chapters.map((text) => ({ text, from: text }));
      const at = list[number] ?? list[0];
      const game = await this.#read(at);
      await this.#flush();
      this.#isWatching = true;
      this.#become({ id, name: state.name, list, at, known: state }, { ...game, undos: this.#replaced() });
      if (this.#early) this.#told(this.#early);
    } else if (this.list[number]) await this.go(number);
  }

  async go(number) {
    if (this.list[number] !== this.at) await this.#show(this.list[number]);
  }

  // Go some chapters on; the first one comes after the last one.
  step = (by) => this.go((this.number() + by + this.list.length) % this.list.length);

  async #show(chapter, place = "", undos = chapter.undos) {
    const game = await this.#latest.of(this.#read(chapter));
    if (!this.list.includes(chapter)) return;
    this.#settle();
    if (!this.list.includes(this.at) && this.at.text !== this.at.from) this.list = [...this.list, this.at]; // Edited.
    this.at.undos = this.study.undos;
    this.at = chapter;
    this.on.open({ ...game, place, undos });
    this.#settle();
    this.on.change();
  }

  // A chapter as a game for the study. What cannot be read is an empty game that says why.
  #read({ text }, isAlone = false) {
    return socket.ask("open", { text }).catch((error) => {
      if (isAlone || error.message === LOST) throw error;
      return { errors: [error.message] };
    });
  }

  // Open the games of a PGN.
  async openGames(texts) {
    const list = texts.map((text) => ({ text: text.trim(), from: null }));
    await this.#take(list, await this.#read(list[0], list.length === 1));
  }

  // Open one game, see Study.open.
  async openGame(game) {
    await this.#take([{ text: "", from: null }], game);
    this.#edited();
  }

  // Chapters fill an empty one; else they are another analysis.
  async #take(list, game) {
    const { id, name, at, study } = this;
    const [known, { undos }] = [this.#known, study];
    if (study.isEmpty() && (id || this.list.length > 1)) {
      const all = this.list.flatMap((chapter) => (chapter === at ? list : chapter));
      this.#become({ id, name, list: all, at: list[0], known }, { ...game, undos });
      return this.#changed();
    }
    await this.#flush();
    this.#become({ list, at: list[0] }, { ...game, undos: this.#replaced() });
  }

  // What can be undone when another analysis is opened. One that is saved has an address.
  #replaced() {
    const { id, list, at, study } = this;
    if (id) return [];
    const restore = () => {
      this.save();
      Object.assign(this, { id: "", name: "", list, at });
      this.#known = nothing();
    };
    return study.isEmpty() ? study.undos : study.remembered("open another game", restore);
  }

  #become({ id = "", name = "", list, at, known = nothing() }, game) {
    this.#latest.drop();
    Object.assign(this, { id, name, list, at, wrong: "" });
    this.#known = known;
    this.#gone = "";
    this.#isEdited = false;
    if (id) remember("analyses", id);
    this.on.open(game);
    this.#settle();
    this.on.change();
  }

  // --- Changes ---

  #edited() {
    const wasEdited = this.#isEdited;
    this.#isEdited = true;
    if (!wasEdited) this.#keep();
    this.#plan();
  }

  #changed() {
    this.#settle();
    this.#plan();
  }

  #plan() {
    clearTimeout(this.#timer);
    this.wrong = "";
    this.#timer = setTimeout(() => this.save(), PAUSE);
    this.on.change();
  }

  rename(name) {
    this.name = name.trim() || this.name;
    this.#changed();
  }

  nameChapter(name) {
    this.study.tags.ChapterName = name.trim();
    if (!name.trim()) delete this.study.tags.ChapterName;
    this.study.keep();
  }

  add() {
    this.#settle();
    this.at.undos = this.study.undos;
    this.at = { text: "", from: null };
    this.list = [...this.list, this.at];
    this.on.open({});
    this.#edited();
  }

  // Delete the current chapter. An undo of the one that is shown then brings it back.
  async remove() {
    const { at, list, study } = this;
    const number = this.number();
    const { undos } = study;
    const restore = () => {
      this.#settle();
      this.list = [...this.list.slice(0, number), at, ...this.list.slice(number)];
      this.at = at;
      study.undos = undos;
    };
    const deleted = study.remembered("delete the chapter", restore).at(-1);
    const next = list[number + 1] ?? list[number - 1];
    await this.#show(next, "", [...(next.undos ?? []), deleted]);
    if (this.at === at) return;
    this.list = this.list.filter((chapter) => chapter !== at);
    this.#changed();
  }

  move(by) {
    const to = this.number() + by;
    this.list = this.list.filter((chapter) => chapter !== this.at);
    this.list.splice(to, 0, this.at);
    this.#changed();
  }

  // --- Saving ---

  // Save it, and each change from now on.
  begin(name) {
    this.name = name;
    this.#settle();
    return this.#write();
  }

  // Returns a promise that is kept when the server has answered, or when nothing can be saved.
  save() {
    this.#settle();
    if (this.id && this.#isWatching && this.isChanged) return this.#write();
    this.on.change(); // What was changed may be as it was.
    return this.#saving ?? Promise.resolve();
  }

  #write = () => (this.#saving ??= this.#send().finally(() => (this.#saving = null)));

  async #send() {
    clearTimeout(this.#timer);
    const { id, name, list } = this;
    const known = this.#known;
    const texts = list.map(({ text }) => text);
    const wish = { analysis: id, revision: known.revision, name, chapters: texts.map(this.#numbered()) };
    try {
      const saved = await socket.ask("save", wish);
      if (known !== this.#known) return; // Another analysis has been opened meanwhile.
      this.id = saved.analysis;
      if (this.name === name) this.name = saved.name;
      this.#isWatching = true;
      this.#known = { revision: saved.revision, name: saved.name, chapters: texts };
      for (const [number, chapter] of list.entries()) chapter.from = texts[number];
      remember("analyses", this.id);
    } catch (error) {
      // What another page has changed meanwhile has been told before: the next attempt is based on it.
      if (known === this.#known && error.message !== LOST) this.wrong = error.message;
      if (!id) fail(error);
    }
    this.#keep();
    if (this.id && this.isChanged && !this.wrong) this.#plan();
    this.on.change();
  }

  // Save what is not saved yet, before another analysis is opened.
  async #flush() {
    while (this.id && this.#isWatching && this.isChanged && !this.wrong) await this.save();
    if (this.id && this.isChanged) throw new Error(`the analysis is not saved yet: ${this.wrong || LOST}`);
  }

  // --- Others ---

  async #watch() {
    const { id } = this;
    const refuse = (error) => (GONE.test(error.message) ? this.#deleted() : fail(error));
    const state = await socket.ask("load", { analysis: id }).catch(refuse);
    if (!state || id !== this.id) return;
    this.#isWatching = true;
    remember("analyses", id);
    this.#told(state);
    if (this.isChanged) this.#plan();
  }

  #told(state) {
    if (state.analysis !== this.id || state.revision <= this.#known.revision) return;
    this.#settle();
    const number = this.number();
    const place = this.study.place();
    const isRenamed = this.name !== this.#known.name;
    const own = this.#merge(state.chapters);
    this.#known = state;
    if (!isRenamed) this.name = state.name;
    if (!this.list.includes(this.at)) this.#show(this.list[Math.min(number, this.list.length - 1)], place).catch(fail);
    if (own.length) {
      const where = own.map((chapter) => this.list.indexOf(chapter) + 1).join(" and ");
      fail(new Error(`another page has changed this chapter too: your version is chapter ${where}`));
    }
    this.#changed();
  }

  // Take over what another page has saved. A chapter that both have changed is there twice: returns our versions.
  #merge(theirs) {
    const mine = [...this.list];
    const base = [...this.#known.chapters];
    const take = (list, fits) => (list.some(fits) ? list.splice(list.findIndex(fits), 1) : []);
    this.list = theirs.flatMap((text) => {
      const wasThere = take(base, (before) => before === text).length > 0;
      const [known] = take(mine, (chapter) => chapter.from === text || chapter.text === text);
      if (known) known.from = text;
      return known ?? (wasThere ? [] : { text, from: text }); // Deleted here, or new there.
    });
    const own = mine.filter(({ text, from }) => text !== from);
    for (const chapter of own) chapter.from = null;
    this.list.push(...own);
    return own;
  }

  #deleted() {
    this.#gone = this.id;
    this.id = "";
    this.#known = nothing();
    this.#changed();
    fail(new Error("the analysis has been deleted: only this tab still has it, until it is closed"));
  }
}
