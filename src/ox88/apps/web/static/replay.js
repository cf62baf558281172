// The state of the search at each event of a window. Each event is a row of numbers: kind, ply and values, whose names
// the server sends; engines/micromax/events.py explains them. To go back, the window is played again from its start,
// which takes a millisecond.

import { DUMMY, INFINITY, isOnBoard, OFF, VIRGIN } from "./squares88.js";

const ROOK = 6;
const HINT = 8;
const FOUND = ["empty", "other", "hit"]; // What a probe finds, ...
export const [UNUSED, ANSWER, START] = [0, 1, 2]; // ... how an entry is used, ...
const [ANSWERED, TOOK_KING, REACHED_BETA] = [0, 1, 4]; // ... and why a node returns.

const newFrame = () => ({
  node: null,
  side: 0,
  alpha: 0,
  beta: 0,
  wanted: 0,
  evaluation: 0,
  lastTo: 0,
  key: 0,
  lock: 0,
  passant: DUMMY,
  move: null,
  isRecapture: false,
  isProbe: false,
  isShut: false,
  probes: [],
  entry: null,
  moves: [],
  iteration: 0,
  best: null,
  bestFrom: 0,
  bestTo: 0,
  hint: false,
  scanStart: 0,
  from: DUMMY,
  piece: 0,
  step: 0,
  to: DUMMY,
  captured: 0,
  reply: null,
  done: null,
  tries: [],
  verdict: "open",
  score: null,
  returned: null,
  nodes: 0,
  nodesBefore: 0,
});

