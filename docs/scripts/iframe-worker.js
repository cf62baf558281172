// The search of this site runs in a Worker. Browsers refuse Workers to pages that are opened as files, so there the
// script runs in a hidden frame. The generator would load such a script from another host.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #loaded;

    constructor(url) {
      super();
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const scope = this.#frame.contentWindow;
      scope.postMessage = (data) => this.#deliver(this, data);
      const script = scope.document.createElement("script");
      script.src = url;
      this.#loaded = new Promise((resolve) => (script.onload = resolve));
      scope.document.body.append(script);
    }

    set onmessage(listener) {
      this.addEventListener("message", listener);
    }

    async postMessage(data) {
      await this.#loaded;
      this.#deliver(this.#frame.contentWindow, data);
    }

    // As between real Workers: a copy, and not before the sender has done its work.
    #deliver(target, data) {
      const copy = structuredClone(data);
      setTimeout(() => target.dispatchEvent(new MessageEvent("message", { data: copy })));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
