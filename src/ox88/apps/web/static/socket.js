// The connection to the server. It reconnects by itself and reports that, so that a game can continue.

import { whole } from "./words.js";

const LONGEST_WAIT = 5000; // Milliseconds between two attempts.
const SILENCE = 16_000; // Milliseconds without a message, after which it is lost: the server says `alive` every 5 s.
const HEAD = 100; // Characters of a message beside its fields.
export const LOST = "the connection is lost";

class Socket {
  #listeners = new Map();
  #waiting = new Map();
  #next = 1;
  #wait = 250;
  #socket = null;
  #unsent = []; // Messages before the first connection. While a connection is lost, messages are dropped.
  #isFirst = true;
  #heard = 0; // When the last message came, or an attempt began.
  longest = Infinity; // Characters of a message, as the server says.

  constructor(address) {
    this.address = address;
    this.#connect();
    setInterval(() => this.#look(), 1000);
  }

  /** @type {Messages.On} Call the listener for messages of a type. The connection itself reports "open" and "lost". */
  on = (type, listener) => this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  isOpen = () => this.#socket?.readyState === WebSocket.OPEN;

  /** @type {Messages.Say} Send a message. Returns its id, which the answers repeat. */
  say = (type, fields) => {
    const id = this.#next++;
    const text = JSON.stringify({ type, id, ...fields });
    if (this.isOpen()) this.#socket.send(text);
    else if (this.#isFirst) this.#unsent.push(text);
    return id;
  };

  // Send a message and wait for the answer. Rejects with the server's error. progress: called with how far it is.
  /** @type {Messages.Ask} */ ask = (type, fields, progress) =>
    new Promise((resolve, reject) => {
      const length = JSON.stringify(fields ?? {}).length;
      if (!this.#isFirst && !this.isOpen()) reject(new Error(LOST));
      else if (length > this.longest - HEAD)
        reject(new Error(`${whole(length)} characters are too many for one message`));
      else this.#waiting.set(this.say(type, fields), { resolve, reject, progress });
    });

  #connect() {
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    this.#heard = performance.now();
    socket.addEventListener("open", () => {
      this.#wait = 250;
      this.#isFirst = false;
      this.#tell("open", {});
      for (const text of this.#unsent.splice(0)) socket.send(text);
    });
    socket.addEventListener("message", (event) => {
      this.#heard = performance.now();
      if (socket === this.#socket) this.#receive(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => socket === this.#socket && this.#lose(event.reason));
  }

  // A dead network says nothing. The browser would wait for minutes.
  #look() {
    if (!this.#socket || performance.now() - this.#heard < SILENCE) return;
    this.#socket.close();
    this.#lose("");
  }

  #lose(reason) {
    this.#socket = null;
    this.#tell("lost", { reason });
    for (const { reject } of this.#waiting.values()) reject(new Error(LOST));
    this.#waiting.clear();
    setTimeout(() => this.#connect(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #receive(message) {
    this.longest = message.longest ?? this.longest;
    const waiting = this.#waiting.get(message.id);
    if (waiting && message.type === "progress") waiting.progress(message);
    else if (waiting) {
      this.#waiting.delete(message.id);
      if (message.type === "error") waiting.reject(new Error(message.message));
      else waiting.resolve(message);
    } else this.#tell(message.type, message);
  }

  #tell(type, message) {
    for (const listener of this.#listeners.get(type) ?? []) listener(message);
  }
}

// The page's connection.
export const socket = new Socket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);

// The last of several questions. A promise that another one has overtaken is never kept, so what awaits it ends there.
export class Latest {
  #serial = 0;

  // The same as a promise, while no other one follows.
  of(promise) {
    const serial = ++this.#serial;
    const unlessOvertaken = (act) => (value) => serial === this.#serial && act(value);
    return new Promise((resolve, reject) => promise.then(unlessOvertaken(resolve), unlessOvertaken(reject)));
  }

  drop = () => (this.#serial += 1); // What was asked last is not wanted any more.
}
