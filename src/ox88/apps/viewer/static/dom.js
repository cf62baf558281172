// Functions that make elements. Texts become text nodes only, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** @returns {any} */
export const find = (selector, root = document) => root.querySelector(selector);

/** @returns {any[]} */
export const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

// What is shown in an element of the page. The page names its parts: by data-part, or by data-do for a button.
export class View {
  // on: what it calls: a function, or functions by their names.
  constructor(element, on = null) {
    this.element = element;
    this.on = on;
    const named = findAll("[data-part], [data-do]", element);
    /** @type {any} */
    this.parts = Object.fromEntries(named.map((part) => [part.dataset.part ?? part.dataset.do, part]));
  }
}

// selector: a tag, with classes and an id, such as "div.card#games". parts: the properties, if any, and what is inside:
// elements, texts, lists of them; null and "" stand for nothing.
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
    else if (name === "style")
      Object.assign(element.style, value); // Rules for security forbid it as an attribute.
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...content.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== ""));
  return element;
}

export const make = (selector, ...parts) => build((tag) => document.createElement(tag), selector, parts);
export const table = (selector, heads, rows) => make(selector, [make("thead", make("tr", heads)), make("tbody", rows)]);
export const draw = (selector, ...parts) => build((tag) => document.createElementNS(SVG, tag), selector, parts);

// The element that an SVG's text describes.
/** @returns {any} */
export const svgOf = (text) =>
  document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);

// A text in which castling is not broken at a hyphen.
export const unbroken = (text) =>
  text.split(/(O-O(?:-O)?)/).map((part, place) => (place % 2 ? make("span.unbroken", part) : part));

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// The item to which a key leads from the one that has the focus, if it leads to one. The last is before the first.
export function itemByKey(items, key, [back, on]) {
  const at = items.indexOf(document.activeElement);
  return { [back]: items.at(at - 1), [on]: items[(at + 1) % items.length], Home: items[0], End: items.at(-1) }[key];
}

// scrollIntoView would move the page too, away from the board on a phone.
export function keepInSight(list, item) {
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop + 8) list.scrollTop = top - 40;
  else if (top + item.offsetHeight > list.scrollTop + list.clientHeight - 8)
    list.scrollTop = top + item.offsetHeight - list.clientHeight + 40;
}
