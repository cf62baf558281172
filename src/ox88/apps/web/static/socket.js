// The connection to the server. It comes back by itself, and then says so, so that a game can be gone on with.

const LONGEST_WAIT = 5000; // Milliseconds between two tries.

export class Socket {
  #listeners = new Map();
  #waiting = new Map();
  #next = 1;
  #wait = 250;
  #socket = null;
  #unsent = []; // Before the first connection. What is said while one is lost would come too late.
  #isFirst = true;

  constructor(address) {
    this.address = address;
    this.#connect();
  }

  // What to do with messages of a type; "open" and "lost" are the connection's own.
  on(type, listener) {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  // Send a message; returns the number under which answers to it come.
  say(type, fields = {}) {
    const id = this.#next++;
    const text = JSON.stringify({ type, id, ...fields });
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    else if (this.#isFirst) this.#unsent.push(text);
    return id;
  }

  // Send a message, and wait for its answer. What the server refuses is an Error with the reason.
  ask(type, fields = {}) {
    return new Promise((resolve, reject) => {
      if (!this.#isFirst && this.#socket.readyState !== WebSocket.OPEN) reject(new Error("the connection is lost"));
      else this.#waiting.set(this.say(type, fields), { resolve, reject });
    });
  }

  #connect() {
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = 250;
      this.#isFirst = false;
      this.#tell("open", {});
      for (const text of this.#unsent.splice(0)) socket.send(text);
    });
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      this.#tell("lost", { reason: event.reason });
      for (const { reject } of this.#waiting.values()) reject(new Error("the connection is lost"));
      this.#waiting.clear();
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  #receive(message) {
    const waiting = this.#waiting.get(message.id);
    if (waiting) {
      this.#waiting.delete(message.id);
      if (message.type === "error") waiting.reject(new Error(message.message));
      else waiting.resolve(message);
      return;
    }
    this.#tell(message.type, message);
  }

  #tell(type, message) {
    for (const listener of this.#listeners.get(type) ?? []) listener(message);
  }
}
