// Games and positions in and out: what is pasted, chosen as a file, or dropped; what is copied and downloaded.

import { View } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { copier, download, onClick, onSubmit } from "./controls.js";
import { socket } from "./socket.js";
import { plain } from "./study.js";

const LONGEST_NAME = 100; // Characters.
const FEN = /^\s*(?:[pnbrqk1-8]{1,8}\/){7}[pnbrqk1-8]{1,8}\b[^\n]*\s*$/i; // At least its board.

// The tags of a game.
export const tagsOf = (text) =>
  Object.fromEntries(
    [...text.matchAll(/^\[(\w+)\s+"(.*)"\]\s*$/gm)].map(([, name, value]) => [name, value.replace(/\\(.)/g, "$1")]),
  );

// The name of a file, with characters that all systems allow. Windows makes no file of a device's name.
export function fileOf(name) {
  const safe = name.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}-]+/gu, " ");
  const short = [...safe.trim()].slice(0, LONGEST_NAME).join("").trim() || "ox88";
  return `${/^(con|prn|aux|nul|(com|lpt)\d)$/i.test(short) ? `Ox88 ${short}` : short}.pgn`;
}

// The name of a file with one game. other: where its tags name neither player nor event.
export function fileOfGame(tags, other = "") {
  const [day, white, black, event] = [tags.Date, tags.White, tags.Black, tags.Event].map(plain);
  const players = white || black ? `${white || "White"} - ${black || "Black"}` : tags.ChapterName || other || event;
  return fileOf([day.replaceAll(".", "-"), players].filter(Boolean).join(" "));
}

export class Games extends View {
  // on.open(games): called with the games, { text, tags } each. on.fen(fen): called with a FEN in place of a PGN;
  // returns what is wrong with it, if anything. on.wrong(): called before it is said here what is wrong with a text.
  // on.takes(type): whether what is pasted ("paste") or dropped ("drop") anywhere on the page is read here. on.command:
  // reads files of any size.
  constructor(element, on) {
    super(element, on);
    const { text, file } = this.parts;
    file.addEventListener("change", () => this.readFile(file.files[0]));
    onClick(element, { open: () => this.read(text.value), choose: () => file.click() });
    // Where no field takes the text.
    document.addEventListener("paste", ({ clipboardData }) => {
      if (document.activeElement.closest("input, textarea, dialog") || !on.takes("paste")) return;
      const [pasted] = clipboardData.files;
      if (pasted) this.readFile(pasted);
      else this.read(clipboardData.getData("text"));
    });
    const { classList } = document.body;
    const onDrag = (type, act) =>
      document.addEventListener(type, (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        act(event);
      });
    onDrag("dragover", () => classList.add("drop"));
    onDrag("dragleave", (event) => event.relatedTarget === null && classList.remove("drop"));
    onDrag("drop", (event) => {
      classList.remove("drop");
      if (on.takes("drop")) this.readFile(event.dataTransfer.files[0]);
    });
  }

  #longest = () => socket.longest / 2; // Of a PGN, whose characters may need two in a message.

  async readFile(file) {
    if (!file) return;
    if (file.size > this.#longest()) this.#refuse(file.name, file.size);
    else await this.read(await file.text());
  }

  async read(text) {
    this.#say("");
    if (!text.trim()) return this.#say("Paste a PGN first.");
    if (text.length > this.#longest() && !FEN.test(text)) return this.#refuse("The text", text.length);
    try {
      if (FEN.test(text)) this.#say((await this.on.fen(text.trim())) ?? "");
      else {
        this.parts.status.textContent = "Reading …";
        const { games } = await socket.ask("games", { text });
        await this.on.open(games);
      }
      if (!this.parts.wrong.textContent) this.parts.text.value = "";
    } catch (error) {
      this.#say(capital(error.message));
    } finally {
      this.parts.status.textContent = "";
    }
  }

  #refuse(what, size) {
    const most = Math.floor(this.#longest() / 1e6);
    this.#say(
      `${what} has ${(size / 1e6).toFixed(1)} MB: at most ${most} MB are read here, any size by ${this.on.command}.`,
    );
  }

  #say(text) {
    if (text) this.on.wrong?.();
    this.parts.wrong.textContent = text;
  }
}

// The position as FEN and the game as PGN: to copy, to download, and to set up another one.
export class Share extends View {
  // study: the game. onfen(fen): called with a typed FEN; returns what is wrong with it, if anything. name(): of the
  // analysis.
  constructor(element, study, { onfen, onclear, onplay, name }) {
    super(element);
    this.study = study;
    const { form, fen, wrong, annotated, copies, download: button } = this.parts;
    const pgn = () => study.pgn(!annotated.checked);
    onSubmit(form, async () => (wrong.textContent = (await onfen(fen.value.trim())) ?? ""));
    const save = () => download(fileOfGame(study.tags, name() || study.opening()), pgn());
    onClick(element, { play: onplay, clear: onclear, download: save });
    copies.append(copier("Copy FEN", () => study.at.fen));
    button.before(copier("Copy PGN", pgn));
  }

  // Show the current position.
  show() {
    this.parts.fen.value = this.study.at.fen;
    this.parts.wrong.textContent = "";
    this.parts.game.hidden = this.study.isEmpty();
  }
}
