// The page Think: micro-Max's search of a position, step by step, forwards and backwards.

import { find, findAll, make, View } from "/viewer/dom.js";
import { Board88 } from "./board88.js";
import { fail, notice, onClick, onSubmit, Tabs } from "./controls.js";
import { Replay } from "./replay.js";
import { sentence, tableWords, whyReturned, windowNote } from "./sentences.js";
import { Latest, socket } from "./socket.js";
import { Guess, Tour, tourCards, Without } from "./thinkcards.js";
import { crawlOf, Ladder, Listing, NodeCard, offerMeanings, Ruler, TableCard, Track, tell } from "./thinkviews.js";
import { announce, START, whole } from "./words.js";

const SPEEDS = [1, 2, 4, 8, 16, 40, 100, 300, 1000]; // Steps a second.
const FAST = 20; // From here on nothing glides.
const LINK = 350; // Milliseconds without a step before the address changes: Safari takes 100 addresses in 30 s.
const NEAR_END = 1000; // Steps before the end of a window, when the next one is asked for.

// An address: #think/FEN/LIMIT/NODE, then perhaps /STEP, the steps since the node was counted, and /without-NAME-NAME.
// Spaces of the FEN are underlines, or encoded as %20; its slashes may be encoded too.
const ADDRESS = /^([^ ]+ [^/]*)\/(\d{1,15})\/(\d{1,15})(?:\/(\d{1,15}))?(?:\/without-([a-z-]+))?$/;

const DOING = {
  waiting: "Waiting: two other searches run.",
  compiling: "micro-Max is made ready. It is compiled once after an installation, for some seconds.",
};

export class Think extends View {
  #view = null; // fen, nodes (the limit), without.
  #replay = null;
  #latest = new Latest(); // Window that is asked for.
  #ahead = null; // The next window, asked for while this one is played.
  #playing = null;
  #aim = ""; // Where the window that is asked for is; "" while none is.
  #linking = 0;
  #nodes = ""; // Of the whole search, when they are known.
  #outlines = new Map(); // Promises, by the views as JSON.

