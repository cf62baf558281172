"use strict";
(() => {
  // The games as page_output.py writes them. A position's fen is the first field of FEN; evaluations are White's.
  const games = JSON.parse(document.getElementById("games").textContent);
  const GLYPHS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  const SVG = "http://www.w3.org/2000/svg";
  /** @returns {any} */
  const find = (selector) => document.querySelector(selector);
  /** @returns {NodeListOf<HTMLElement>} */
  const findAll = (selector) => document.querySelectorAll(selector);
  const view = { game: 0, ply: 0, line: null, flipped: false }; // line: { ply, number, step } in an engine's line.

  // --- Making elements; texts from the games are inserted as text, never as markup -----------------------------------

  function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name === "class") element.className = value;
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== ""));
    return element;
  }

  function draw(tag, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // --- The position that is shown ------------------------------------------------------------------------------------

  const game = () => games[view.game];
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
  const moveNumber = (ply) => Math.floor((game().ply + ply - 1) / 2) + 1; // Of the move before a position.
  const isWhite = (ply) => (game().ply + ply) % 2 === 1;
  const numbered = (ply) => `${moveNumber(ply)}${isWhite(ply) ? "." : "…"}`;

  function position() {
    if (view.line) {
      const line = game().moves[view.line.ply - 1].lines[view.line.number];
      return { ...line.moves[view.line.step], eval: line.eval, win: line.win };
    }
    return view.ply ? game().moves[view.ply - 1] : game().start;
  }

  function goTo(ply) {
    view.line = null;
    view.ply = clamp(ply, 0, game().moves.length);
    show();
  }

  function goInto(ply, number, step) {
    view.ply = ply;
    view.line = { ply, number, step };
    show();
  }

  function step(by) {
    if (!view.line) return goTo(view.ply + by);
    const { ply, number } = view.line;
    const moves = game().moves[ply - 1].lines[number].moves;
    const next = view.line.step + by;
    if (next < 0) return goTo(ply - 1);
    return goInto(ply, number, Math.min(next, moves.length - 1));
  }

  function goToNextMoment() {
    const marked = game()
      .moves.map((move, index) => (move.mark ? index + 1 : 0))
      .filter(Boolean);
    if (marked.length) goTo(marked.find((ply) => ply > view.ply) ?? marked[0]);
  }

  function open(number, ply = 0) {
    view.game = clamp(number, 0, games.length - 1);
    view.flipped = false;
    showGame();
    goTo(ply);
  }

  // --- The board -----------------------------------------------------------------------------------------------------

  const corner = (square) => {
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    return view.flipped ? [(7 - file) * 45, rank * 45] : [file * 45, (7 - rank) * 45];
  };
  const centre = (square) => corner(square).map((value) => value + 22.5);

  function pieces(placement) {
    const found = [];
    placement.split("/").forEach((row, index) => {
      let file = 0;
      for (const letter of row) {
        if (letter >= "1" && letter <= "8") file += Number(letter);
        else found.push([letter, "abcdefgh"[file++] + (8 - index)]);
      }
    });
    return found;
  }

  function showBoard(at) {
    const board = find(".board");
    board.replaceChildren(...squares(), ...traces(at), ...coordinates());
    for (const [letter, square] of pieces(at.fen)) {
      const [x, y] = corner(square);
      board.append(draw("use", { href: `#piece-${letter}`, x, y }));
    }
    const move = view.ply && !view.line ? game().moves[view.ply - 1] : null;
    if (move?.mark) {
      if (move.lines.length) board.append(...arrow(move.lines[0].moves[0].uci));
      board.append(badge(move));
    }
    board.setAttribute("aria-label", at.san ? `Position after ${at.san}` : "The position at the start");
  }

  function squares() {
    const drawn = [];
    for (let index = 0; index < 64; index++) {
      const x = (index % 8) * 45;
      const y = Math.floor(index / 8) * 45;
      const light = (index + Math.floor(index / 8)) % 2 === 0;
      drawn.push(draw("rect", { x, y, width: 45, height: 45, class: light ? "square-light" : "square-dark" }));
    }
    return drawn;
  }

  function coordinates() {
    const drawn = [];
    const ink = (light) => `coordinate ${light ? "on-light" : "on-dark"}`;
    for (let index = 0; index < 8; index++) {
      const rank = view.flipped ? index + 1 : 8 - index;
      const file = view.flipped ? 7 - index : index;
      drawn.push(draw("text", { x: 2.5, y: 45 * index + 10, class: ink(index % 2 === 0) }, String(rank)));
      drawn.push(draw("text", { x: 45 * index + 37, y: 357.5, class: ink(index % 2 === 1) }, "abcdefgh"[file]));
    }
    return drawn;
  }

  function traces(at) {
    const drawn = [];
    if (at.uci) {
      for (const square of [at.uci.slice(0, 2), at.uci.slice(2, 4)]) {
        const [x, y] = corner(square);
        drawn.push(draw("rect", { x, y, width: 45, height: 45, class: "square-trace" }));
      }
    }
    if (at.check) {
      const [cx, cy] = centre(at.check);
      drawn.push(draw("circle", { cx, cy, r: 21, class: "square-check" }));
    }
    return drawn;
  }

  function arrow(uci) {
    const [x1, y1] = centre(uci.slice(0, 2));
    const [x2, y2] = centre(uci.slice(2, 4));
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [ex, ey] = [x2 - dx * 15, y2 - dy * 15];
    const head = [
      [x2, y2],
      [ex - dy * 10, ey + dx * 10],
      [ex + dy * 10, ey - dx * 10],
    ];
    return [
      draw("path", { d: `M${x1 + dx * 8} ${y1 + dy * 8}L${ex - dx * 2} ${ey - dy * 2}`, class: "arrow" }),
      draw("polygon", { points: head.map((point) => point.join(",")).join(" "), class: "arrow-head" }),
    ];
  }

  function badge(move) {
    const [x, y] = corner(move.uci.slice(2, 4));
    const [cx, cy] = [clamp(x + 40, 10, 350), clamp(y + 6, 10, 350)];
    return draw(
      "g",
      { class: "badge" },
      draw("circle", { cx, cy, r: 9, class: `fill-${move.mark}` }),
      draw("text", { x: cx, y: cy + 3.8 }, GLYPHS[move.mark]),
    );
  }

  // --- Drawn again for each move -------------------------------------------------------------------------------------

  function show() {
    const at = position();
    showBoard(at);
    showGauge(at);
    showPlayers();
    showCursor();
    showRemark();
    markCurrent();
    noteAddress();
  }

  let noting = 0; // A timer, because browsers refuse too many changes of the address in a row.
  function noteAddress() {
    clearTimeout(noting);
    noting = setTimeout(() => history.replaceState(null, "", `#${view.game + 1}/${view.ply}`), 300);
  }

  function showGauge(at) {
    const gauge = find(".gauge");
    gauge.classList.toggle("flipped", view.flipped);
    find(".gauge-white").style.height = `${at.win ?? 50}%`;
    find(".gauge-text").textContent = score(at);
    gauge.setAttribute("aria-label", at.eval ? `Evaluation ${at.eval}` : "No evaluation");
  }

  const score = (at) => (at.eval === "#" ? "" : (at.eval ?? "")); // The move's own # says that it is mate.

  function showPlayers() {
    for (const box of findAll(".player")) {
      const white = (box.dataset.side === "bottom") !== view.flipped;
      const { name, rating } = white ? game().white : game().black;
      box.replaceChildren(
        make("span", { class: `swatch ${white ? "white" : "black"}` }),
        make("span", { class: "name" }, name),
        make("span", { class: "rating" }, rating),
        make("span", { class: "clock" }, clock(white)),
      );
    }
  }

  function clock(white) {
    for (let ply = view.ply; ply > 0; ply--) {
      const seconds = game().moves[ply - 1].clock;
      if (isWhite(ply) === white && seconds != null) {
        const whole = Math.floor(seconds);
        const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
        const tail = `${String(minutes).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`;
        return hours ? `${hours}:${tail}` : tail;
      }
    }
    return "";
  }

  function showRemark() {
    const remark = find(".remark");
    const move = view.ply ? game().moves[view.ply - 1] : null;
    if (!move) return remark.replaceChildren(game().note ?? "");
    const words = [make("b", {}, `${numbered(view.ply)} ${move.san}${GLYPHS[move.mark] ?? ""}`), ` ${score(move)} `];
    if (move.mark) {
      words.push(make("b", { class: move.mark }, `${capital(move.mark)}. `));
      move.lines.forEach((_, number) => words.push(number ? " Or: " : "Better: ", lineOf(view.ply, number), " "));
    }
    if (move.note && !view.line) words.push(move.note);
    return remark.replaceChildren(...words);
  }

  const capital = (word) => word[0].toUpperCase() + word.slice(1);

  function lineOf(ply, number) {
    const line = game().moves[ply - 1].lines[number];
    const span = make("span", { class: "line" });
    line.moves.forEach((move, index) => {
      const at = ply + index;
      const label = isWhite(at) || index === 0 ? `${numbered(at)} ${move.san}` : move.san;
      span.append(
        make(
          "button",
          { type: "button", "data-line": `${ply}/${number}/${index}`, onclick: () => goInto(ply, number, index) },
          label,
        ),
        " ",
      );
    });
    span.append(`(${line.eval})`);
    return span;
  }

  function markCurrent() {
    const line = view.line ? `${view.line.ply}/${view.line.number}/${view.line.step}` : "";
    for (const button of findAll("[data-line]")) {
      button.setAttribute("aria-current", String(button.dataset.line === line));
    }
    const list = find(".moves");
    for (const button of list.querySelectorAll("button")) {
      const current = Number(button.dataset.ply) === view.ply;
      button.setAttribute("aria-current", String(current));
      if (current) keepInSight(list, button);
    }
    if (!view.ply) list.scrollTop = 0;
  }

  // scrollIntoView would move the page too, away from the board on a phone.
  function keepInSight(list, item) {
    const top = item.offsetTop - list.offsetTop;
    if (top < list.scrollTop + 30) list.scrollTop = top - 60;
    else if (top + item.offsetHeight > list.scrollTop + list.clientHeight - 30)
      list.scrollTop = top - list.clientHeight + 90;
  }

  // --- Drawn again for each game -------------------------------------------------------------------------------------

  function showGame() {
    showAbout();
    showGraph();
    showSummary();
    showMoves();
    showMoments();
    for (const button of findAll(".games button")) {
      const current = Number(button.dataset.game) === view.game;
      button.setAttribute("aria-current", String(current));
      if (current) keepInSight(find(".games ol"), button);
    }
  }

  function showAbout() {
    const { white, black, result, opening, place, errors } = game();
    find(".about").replaceChildren(
      make("h2", {}, `${white.name} – ${black.name}`, make("b", {}, result)),
      ...[opening, place].filter(Boolean).map((text) => make("p", {}, text)),
      ...errors.map((text) => make("p", { class: "error" }, text)),
    );
  }

  const across = (ply) => (600 * ply) / Math.max(game().moves.length, 1);
  const down = (win) => 150 - 1.5 * win;

  function showGraph() {
    const graph = find(".graph");
    graph.replaceChildren();
    graph.toggleAttribute("hidden", !game().moves.length);
    if (!game().moves.length) return;
    const points = [game().start, ...game().moves].map(
      (at, ply) => `${across(ply).toFixed(1)} ${down(at.win).toFixed(1)}`,
    );
    graph.append(
      draw("path", { d: `M0 150L${points.join("L")}L600 150Z`, class: "area" }),
      draw("line", { x1: 0, x2: 600, y1: 75, y2: 75, class: "middle" }),
      draw("path", { d: `M${points.join("L")}`, class: "curve" }),
    );
    game().moves.forEach((move, index) => {
      if (!move.mark) return;
      const [x, y] = [across(index + 1), clamp(down(move.win), 5, 145)];
      const d = `M${x} ${y}l0 0.01`;
      graph.append(draw("path", { d, class: "mark-rim" }), draw("path", { d, class: `mark fill-${move.mark}` }));
    });
    graph.append(draw("line", { y1: 0, y2: 150, class: "cursor" }));
  }

  function showCursor() {
    const cursor = find(".graph .cursor");
    if (!cursor) return;
    const x = clamp(across(view.ply), 1, 599);
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  }

  function showSummary() {
    const cells = ({ name, accuracy, acpl, counts }) =>
      make(
        "tr",
        {},
        make("th", { scope: "row", title: name }, name),
        make("td", {}, accuracy == null ? "–" : `${accuracy.toFixed(1)} %`),
        make("td", {}, acpl == null ? "–" : String(acpl)),
        ...Object.keys(GLYPHS).map((kind, index) =>
          make("td", { class: counts[index] ? kind : "none" }, String(counts[index])),
        ),
      );
    const names = ["", "accuracy", "avg. loss", "?!", "?", "??"];
    const titles = ["", "", "average centipawn loss of a move", "inaccuracies", "mistakes", "blunders"];
    find(".summary").replaceChildren(
      make(
        "thead",
        {},
        make("tr", {}, ...names.map((name, index) => make("th", { scope: "col", title: titles[index] }, name))),
      ),
      make("tbody", {}, cells(game().white), cells(game().black)),
    );
  }

  function showMoves() {
    const list = find(".moves");
    list.replaceChildren();
    game().moves.forEach((move, index) => {
      const ply = index + 1;
      const white = isWhite(ply);
      if (white || index === 0) list.append(make("span", { class: "number" }, `${moveNumber(ply)}.`));
      if (!white && index === 0) list.append(make("span", {}, "…"));
      list.append(moveButton(move, ply));
      if (move.note) {
        if (white && index + 1 < game().moves.length) list.append(make("span"));
        list.append(make("p", { class: "note" }, move.note));
        if (white && index + 1 < game().moves.length)
          list.append(make("span", { class: "number" }, `${moveNumber(ply)}.`), make("span", {}, "…"));
      }
    });
    if (!game().moves.length) list.append(make("p", { class: "note" }, "No move of this game could be analysed."));
  }

  function moveButton(move, ply) {
    return make(
      "button",
      { type: "button", "data-ply": ply, class: move.mark ?? "", onclick: () => goTo(ply) },
      make("span", {}, move.san + (GLYPHS[move.mark] ?? "")),
      make("span", { class: "score" }, move.eval),
    );
  }

  function showMoments() {
    const box = find(".moments");
    const marked = game()
      .moves.map((move, index) => [move, index + 1])
      .filter(([move]) => move.mark);
    box.replaceChildren(make("h3", {}, "Key moments"));
    if (!marked.length) return box.append(make("p", { class: "line" }, "None: no move lost much."));
    return box.append(make("ol", {}, ...marked.map(([move, ply]) => moment(move, ply))));
  }

  function moment(move, ply) {
    const before = ply > 1 ? game().moves[ply - 2].eval : game().start.eval;
    const name = `${numbered(ply)} ${move.san}${GLYPHS[move.mark]}`;
    return make(
      "li",
      { class: move.mark },
      make("button", { type: "button", class: "what", onclick: () => goTo(ply) }, name),
      make("span", { class: "swing" }, `${before} → ${move.eval}`),
      move.lines.length ? make("div", {}, lineOf(ply, 0)) : null,
    );
  }

  function showList() {
    if (games.length < 2) return;
    find(".games").hidden = false;
    find(".layout").classList.add("with-games");
    find(".games ol").append(...games.map((each, number) => make("li", {}, gameButton(each, number))));
    find(".games input").addEventListener("input", (event) => filter(event.target.value));
  }

  function gameButton({ white, black, result, opening, place, errors }, number) {
    const known = [white, black].some(({ accuracy }) => accuracy != null);
    const accuracies = [white, black].map(({ accuracy }) => (accuracy == null ? "–" : accuracy.toFixed(1))).join(" : ");
    return make(
      "button",
      { type: "button", "data-game": number, onclick: () => open(number) },
      make("div", { class: "names" }, make("span", {}, `${white.name} – ${black.name}`), make("b", {}, result)),
      make(
        "div",
        { class: "detail" },
        errors.length ? make("span", { class: "error" }, "with errors ") : null,
        [known && `${accuracies} %`, opening, place].filter(Boolean).join(" · "),
      ),
    );
  }

  function filter(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of findAll(".games li")) {
      const content = item.textContent.toLowerCase();
      item.hidden = !words.every((word) => content.includes(word));
    }
  }

  // --- Keys and pointers ---------------------------------------------------------------------------------------------

  function turn() {
    view.flipped = !view.flipped;
    show();
  }

  const commands = {
    first: () => goTo(0),
    back: () => step(-1),
    on: () => step(1),
    last: () => goTo(Infinity),
    key: goToNextMoment,
    flip: turn,
  };
  const keys = {
    ArrowLeft: commands.back,
    ArrowRight: commands.on,
    Home: commands.first,
    End: commands.last,
    ArrowUp: () => open(view.game - 1),
    ArrowDown: () => open(view.game + 1),
    k: goToNextMoment,
    f: turn,
    Escape: () => goTo(view.ply),
  };

  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!Object.hasOwn(keys, event.key)) return;
    if (games.length < 2 && event.key.match(/^Arrow(Up|Down)$/)) return; // Let them scroll the page.
    event.preventDefault();
    keys[event.key]();
  });
  for (const button of findAll("[data-go]")) {
    button.addEventListener("click", commands[button.dataset.go]);
  }

  function pick(event) {
    const box = find(".graph").getBoundingClientRect();
    goTo(Math.round(((event.clientX - box.left) / box.width) * game().moves.length));
  }

  find(".graph").addEventListener("pointerdown", pick);
  find(".graph").addEventListener("pointermove", (event) => event.buttons && pick(event));
  find(".board").addEventListener("click", (event) => {
    const box = find(".board").getBoundingClientRect();
    step(event.clientX - box.left < box.width / 2 ? -1 : 1);
  });
  window.addEventListener("hashchange", openFromHash);

  function openFromHash() {
    const [, number, ply] = location.hash.match(/^#(\d+)\/(\d+)$/) ?? ["", "1", "0"];
    open(Number(number) - 1, Number(ply));
  }

  showList();
  openFromHash();
})();
