// Functions that make elements. Texts become text nodes only, never markup.

import { announce } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/** @returns {any} */
export const find = (selector, root = document) => root.querySelector(selector);

/** @returns {NodeListOf<HTMLElement>} */
export const findAll = (selector) => document.querySelectorAll(selector);

// selector: a tag, with classes and an id: "div.card#games". Then properties, if any, and what is inside: elements, texts,
// lists of them; null and "" stand for nothing.
function build(create, selector, parts) {
  const [tag, ...marks] = selector.split(/(?=[.#])/);
  const element = create(tag);
  if (tag === "button") element.type = "button"; // Else a click would send the form around it.
  for (const mark of marks) {
    if (mark.startsWith("#")) element.id = mark.slice(1);
    else element.classList.add(mark.slice(1));
  }
  const [properties, ...content] = parts[0]?.constructor === Object ? parts : [{}, ...parts];
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") element.classList.add(...value.split(" ").filter(Boolean));
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...content.flat(2).filter((each) => each !== null && each !== undefined && each !== ""));
  return element;
}

export const make = (selector, ...parts) => build((tag) => document.createElement(tag), selector, parts);
export const draw = (selector, ...parts) => build((tag) => document.createElementNS(SVG, tag), selector, parts);

const ICONS = {
  first: ["M5 5v14M19 5L8 12l11 7z", true],
  back: ["M17 5L7 12l10 7z", true],
  on: ["M7 5l10 7-10 7z", true],
  last: ["M19 5v14M5 5l11 7-11 7z", true],
  flip: ["M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4", false],
  inside: ["M4 4h16v16H4zM4 12h16M12 4v16M16 4v8M20 8h-8", false],
  settings: ["M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5", false],
  erase: ["M6 6l12 12M18 6L6 18", false],
};

export function icon(name) {
  const [path, full] = ICONS[name];
  return draw("svg", { class: full ? "icon full" : "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, [
    draw("path", { d: path }),
  ]);
}

// A piece, drawn by chessground's style sheet.
export const figure = (color, role) =>
  make("span.cg-wrap.figure", { "aria-hidden": "true" }, make("piece", { class: `${role} ${color}` }));

// Radio buttons side by side. options: [value, label or element, spoken name].
export function segments(name, legend, options, chosen, onchange) {
  const choices = options.map(([value, label, spoken]) =>
    make("label", [
      make("input", {
        type: "radio",
        name,
        value,
        checked: value === chosen,
        "aria-label": spoken,
        onchange: () => onchange?.(value),
      }),
      make("span", label),
    ]),
  );
  return make("fieldset", [make("legend", legend), make("div.segments", choices)]);
}

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// scrollIntoView would move the page too, away from the board on a phone.
export function keepInSight(list, item) {
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop + 8) list.scrollTop = top - 40;
  else if (top + item.offsetHeight > list.scrollTop + list.clientHeight - 8)
    list.scrollTop = top + item.offsetHeight - list.clientHeight + 40;
}

export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// text: a promise. Pages that did not come from this machine or by https have no clipboard.
async function copy(text) {
  if (navigator.clipboard)
    return navigator.clipboard.write([
      new ClipboardItem({ "text/plain": text.then((words) => new Blob([words], { type: "text/plain" })) }),
    ]);
  const area = make("textarea.aside", { readonly: true }, await text);
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

function relabel(button, text, milliseconds) {
  const label = button.textContent;
  button.textContent = text;
  announce(text);
  setTimeout(() => (button.textContent = label), milliseconds);
}

// A button that copies a text and says so. text(): the text, or a promise of it.
export function copier(label, text) {
  const onclick = async ({ currentTarget: button }) => {
    if (button.textContent !== label) return;
    const done = await copy(Promise.resolve(text())).then(
      () => "Copied",
      () => "Not copied",
    );
    relabel(button, done, 1500);
  };
  return make("button.plain.small", { onclick }, label);
}

// A button that acts on a second click within three seconds.
export function careful(selector, label, question, act) {
  const onclick = ({ currentTarget: button }) =>
    button.textContent === question ? act() : relabel(button, question, 3000);
  return make(selector, { onclick }, label);
}
