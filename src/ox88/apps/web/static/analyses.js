// My analyses: a list of the saved analyses, to search, open, copy, delete and export.

import { find } from "/viewer/dom.js";
import { download, fetchPgn } from "./controls.js";
import { known, remember } from "./known.js";
import { dateText, List } from "./library.js";
import { fileOf } from "./saved.js";

export class Analyses extends List {
  constructor(panel, socket, onerror) {
    super(panel, socket, { kind: "analyses", noun: ["analysis", "analyses"], onerror });
  }

  get wish() {
    return { ...super.wish, analyses: known("analyses") };
  }

  item({ id, changed, name, chapters, players, opening, fen, uci }, button) {
    return {
      href: `#analyse/${id}`,
      board: fen && { fen, uci },
      title: name,
      lines: [
        [players.join(" – "), opening].filter(Boolean).join(" · "),
        `${chapters} chapter${chapters > 1 ? "s" : ""} · ${dateText(changed)}`,
      ],
      buttons: [button("Copy", () => this.#copy(id)), button("Export", () => this.#export(id, name))],
    };
  }

  async #copy(id) {
    await this.socket
      .ask("copy", { analysis: id })
      .then(({ analysis }) => remember("analyses", analysis), this.onerror);
    await this.show();
    find("a", this.list)?.focus();
  }

  async #export(id, name) {
    await fetchPgn(`/analysis/${id}.pgn`).then((text) => download(fileOf(name), text), this.onerror);
  }
}