  constructor(panel, desk) {
    super(panel);
    this.desk = desk;
    const part = (selector) => find(selector, panel);
    this.board = new Board88(part(".b88"));
    this.ruler = new Ruler(part(".ruler"));
    this.node = new NodeCard(part(".node"));
    this.ladder = new Ladder(part(".ladder"), (node, tried) => this.goToNode(node, tried));
    this.table = new TableCard(part(".hash"));
    this.listing = new Listing(part(".listing"));
    this.track = new Track(part(".track"), (node) => this.goToNode(node));
    this.guess = new Guess(part(".guess"), { ask: () => this.ask(), done: (at) => this.#go(at) });
    this.tour = new Tour(part(".tour"), (stop) => {
      this.desk.show(addressOf(stop));
      return this.load(stop);
    });
    this.without = new Without(part(".without"), {
      outline: (view) => this.#outline(view),
      change: (without) => this.#leaveOut(without),
    });
    this.tabs = new Tabs(part(".tabs"), "think"); // On small screens.
    offerMeanings(panel, part("#meaning"));
    this.#listen();
    this.#showSpeed();
    socket.ask("listing").then((listing) => this.listing.fill(listing), fail);
    socket.on("watching", (message) => this.#aim && this.#showProgress(message));
    socket.on("open", () => {
      if (!this.#view || desk.mode !== "think" || this.#isBeginning()) return;
      this.#outlines.clear();
      this.load({ ...this.#view, ...this.#place() });
    });
  }

  fen = () => this.#view?.fen ?? START;

  // --- The page ------------------------------------------------------------------------------------------------------

  #listen() {
    const { element: panel } = this;
    const steps = { back: () => this.step(-1), step: () => this.step(1), play: () => this.play() };
    for (const aim of ["into", "over", "out"]) steps[aim] = () => this.#seek(aim);
    for (const button of findAll("[data-step]", panel)) button.addEventListener("click", steps[button.dataset.step]);
    this.stepKeys = {
      ArrowRight: steps.step,
      ArrowLeft: steps.back,
      ArrowDown: steps.into,
      ArrowUp: steps.out,
      o: steps.over,
      " ": steps.play,
      g: () => this.ask(),
    };
    for (const [place, button] of findAll("[data-next]", panel).entries()) {
      this.stepKeys[place + 1] = () => this.#seek(button.dataset.next);
      button.addEventListener("click", this.stepKeys[place + 1]);
    }
    this.parts.speed.max = SPEEDS.length - 1;
    this.parts.speed.addEventListener("input", () => this.#showSpeed());
    onClick(panel, {
      tours: () => {
        this.#begin(true);
        this.desk.show("#think"); // The link in the bar leads back.
        this.focus();
      },
      continue: () => this.#continue(),
      guess: () => this.ask(),
      without: () => this.#view && this.without.open(this.#view),
    });
    this.parts.tourCards.append(...tourCards((number) => this.tour.open(number)));
    onSubmit(this.parts.position, () => {
      const { fen, nodes } = this.parts.position.elements;
      this.tour.open(null);
      this.load({ fen: fen.value, nodes: Number(nodes.value), without: this.#view?.without });
    });
    onSubmit(this.parts.toNode, () => this.goToNode(Number(this.parts.toNode.elements.node.value)));
  }

  keys = () => (this.#isBeginning() ? {} : this.stepKeys);
  focus = () => find(this.#isBeginning() ? ".tour-cards button" : "[data-step]", this.element).focus();
  #isBeginning = () => this.element.classList.contains("beginning");

  // Show the tours, and the fields for any position; or the search.
  #begin(isBeginning) {
    this.#pause();
    if (isBeginning !== this.#isBeginning()) scrollTo(0, 0);
    this.element.classList.toggle("beginning", isBeginning);
    this.parts.continue.hidden = !this.#view;
  }

  #continue() {
    this.#begin(!this.#view);
    this.#link();
  }

  // --- What is watched -----------------------------------------------------------------------------------------------

  // address: the part after #think/; "" continues, or begins with the tours.
  open(address) {
    if (address === "" || (this.#view && `#think/${address}` === this.#address)) return this.#continue();
    try {
      return this.load(readAddress(address));
    } catch (error) {
      this.#begin(!this.#view);
      return fail(error);
    }
  }

  // The page is left.
  rest() {
    this.#pause();
    this.#latest.drop();
    this.#setAim("");
    this.#outlines.clear();
    socket.say("unwatch");
  }

  // Watch the search without some parts, at the same node if it has so many.
  async #leaveOut(without) {
    const view = { ...this.#view, without };
    const outline = await this.#outline(view).catch(fail);
    if (outline) this.load({ ...view, node: Math.min(this.#place().node, outline.nodes) });
  }

  // fen, nodes, node, step, without: see ADDRESS. tried: see Ladder. Returns whether it is shown.
  async load({ fen, nodes, node = 1, step = 0, without = [], tried = null }) {
    const wasBeginning = this.#isBeginning();
    this.#begin(false);
    this.guess.follow(null);
    const view = { fen: fen.trim(), nodes, without };
    const answer = await this.#request({ ...view, node, step, ...tried }, `to node ${whole(node)}`);
    if (!answer) {
      if (wasBeginning || !this.#view) this.element.classList.add("beginning");
      return false;
    }
    const isNew = JSON.stringify(view) !== JSON.stringify(this.#view);
    this.#view = { ...view, fen: answer.fen };
    if (isNew) this.parts.chips.replaceChildren(...this.without.chips(without));
    this.#show(answer);
    this.tour.follow(answer.fen);
    if (isNew) this.#askOutline();
    return true;
  }

  // Ask for a window. aim: where the search goes. Returns nothing if it is refused.
  async #request(fields, aim) {
    this.#ahead = null;
    this.#setAim(aim);
    const answer = await this.#latest.of(socket.ask("think", { ...this.#view, ...fields })).catch(fail);
    this.#setAim("");
    if (answer) notice("");
    return answer;
  }

  #setAim(aim) {
    this.#aim = aim;
    this.element.setAttribute("aria-busy", String(Boolean(aim)));
    if (!aim) this.parts.asking.replaceChildren();
  }

  // The server searches for a while. doing: "waiting", "compiling" or "searching"; nodes: searched so far.
  #showProgress({ doing, nodes }) {
    const words = { ...DOING, searching: `Searching ${this.#aim}.` }[doing];
    const so = doing === "searching" ? ` ${whole(nodes)} nodes are counted.` : "";
    if (this.parts.asking.firstChild?.textContent === words) this.parts.asking.lastChild.textContent = so;
    // The number is not read aloud.
    else this.parts.asking.replaceChildren(make("span", words), make("span", { "aria-hidden": "true" }, so));
  }

  async #askOutline() {
    const view = this.#view;
    this.#nodes = "";
    this.parts.most.textContent = whole(view.nodes);
    this.track.fill(1);
    const outline = await this.#outline(view).catch((error) => view === this.#view && fail(error));
    if (!outline || view !== this.#view) return;
    this.track.fill(outline.nodes, view.fen, outline.iterations);
    this.#nodes = ` of ${whole(outline.nodes)}`;
    this.parts.toNode.elements.node.max = String(outline.nodes);
    this.#showPlace();
  }

  // The search as a whole. A view that is asked for twice is sent once.
  #outline(view) {
    const key = JSON.stringify(view);
    if (!this.#outlines.has(key)) {
      const promise = socket.ask("outline", view);
      this.#outlines.set(key, promise);
      promise.catch(() => this.#outlines.delete(key));
    }
    return this.#outlines.get(key);
  }

  // --- Going on and back ---------------------------------------------------------------------------------------------

  #place = () => this.#replay?.place ?? { node: 1, step: 0 };
  goToNode = (node, tried = null) => this.load({ ...this.#view, node, tried }); // tried: see Ladder.

  // Ask for another window and show it. Returns false if there is none.
  async #fetch(fields, aim) {
    const answer = await this.#request(fields, aim);
    if (answer) this.#show(answer);
    return Boolean(answer);
  }

  // answer: a window of the server; at: the event that is shown.
  #show(answer, at = answer.at) {
    this.#replay = new Replay(answer, this.#view.without);
    this.#goTo(Math.min(at, this.#replay.end - 1));
  }

  // at: an event of this window.
  #goTo(at) {
    this.#replay.goTo(at);
    this.#draw();
  }

  async #go(at) {
    if (this.#aim) return;
    const isBeyond = at < 0 || (at > this.#replay.at && this.#replay.isLast);
    if (this.#replay.has(at)) this.#goTo(at);
    else if (!isBeyond) await this.#fetch({ event: at }, `to step ${whole(at)}`);
  }

  step(by) {
    this.#pause();
    if (this.#replay) this.#go(this.#replay.at + by);
  }

  // Go to the next event of a sort, see Replay.seek. If it is not in this window, the server looks for it.
  async #seek(aim) {
    this.#pause();
    if (!this.#replay || this.#aim) return;
    const { at: event, isLast, aims } = this.#replay;
    const [ply, at] = [this.#replay.ply(), this.#replay.seek(aim)];
    const { name } = aims[aim];
    if (at !== undefined) this.#goTo(at);
    else if (isLast) fail(new Error(`the search ends without another ${name}`));
    else await this.#fetch({ event, ply, aim }, `for the next ${name}`);
  }

  // --- Playing -------------------------------------------------------------------------------------------------------

  #rate = () => SPEEDS[Number(this.parts.speed.value)];

  #showSpeed() {
    this.parts.rate.replaceChildren(`${this.#rate()}/s`);
    this.parts.speed.setAttribute("aria-valuetext", `${this.#rate()} steps a second`);
    this.element.classList.toggle("fast", this.#rate() > FAST);
  }

  play() {
    if (this.#playing || !this.#replay) return this.#pause();
    let [last, due] = [performance.now(), 0];
    const frame = (now) => {
      this.#playing = requestAnimationFrame(frame);
      due = Math.min(due + ((now - last) * this.#rate()) / 1000, this.#rate());
      last = now;
      if (due < 1 || this.#aim) return;
      const at = this.#replay.at + Math.floor(due);
      due %= 1;
      this.#advance(at);
    };
    this.#playing = requestAnimationFrame(frame);
    return this.#showPlaying();
  }

  #advance(at) {
    const replay = this.#replay;
    if (!replay.isLast && at > replay.end - NEAR_END) this.#fetchAhead(replay);
    if (at < replay.end || replay.isLast) {
      this.#goTo(Math.min(at, replay.end - 1));
      if (at >= replay.end) this.#pause();
    } else if (this.#ahead?.answer) {
      const { answer } = this.#ahead;
      this.#ahead = null;
      this.#show(answer, at);
    }
  }

  async #fetchAhead(replay) {
    if (this.#ahead) return;
    const ahead = (this.#ahead = { answer: null });
    ahead.answer = await socket.ask("think", { ...this.#view, event: replay.end }).catch((error) => {
      if (this.#ahead !== ahead) return;
      this.#pause();
      fail(error);
    });
  }

  #pause() {
    if (!this.#playing) return undefined;
    cancelAnimationFrame(this.#playing);
    this.#playing = null;
    this.#showPlaying();
    return this.#say();
  }

  #showPlaying() {
    const button = find("[data-step=play]", this.element);
    button.textContent = this.#playing ? "Pause" : "Run";
    button.setAttribute("aria-pressed", String(Boolean(this.#playing)));
  }

  // --- Guessing ------------------------------------------------------------------------------------------------------

  async ask() {
    this.#pause();
    if (!this.#replay) return;
    const question = this.#replay.nextChoice();
    if (question) {
      this.#go(question.before);
      this.guess.ask(question);
    } else if (!this.#replay.isLast && (await this.#fetch({ event: this.#replay.end }, "for the next choice"))) {
      await this.ask();
    }
  }

  // --- Drawing -------------------------------------------------------------------------------------------------------

  #draw() {
    const { state } = this.#replay;
    const { frame } = state;
    this.board.show(state);
    this.parts.crawl.replaceChildren(...crawlOf(state));
    tell(this.parts.sentence, sentence(state));
    this.ruler.show(frame && { ...this.#replay.window(), note: windowNote(state) });
    this.node.show(frame, whyReturned(state));
    this.ladder.show(state.line);
    this.table.show(frame, tableWords(state), state.filled, state.size);
    this.listing.show(state.event?.kind ?? "");
    this.#showPlace();
    this.guess.follow(this.#replay.at);
    if (!this.#playing) this.#say();
  }

  #showPlace() {
    const { node, step } = this.#place();
    const { node: counted } = this.#replay.state;
    this.track.show(counted);
    this.parts.whereNode.textContent = whole(node);
    this.parts.whereStep.textContent = whole(step);
    this.parts.counted.textContent = `${whole(counted)}${this.#nodes} nodes counted`;
    Object.assign(this.element.dataset, { place: `${node}/${step}`, at: this.#replay.at });
  }

  // What is said and written when the page stands still.
  #say() {
    announce(sentence(this.#replay.state));
    const { fen, nodes } = this.parts.position.elements;
    fen.value = this.#view.fen;
    nodes.value = String(this.#view.nodes);
    this.parts.toNode.elements.node.value = String(this.#place().node);
    clearTimeout(this.#linking);
    this.#linking = setTimeout(() => this.#link(), LINK);
  }

  get #address() {
    return addressOf({ ...this.#view, ...this.#place() });
  }

  // Let the address of the page lead to this view.
  #link() {
    if (this.desk.mode !== "think" || !this.#replay || this.#aim || this.#isBeginning()) return;
    const address = this.#address;
    find("nav [data-mode='think']").hash = address;
    this.desk.show(address);
  }
}

function addressOf({ fen, nodes, node, step, without = [] }) {
  const rest = (step ? `/${step}` : "") + (without.length ? `/without-${without.join("-")}` : "");
  return `#think/${fen.replaceAll(" ", "_")}/${nodes}/${node}${rest}`;
}

// The parts of an address without "#think/", if its form is right. The server knows whether there is this view.
function readAddress(text) {
  const found = ADDRESS.exec(text.replace(/_|%20/g, " ").replace(/%2f/gi, "/"));
  const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  if (!found)
    throw new Error(`the link "${shown}" is not understood: #think/FEN/LIMIT/NODE is expected, with two numbers`);
  const [, fen, nodes, node, step = "0", without] = found;
  return { fen, nodes: Number(nodes), node: Number(node), step: Number(step), without: without?.split("-") ?? [] };
}
