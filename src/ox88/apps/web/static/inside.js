// The pictures of `ox88 show` for the position on the board. index.html has which there are, and what each takes.

import { find, make, svgOf, View } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";
import { keepChoice, onSubmit } from "./controls.js";
import { Latest, socket } from "./socket.js";

const LEGIBLE = 0.6; // Of its size; a smaller picture is shown at its full size.

export class Inside extends View {
  #fen = null;
  #latest = new Latest();
  #timer = 0;
  #isNew = false; // The next picture is the first since the section was opened.
  #isLarge = null; // As long as nobody has chosen.
  isOpen = false;

  constructor(element) {
    super(element);
    const { view, square } = this.parts.form.elements;
    keepChoice(view, "view", "0x88");
    for (const file of "abcdefgh") for (const rank of "12345678") square.append(make("option", file + rank));
    onSubmit(this.parts.form, () => {});
    this.parts.form.addEventListener("change", () => this.#ask());
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
    const { elements } = this.parts.form;
    const takes = (elements.view.selectedOptions[0].dataset.takes ?? "").split(" ");
    const fields = { fen: this.#fen, view: elements.view.value };
    for (const name of ["square", "depth", "bits"]) {
      this.parts[name].hidden = !takes.includes(name);
      const value = elements[name].value.trim();
      if (takes.includes(name) && value) fields[name] = name === "depth" ? Number(value) : value;
    }
    const refuse = (error) => this.parts.picture.replaceChildren(make("p.pad.wrong", capital(error.message)));
    await this.#latest.of(socket.ask("show", fields)).then((picture) => this.#draw(picture), refuse);
  }

  // The picture fits its frame if it stays legible; a click shows it at its full size, to be scrolled.
  #draw({ svg, title, caption }) {
    const drawn = svgOf(svg);
    const frame = make("div.picture", { tabindex: 0, role: "group", "aria-label": title }, drawn);
    const show = (isLarge) => {
      frame.classList.toggle("large", isLarge);
      enlarge.setAttribute("aria-pressed", String(isLarge));
    };
    const choose = () => show((this.#isLarge = !frame.classList.contains("large")));
    const enlarge = make("button.plain.small", { onclick: choose }, "Full size");
    const head = make("div.title", [make("h3", title), enlarge]);
    this.parts.picture.replaceChildren(head, frame, make("p.explanation", caption));
    const share = frame.clientWidth / drawn.width.baseVal.value;
    enlarge.hidden = share >= 1;
    show(this.#isLarge ?? share < LEGIBLE);
    if (this.#isNew) this.element.scrollIntoView({ block: "nearest" });
    this.#isNew = false;
  }
}
