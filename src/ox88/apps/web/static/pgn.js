// Games from a PGN that is pasted, chosen as a file, or dropped.

import { find } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { onClick } from "./controls.js";

const FEN = /^\s*(?:[pnbrqk1-8]{1,8}\/){7}[pnbrqk1-8]{1,8}\b[^\n]*\s*$/i; // At least its board.

export class Games {
  // onopen(games): called with the games, { text, tags } each. onfen(fen): called with a FEN in place of a PGN; returns
  // what is wrong with it, if anything. onwrong(): called before it is said here what is wrong with a text.
  // takes(type): whether what is pasted ("paste") or dropped ("drop") anywhere on the page is read here.
  /** @param {import("./socket.js").Socket} socket */
  constructor(element, socket, { onopen, onfen, takes, onwrong = () => {} }) {
    this.element = element;
    this.socket = socket;
    this.onopen = onopen;
    this.onfen = onfen;
    this.onwrong = onwrong;
    this.takes = takes;
    this.text = find("textarea", element);
    this.wrong = find(".wrong", element);
    this.status = find(".muted", element);
    const file = find("input[type=file]", element);
    file.addEventListener("change", () => this.readFile(file.files[0]));
    onClick(element, { open: () => this.read(this.text.value), choose: () => file.click() });
    this.#acceptPastes();
    this.#acceptDrops();
  }

  // Of a PGN, whose characters may need two in a message.
  get #longest() {
    return this.socket.longest / 2;
  }

  async readFile(file) {
    if (!file) return;
    if (file.size > this.#longest) this.#refuse(file.name, file.size, " For more there is ox88 analyse.");
    else await this.read(await file.text());
  }

  async read(text) {
    this.#say("");
    if (!text.trim()) return this.#say("Paste a PGN first.");
    if (FEN.test(text)) return this.#readFen(text.trim());
    if (text.length > this.#longest) return this.#refuse("The text", text.length);
    this.status.textContent = "Reading …";
    try {
      const { games } = await this.socket.ask("games", { text });
      await this.onopen(games);
      this.text.value = "";
    } catch (error) {
      this.#say(capital(error.message));
    } finally {
      this.status.textContent = "";
    }
  }

  async #readFen(fen) {
    this.#say((await this.onfen(fen)) ?? "");
    if (!this.wrong.textContent) this.text.value = "";
  }

  #refuse(what, size, advice = "") {
    const most = Math.floor(this.#longest / 1e6);
    this.#say(`${what} has ${(size / 1e6).toFixed(1)} MB: at most ${most} MB are read here.${advice}`);
  }

  #say(text) {
    if (text) this.onwrong();
    this.wrong.textContent = text;
  }

  // Where no field takes the text.
  #acceptPastes() {
    document.addEventListener("paste", ({ clipboardData }) => {
      if (document.activeElement.closest("input, textarea, dialog") || !this.takes("paste")) return;
      const [file] = clipboardData.files;
      if (file) this.readFile(file);
      else this.read(clipboardData.getData("text"));
    });
  }

  #acceptDrops() {
    const { classList } = document.body;
    const on = (type, act) =>
      document.addEventListener(type, (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        act(event);
      });
    on("dragover", () => classList.add("drop"));
    on("dragleave", (event) => event.relatedTarget === null && classList.remove("drop"));
    on("drop", (event) => {
      classList.remove("drop");
      if (this.takes("drop")) this.readFile(event.dataTransfer.files[0]);
    });
  }
}
