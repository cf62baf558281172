// The pictures of `ox88 show` for the position on the board. Which there are, and what each one takes, stands in
// index.html.

import { find, make, svgOf } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { Latest, socket } from "./socket.js";

const KEPT = "ox88.view";

export class Inside {
  #fen = null;
  #latest = new Latest();
  #timer = 0;
  #isNew = false; // The next picture is the first since the section was opened.

  constructor(element) {
    this.element = element;
    this.isOpen = false;
    this.isLarge = false;
    this.form = find("form", element);
    const { view, square } = this.form.elements;
    view.value = localStorage.getItem(KEPT) ?? "0x88";
    if (!view.value) view.value = "0x88";
    for (const file of "abcdefgh") for (const rank of "12345678") square.append(make("option", file + rank));
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("change", () => {
      localStorage.setItem(KEPT, view.value);
      this.#ask();
    });
    socket.on("welcome", ({ network }) => network || find("[value=network]", view)?.remove());
  }

  toggle(isOpen, fen) {
    if (isOpen === this.isOpen) return;
    this.isOpen = isOpen;
    this.element.hidden = !isOpen;
    if (!isOpen) return;
    this.#fen = null;
    this.#isNew = true;
    this.show(fen);
  }

  show(fen) {
    if (!this.isOpen || fen === this.#fen) return;
    this.#fen = fen;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), 100);
  }

  async #ask() {
    const { view } = this.form.elements;
    const takes = (view.selectedOptions[0].dataset.takes ?? "").split(" ");
    const fields = { fen: this.#fen, view: view.value };
    for (const name of ["square", "depth", "bits"]) {
      find(`#of-${name}`, this.element).hidden = !takes.includes(name);
      const value = this.form.elements[name].value.trim();
      if (takes.includes(name) && value) fields[name] = name === "depth" ? Number(value) : value;
    }
    const refuse = (error) => find("#picture").replaceChildren(make("p.pad.wrong", capital(error.message)));
    await this.#latest.of(socket.ask("show", fields)).then((picture) => this.#draw(picture), refuse);
  }

  // The picture fits its frame; a click shows it at its full size, to be scrolled.
  #draw({ svg, title, caption }) {
    const drawn = svgOf(svg);
    const frame = make("div.picture", { tabindex: 0, role: "group", "aria-label": title }, drawn);
    const enlarge = make("button.plain.small", "Full size");
    const show = () => {
      frame.classList.toggle("large", this.isLarge);
      enlarge.setAttribute("aria-pressed", String(this.isLarge));
    };
    enlarge.addEventListener("click", () => {
      this.isLarge = !this.isLarge;
      show();
    });
    const head = make("div.title", [make("h3", title), enlarge]);
    find("#picture").replaceChildren(head, frame, make("p.explanation", caption));
    enlarge.hidden = drawn.width.baseVal.value <= frame.clientWidth;
    show();
    if (this.#isNew) this.element.scrollIntoView({ block: "nearest" });
    this.#isNew = false;
  }
}
