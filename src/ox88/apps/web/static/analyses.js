// My analyses: a list of the saved analyses, to search, open, copy, delete and export.

import { find, make } from "/viewer/dom.js";
import { download, fetchPgn } from "./controls.js";
import { known, remember } from "./known.js";
import { dateText, List, row } from "./library.js";
import { fileOf } from "./saved.js";

export class Analyses extends List {
  constructor(panel, socket, onerror) {
    super(panel, socket, { kind: "analyses", noun: ["analysis", "analyses"], onerror });
  }

  get wish() {
    return { ...super.wish, analyses: known("analyses") };
  }

  item({ id, changed, name, chapters, players, opening, fen, uci, unreadable }) {
    const about = `analysis-${id}`;
    const button = (words, onclick) => make("button.plain.small", { "aria-describedby": about, onclick }, words);
    const remove = this.remover({ analysis: id }, about, () => item);
    const item = unreadable
      ? row({
          id: about,
          title: "An analysis that cannot be read",
          lines: [unreadable, dateText(changed)],
          buttons: [remove],
        })
      : row({
          id: about,
          href: `#analyse/${id}`,
          board: fen && { fen, uci },
          title: name,
          lines: [
            [players.join(" – "), opening].filter(Boolean).join(" · "),
            `${chapters} chapter${chapters > 1 ? "s" : ""} · ${dateText(changed)}`,
          ],
          buttons: [button("Copy", () => this.#copy(id)), button("Export", () => this.#export(id, name)), remove],
        });
    return item;
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
