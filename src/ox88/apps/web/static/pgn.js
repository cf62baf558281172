// Games from a PGN that is pasted, chosen as a file, or dropped; and the list of them.

import { find, make } from "./dom.js";
import { capital } from "./words.js";

export class Games {
  #games = [];

  // onopen(text): called with the chosen game.
  /** @param {import("./socket.js").Socket} socket */
  constructor(socket, { onopen, onerror }) {
    this.socket = socket;
    this.onopen = onopen;
    this.onerror = onerror;
    this.longest = Infinity;
    socket.on("welcome", ({ longest }) => (this.longest = longest));
    this.element = make("details.card#pgn", [
      make("summary", "Open games (PGN)"),
      make("div.pad.rows-tight", [
        make("textarea", {
          "aria-label": "PGN",
          placeholder: "Paste a PGN, or drop a file anywhere on this page.",
          spellcheck: "false",
        }),
        make("div.buttons", [
          make("button.plain.small", { onclick: () => this.read(find("textarea", this.element).value) }, "Open"),
          make("button.plain.small", { onclick: () => find("input[type=file]", this.element).click() }, [
            "Choose a file …",
          ]),
        ]),
        make("input.aside", {
          type: "file",
          accept: ".pgn,.txt",
          tabindex: -1,
          "aria-label": "A file of games",
          onchange: (event) => this.readFile(event.target.files[0]),
        }),
        make("p.wrong", { role: "alert" }),
        make("p.muted"),
      ]),
      make("div#games", { hidden: true }),
    ]);
    this.#acceptDrops();
  }

  async readFile(file) {
    if (!file) return;
    if (file.size > this.longest / 2)
      this.#say(
        `${file.name} has ${(file.size / 1e6).toFixed(1)} MB: at most ${Math.floor(this.longest / 2e6)} MB are ` +
          "read here. For more there is ox88 analyse.",
      );
    else await this.read(await file.text());
  }

  async read(text) {
    this.#say("");
    if (!text.trim()) return this.#say("Paste a PGN first.");
    if (text.length > this.longest / 2)
      return this.#say(
        `The text has ${(text.length / 1e6).toFixed(1)} MB: at most ${Math.floor(this.longest / 2e6)} MB are ` +
          "read here.",
      );
    find(".muted", this.element).textContent = "Reading …";
    try {
      this.#games = (await this.socket.ask("games", { text })).games;
      this.#showList();
      this.#open(0);
      find("textarea", this.element).value = "";
    } catch (error) {
      this.#say(capital(error.message));
    } finally {
      find(".muted", this.element).textContent = "";
    }
  }

  #say(text) {
    this.element.open ||= Boolean(text);
    find(".wrong", this.element).textContent = text;
  }

  #open(index) {
    for (const [place, button] of this.element.querySelectorAll(".games button").entries())
      button.setAttribute("aria-current", String(place === index));
    this.onopen(this.#games[index].text);
  }

  #showList() {
    const box = find("#games", this.element);
    box.hidden = this.#games.length < 2;
    if (box.hidden) return;
    const list = make("ol.games", [this.#games.map(({ tags }, index) => make("li", this.#button(tags, index)))]);
    const search = make("input", {
      type: "search",
      placeholder: `Search ${this.#games.length} games`,
      "aria-label": "Search games",
      oninput: (event) => filter(list, event.target.value),
    });
    box.replaceChildren(make("div.pad", search), list);
  }

  #button(tags, index) {
    const detail = [tags.Event, tags.Date?.replaceAll(".??", "")].filter(Boolean).join(" · ");
    return make("button", { onclick: () => this.#open(index) }, [
      make("div.names", [make("span", `${tags.White ?? "?"} – ${tags.Black ?? "?"}`), make("b", tags.Result ?? "")]),
      make("div.muted", detail || `Game ${index + 1}`),
    ]);
  }

  #acceptDrops() {
    const isFile = (event) => event.dataTransfer?.types.includes("Files");
    document.addEventListener("dragover", (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      document.body.classList.add("drop");
    });
    document.addEventListener(
      "dragleave",
      (event) => event.relatedTarget === null && document.body.classList.remove("drop"),
    );
    document.addEventListener("drop", (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      document.body.classList.remove("drop");
      location.hash = "#analyse";
      this.readFile(event.dataTransfer.files[0]);
    });
  }
}

function filter(list, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of list.children) {
    const content = item.textContent.toLowerCase();
    item.hidden = !words.every((word) => content.includes(word));
  }
}