// What each kind of event does. state: see Replay; frame: the node of the event; then the values.
const APPLY = {
  ENTER(state, frame, { alpha, beta, wanted_depth: wanted, evaluation, side, last_to: lastTo }) {
    Object.assign(frame, { alpha, beta, wanted, evaluation, side, lastTo });
  },
  KEYS(state, frame, { key, lock, en_passant: passant }) {
    Object.assign(frame, { key, lock, passant: passant & 0xff, probes: [] });
  },
  PROBE(state, frame, { index, found }) {
    frame.probes.push({ index, found: FOUND[found] });
    state.cells.set(index, FOUND[found] !== "empty");
  },
  ENTRY(state, frame, { use, score, depth, bound, best_from: bestFrom, best_to: bestTo }) {
    frame.entry = { use, score, depth, bound, bestFrom, bestTo };
    if (use === START) Object.assign(frame, { iteration: depth, bestFrom, bestTo });
  },
  NODE(state, frame, { number }) {
    frame.node = state.node = number;
    frame.moves = state.moves[number - state.before - 1];
  },
  ITERATION(state, frame, { depth, best_score: best, best_from: bestFrom, best_to: bestTo }) {
    const hint = (bestTo & HINT) !== 0;
    Object.assign(frame, {
      iteration: depth,
      best,
      bestFrom,
      bestTo,
      hint,
      isShut: false,
      tries: [],
      scanStart: bestFrom,
      from: DUMMY,
      to: DUMMY,
    });
  },
  SQUARE(state, frame, { square, piece }) {
    Object.assign(frame, { from: square, piece, to: DUMMY, step: 0 });
  },
  DIRECTION(state, frame, { step }) {
    Object.assign(frame, { step, to: DUMMY });
    state.ghost = { square: frame.from, piece: frame.piece };
  },
  TARGET(state, frame, { from, to, step }) {
    Object.assign(frame, { from, to, step, piece: state.board[from] });
    state.ghost = { square: to, piece: frame.piece };
  },
  REJECT(state, frame, { to }) {
    state.ghost = { square: to, piece: frame.piece };
    if (isOnBoard(to)) state.marks.push([to, "hit"]);
  },
  MOVE(state, frame, { to, captured, capture_square: captureSquare }) {
    Object.assign(frame, { to, captured });
    state.ghost = { square: to, piece: frame.piece };
    state.marks.push([captureSquare, "to"]);
  },
  KING_TAKEN(state, frame, { to }) {
    frame.best = INFINITY;
    state.ghost = { square: to, piece: frame.piece };
    state.marks.push([to, "hit"]);
  },
  CUT_OFF(state, frame, { to }) {
    Object.assign(frame, { isShut: true, to });
    state.marks.push([to, "to"]);
  },
  DEPTH(state, frame, { reply_depth: replyDepth, depth, to }) {
    frame.reply = { replyDepth, depth };
    state.ghost = { square: to, piece: frame.piece };
    state.marks.push([to, "to"]);
  },
  DO(state, frame, { from, to, placed, capture_square: captureSquare, rook_from: rookFrom, passed }) {
    const { board } = state;
    const done = { piece: board[from], from, to, captured: board[captureSquare], passed };
    for (const square of [rookFrom, captureSquare, from]) board[square] = 0;
    board[to] = placed;
    if (isOnBoard(rookFrom)) board[passed] = frame.side + ROOK;
    Object.assign(frame, { done, from, piece: done.piece });
    state.marks.push([from, "from"], [to, "to"], [rookFrom, "written"]);
  },
  SCORE(state, frame, { score }) {
    const tried = frame.tries.at(-1);
    if (tried) tried.score = score;
  },
  UNDO(state, frame, { from, to, piece, captured, capture_square: captureSquare, rook_from: rookFrom }) {
    const { board } = state;
    const passed = isOnBoard(rookFrom) ? (from + to) >> 1 : DUMMY;
    board[rookFrom] = frame.side + VIRGIN + ROOK;
    board[passed] = 0;
    board[to] = 0;
    board[from] = piece;
    board[captureSquare] = captured;
    Object.assign(frame, { done: null, from, piece });
    state.marks.push([to, "to"], [from, "from"], [rookFrom, "written"], [passed, "written"]);
  },
  RESUME(state, frame, { score }) {
    Object.assign(frame, { best: score, hint: false, to: DUMMY });
    const tried = frame.tries.at(-1);
    if (tried && tried.verdict !== "illegal") tried.verdict = "best";
  },
  BEST(state, frame, { best_score: best, from, best_to: bestTo }) {
    Object.assign(frame, { best, bestFrom: from, bestTo });
    const tried = frame.tries.at(-1);
    if (tried) tried.verdict = "best";
    if (isOnBoard(bestTo & 0x7f)) state.marks.push([bestTo & 0x7f, "to"]);
  },
  MATE(state, frame, { score }) {
    frame.best = score;
  },
  STORE(state, frame, { index }) {
    if (!state.cells.get(index)) state.filled += 1;
    state.cells.set(index, true);
  },
  RETURN(state, frame, { score, reason, best_from: bestFrom, best_to: bestTo }) {
    frame.returned = { score, reason, bestFrom, bestTo };
    frame.nodes = frame.node === null ? 0 : state.node - frame.node + 1;
    frame.verdict =
      score === INFINITY ? "illegal" : frame.entry?.use === ANSWER ? "answer" : frame.isShut ? "refuted" : "searched";
  },
};

export class Replay {
  // answer: a window of the server.
  constructor({ first, events, width, kinds, start, moves, size, last }) {
    this.first = first; // Number of its first event in the search.
    this.end = first + events.length / width; // Of the first event after it.
    this.width = width;
    this.kinds = kinds; // Name and values' names of each kind from 1 on.
    this.isLast = last;
    this.events = Int32Array.from(events);
    this.start = start;
    this.moves = moves; // What may be tried in each node that is counted here.
    this.size = size;
    this.#rewind();
  }

  has(at) {
    return at >= this.first && at < this.end;
  }

  kindAt(at) {
    return this.kinds[this.events[(at - this.first) * this.width] - 1][0];
  }

  plyAt(at) {
    return this.events[(at - this.first) * this.width + 1];
  }

  // The values of an event, by name.
  valuesAt(at) {
    const place = (at - this.first) * this.width;
    const values = {};
    this.kinds[this.events[place] - 1][1].forEach((name, number) => (values[name] = this.events[place + 2 + number]));
    return values;
  }

  // at: the last event that has happened.
  goTo(at) {
    if (at < this.at) this.#rewind();
    while (this.at < at) this.#apply(this.at + 1);
  }

