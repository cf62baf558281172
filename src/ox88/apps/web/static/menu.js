// A menu: a list of actions, which a button, a right click, the Menu key or a long press opens. Arrows and first
// letters choose in it; Escape, Tab and a click elsewhere close it.

import { clamp, find, findAll, itemByKey, make } from "/viewer/dom.js";

const LONG_PRESS = 500; // Milliseconds.
const EDGE = 6; // Pixels between a menu and the edge of the window.
const GAP = 4; // Pixels between a menu and its button.

let close = () => {}; // Closes the menu that is open.

// items: [words, act()] each, or false. at: the button of the menu, or { x, y } of a corner in the window.
export function openMenu(label, items, at) {
  close();
  const opener = at instanceof Element ? at : null;
  /** @type {any} */ const before = document.activeElement;
  const listening = new AbortController();
  const item = ([words, act]) => {
    const choose = () => {
      close();
      before?.focus({ preventScroll: true });
      act();
    };
    return make("button", { role: "menuitem", tabindex: -1, onclick: choose }, words);
  };
  const menu = make("div.menu", { role: "menu", "aria-label": label }, items.filter(Boolean).map(item));
  close = () => {
    listening.abort();
    menu.remove();
    opener?.setAttribute("aria-expanded", "false");
    close = () => {};
  };
  const closeOutside = ({ target }) => !menu.contains(target) && !opener?.contains(target) && close();
  menu.addEventListener("keydown", (event) => chooseByKey(event, menu, before));
  document.addEventListener("pointerdown", closeOutside, { capture: true, signal: listening.signal });
  for (const type of ["hashchange", "resize"]) addEventListener(type, () => close(), { signal: listening.signal });
  find("main").append(menu); // A landmark.
  const { x, y } = opener ? besideButton(menu, opener.getBoundingClientRect()) : at;
  menu.style.left = `${clamp(x, EDGE, innerWidth - menu.offsetWidth - EDGE)}px`;
  menu.style.top = `${clamp(y, EDGE, innerHeight - menu.offsetHeight - EDGE)}px`;
  opener?.setAttribute("aria-expanded", "true");
  findAll("button", menu)[0]?.focus();
}

// Below a button, else above it, else to its right or left: a second click on the button must not choose.
function besideButton({ offsetWidth, offsetHeight }, { left, right, top, bottom }) {
  const above = top - GAP - offsetHeight;
  if (bottom + GAP + offsetHeight + EDGE <= innerHeight) return { x: left, y: bottom + GAP };
  if (above >= EDGE) return { x: left, y: above };
  const isRoomy = right + GAP + offsetWidth + EDGE <= innerWidth;
  return { x: isRoomy ? right + GAP : left - GAP - offsetWidth, y: top };
}

// The page's own keys have to wait.
function chooseByKey(event, menu, before) {
  event.stopPropagation();
  const items = findAll("button", menu);
  const next = itemByKey(items, event.key, ["ArrowUp", "ArrowDown"]);
  if (event.key === "Escape" || event.key === "Tab") {
    close();
    before?.focus({ preventScroll: true });
  } else if (event.key !== "Enter" && event.key !== " ") {
    const after = items.slice(items.indexOf(document.activeElement) + 1);
    const begins = (item) => item.textContent.toLowerCase().startsWith(event.key.toLowerCase());
    (next ?? [...after, ...items].find(begins))?.focus();
  } else return;
  event.preventDefault();
}

// Let a button open and close a menu. items(): see openMenu.
export function menuButton(button, items) {
  button.setAttribute("aria-haspopup", "menu");
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-expanded") === "true") return close();
    openMenu(button.getAttribute("aria-label") ?? button.textContent, items(), button);
  });
}

// Call open(target, { x, y }) where a menu is asked for in an element: by a right click, by the Menu key, or by a long
// press, for which not every browser has an event. open returns true if it has opened one.
export function onMenu(element, open) {
  let timer = 0;
  const ask = (event) => {
    clearTimeout(timer);
    return open(event.target, { x: event.clientX, y: event.clientY });
  };
  element.addEventListener("contextmenu", (event) => ask(event) && event.preventDefault());
  element.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") timer = setTimeout(() => ask(event), LONG_PRESS);
  });
  for (const type of ["pointermove", "pointerup", "pointercancel"])
    element.addEventListener(type, () => clearTimeout(timer));
}
