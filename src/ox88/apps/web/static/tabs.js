// A row of tabs: a click, the arrow keys, Home and End open one, and the browser remembers it.

import { findAll } from "/viewer/dom.js";

export class Tabs {
  #kept;

  // list: its buttons name the elements that they open (aria-controls). kept: what the choice is called in the
  // browser's memory. onopen(id): called with the id of the element that is opened.
  constructor(list, kept, onopen = null) {
    this.#kept = `ox88.tab.${kept}`;
    this.all = findAll("[role=tab]", list);
    for (const tab of this.all) tab.addEventListener("click", () => this.choose(idOf(tab)));
    list.addEventListener("keydown", (event) => this.#move(event));
    this.open();
    this.onopen = onopen;
  }

  // The id of the element that is open.
  get opened() {
    return idOf(this.all.find(({ tabIndex }) => tabIndex === 0));
  }

  // Open a tab, and remember it.
  choose(id) {
    localStorage.setItem(this.#kept, id);
    this.open(id);
  }

  // Open a tab; if it is hidden, the first one that is not. The remembered one, if none is named.
  open(id = localStorage.getItem(this.#kept)) {
    const offered = this.all.filter(({ hidden }) => !hidden);
    const opened = offered.find((tab) => idOf(tab) === id) ?? offered[0];
    for (const tab of this.all) {
      tab.setAttribute("aria-selected", String(tab === opened));
      tab.tabIndex = tab === opened ? 0 : -1;
      document.getElementById(idOf(tab)).toggleAttribute("data-closed", tab !== opened);
    }
    this.onopen?.(idOf(opened));
  }

  #move(event) {
    const offered = this.all.filter(({ hidden }) => !hidden);
    const at = offered.indexOf(document.activeElement);
    const place = { ArrowRight: (at + 1) % offered.length, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (place === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // The page's keys go through the game.
    const tab = offered.at(place);
    this.choose(idOf(tab));
    tab.focus();
  }
}

const idOf = (tab) => tab.getAttribute("aria-controls");