  #rewind() {
    const { board, line: open, node, filled, node_event: nodeEvent } = this.start;
    const line = lineOf(open);
    if (line.length) line.at(-1).nodesBefore = node;
    // True for an entry that holds a result.
    const cells = new Map(open.map(({ cell, is_filled: isFilled }) => [cell, isFilled === 1]));
    this.state = {
      board: [...board],
      line,
      frame: line.at(-1) ?? null,
      node,
      before: node,
      moves: this.moves,
      filled,
      cells,
      size: this.size,
      event: null,
      marks: [],
      ghost: null,
    };
    this.nodeEvent = nodeEvent;
    this.at = this.first - 1;
  }

  #apply(at) {
    const { state } = this;
    const [kind, ply, values] = [this.kindAt(at), this.plyAt(at), this.valuesAt(at)];
    if (kind === "ENTER") this.#enter(ply);
    else state.line.length = ply + 1;
    state.frame = state.line[ply];
    state.event = { kind, ply, values };
    state.marks = [];
    state.ghost = null;
    if (kind === "NODE") this.nodeEvent = at;
    APPLY[kind]?.(state, state.frame, values);
    this.at = at;
  }

  #enter(ply) {
    const { line } = this.state;
    line.length = ply;
    const parent = line.at(-1);
    const frame = Object.assign(newFrame(), { nodesBefore: this.state.node });
    if (parent?.done)
      Object.assign(frame, { move: parent.done, isRecapture: parent.reply?.replyDepth === parent.iteration });
    else if (parent) frame.isProbe = true;
    parent?.tries.push(frame);
    line.push(frame);
  }

  // The events since the last node was entered.
  get stepInNode() {
    return Math.max(0, this.at - this.nodeEvent);
  }

  // --- Looking for events -------------------------------------------------------------------------------------------

  get ply() {
    return this.state.event ? this.state.event.ply : Math.max(0, this.state.line.length - 1);
  }

  // The number of the next event of a sort, or null if it is not in this window. aim: one of AIMS.
  seek(aim) {
    const { ply } = this;
    for (let at = this.at + 1; at < this.end; at++)
      if (AIMS[aim](this.kindAt(at), this.plyAt(at) - ply, this.valuesAt(at))) return at;
    return null;
  }

  // --- The window and the choices -----------------------------------------------------------------------------------

  // The window of the node, for the ruler.
  window() {
    const { frame } = this.state;
    const { alpha, beta, evaluation, isShut, side } = frame;
    const best = frame.iteration === 0 && !frame.returned ? null : frame.best;
    return {
      alpha,
      beta,
      best,
      evaluation,
      isShut,
      side,
      untried: isShut ? this.#untried(frame) : 0,
      turned: this.#turned(),
      delayed: this.#delayed(),
    };
  }

  // Where a reply is entered: the ends of the window above that become alpha and beta; is alpha a point less?
  #turned() {
    const { line, frame, event } = this.state;
    if (event?.kind !== "ENTER" || !frame.move) return null;
    const { alpha, best, beta, evaluation } = line.at(-2);
    return { beta, lower: Math.max(best ?? alpha, alpha), isNudged: beta > evaluation };
  }

  // The score that has just lost a point, or null.
  #delayed() {
    const { event } = this.state;
    return event?.kind === "SCORE" && event.values.penalty ? event.values.score : null;
  }

  // The moves from the current one on that are never made, without a hinted one that was made before the others.
  #untried({ moves: all, scanStart, from, to, tries }) {
    const moves = scanned(all, scanStart);
    const rest = moves.slice(moves.findIndex((move) => move[0] === from && move[1] === to));
    const made = ([start, end]) => tries.some(({ move }) => move && move.from === start && move.to === end);
    return rest.filter((move) => !made(move)).length;
  }

  // The next move that is made where there are others: the event that makes it, the one before which to ask, the move,
  // all moves of the node, and why it is made. null if there is none in this window.
  nextChoice() {
    const back = this.at;
    let found = null;
    for (let at = this.at + 1; at < this.end && !found; at++) if (this.kindAt(at) === "DO") found = this.#choiceAt(at);
    this.goTo(back);
    return found;
  }

  #choiceAt(at) {
    const ply = this.plyAt(at);
    let before = at - 1; // Back to where the search for this move began.
    while (before > this.first && !(this.plyAt(before) === ply && BEGINS.has(this.kindAt(before)))) before--;
    if (before <= this.at && before !== this.at) return null; // It has begun: the move may be seen already.
    this.goTo(before);
    const { board, frame, line } = this.state;
    const moves = scanned(frame.moves, frame.scanStart);
    if (moves.length < 3) return null;
    const { from, to } = this.valuesAt(at);
    const tried = moves.find((move) => move[0] === from && move[1] === to) ?? [from, to, board[to]];
    return {
      at,
      before,
      tried,
      moves,
      board: [...board],
      hint: frame.hint,
      iteration: frame.iteration,
      isFirst: frame.tries.length === 0,
      scanStart: frame.scanStart,
      ply: line.length - 1,
      lastTo: frame.lastTo,
    };
  }
}

// Moves in the order of a scan that begins at a square.
const scanned = (moves, start) => [
  ...moves.filter(([from]) => from >= start),
  ...moves.filter(([from]) => from < start),
];

// The nodes that are open where a window starts, with the moves between them. open: as the server has them.
function lineOf(open) {
  const line = open.map((node) => ({
    ...newFrame(),
    node: node.number || null,
    side: node.side,
    alpha: node.alpha,
    beta: node.beta,
    wanted: node.wanted_depth,
    evaluation: node.evaluation,
    lastTo: node.last_to,
    key: node.key,
    lock: node.lock,
    passant: node.en_passant,
    moves: node.moves,
    iteration: node.depth,
    best: node.depth ? node.best_score : null,
    bestFrom: node.best_from,
    bestTo: node.best_to,
    hint: (node.best_to & HINT) !== 0,
    tries: node.tried.map((tried) => triedFrame(node, tried)),
  }));
  line.slice(1).forEach((frame, ply) => {
    const parent = line[ply];
    parent.tries.push(frame);
    const { from_square: from, to_square: to } = open[ply];
    if (to !== frame.lastTo) return void (frame.isProbe = true); // The probe for mate follows no move.
    parent.done = { ...moveOf(open[ply], from, to), passed: frame.passant };
    Object.assign(frame, { move: parent.done, isRecapture: frame.wanted === parent.iteration });
    Object.assign(parent, { from, to, piece: parent.done.piece });
  });
  return line;
}

// A move of an open node.
function moveOf({ board, moves }, from, to) {
  const [, , captured] = moves.find((move) => move[0] === from && move[1] === to) ?? [from, to, board[to]];
  return { piece: board[from], from, to, captured };
}

// A move that an open node has tried before the window.
function triedFrame(node, [from, to, score, reason, nodes, nodesBefore]) {
  const isBest = from === node.best_from && to === (node.best_to & ~OFF);
  const verdict = isBest
    ? "best"
    : ({ [ANSWERED]: "answer", [TOOK_KING]: "illegal", [REACHED_BETA]: "refuted" }[reason] ?? "searched");
  return {
    ...newFrame(),
    node: nodes ? nodesBefore + 1 : null,
    move: moveOf(node, from, to),
    score,
    nodes,
    nodesBefore,
    verdict,
  };
}

// After these events the program looks for another move to make.
const BEGINS = new Set(["ITERATION", "UNDO", "RESUME", "BEST"]);

// Whether an event is meant. ply: its ply less that of the current node. The server has the same list.
const AIMS = {
  into: (kind) => kind === "ENTER" || kind === "RETURN",
  over: (kind, ply) => ply <= 0,
  out: (kind, ply) => ply < 0,
  cutoff: (kind) => kind === "CUT_OFF",
  hit: (kind, ply, { use }) => kind === "ENTRY" && use !== UNUSED,
  best: (kind) => kind === "BEST",
  recapture: (kind, ply, { reply_depth: replyDepth, depth }) => kind === "DEPTH" && replyDepth === depth,
  iteration: (kind) => kind === "ITERATION",
};
