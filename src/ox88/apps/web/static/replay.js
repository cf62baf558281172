// The state of the search at each event of a window. An event is a row of numbers: kind, ply and values, which
// engines/micromax/events.py explains. To go back, the window is played again from its start, in a millisecond.

import { DUMMY, INFINITY, isOnBoard, OFF, VIRGIN } from "./board88.js";

const ROOK = 6;
const HINT = 8;
const FOUND = ["empty", "other", "hit"]; // What a probe finds, ...
export const [UNUSED, ANSWER, START] = [0, 1, 2]; // ... how an entry is used, ...
const [ANSWERED, TOOK_KING, REACHED_BETA] = [0, 1, 4]; // ... and why a node returns.
export const STEPPING = new Set(["TARGET", "REJECT", "MOVE", "KING_TAKEN", "DEPTH"]); // A piece is on its way to `to`.

// The server writes best_from, a script bestFrom.
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const inCamel = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [camel(name), value]));

const NO_BEST = { best: null, bestScore: null, bestFrom: 0, bestTo: 0 }; // The best move.
const NO_SCAN = { scanStart: 0, from: DUMMY, piece: 0, step: 0, to: DUMMY };

// A node: the values of its events ENTER, KEYS and ITERATION by their names, and what has come of it so far.
/** @returns {any} */
const newFrame = (fields) => ({
  node: null, // Its number, if it is counted.
  event: 0, // That counted it.
  move: null, // That led to it; a probe for mate follows none.
  probes: [],
  moves: [],
  tries: [], // Frames of the nodes below it, one for each move that it has tried.
  depth: 0,
  ...NO_BEST,
  ...NO_SCAN,
  isProbe: false,
  verdict: "open",
  score: null, // For the node above.
  nodes: 0, // Below it, and so many in the search before it:
  nodesBefore: 0,
  ...fields,
});

// What each kind of event does, apart from ENTER and the way of a piece. It returns marks of squares.
const APPLY = {
  ENTER: (frame, values) => void Object.assign(frame, values),
  KEYS: (frame, values) => void Object.assign(frame, values, { enPassant: values.enPassant & 0xff, probes: [] }),
  PROBE(frame, { index, found }, state) {
    frame.probes.push({ index, found: FOUND[found] });
    state.cells.set(index, FOUND[found] !== "empty");
  },
  ENTRY(frame, entry, { board }) {
    const { use, depth, bestFrom, bestTo } = entry;
    const best = bestOf(frame, board, bestFrom, bestTo);
    frame.entry = { ...entry, best };
    if (use === START) Object.assign(frame, { depth, bestFrom, bestTo, best });
  },
  NODE(frame, { number }, state) {
    frame.node = state.node = number;
    frame.moves = state.moves[number - state.before - 1];
  },
  ITERATION(frame, values, { board, without }) {
    const { bestFrom, bestTo } = values;
    const best = bestOf(frame, board, bestFrom, bestTo);
    const scanStart = without.includes("best") ? 0 : bestFrom;
    const scan = { hint: (bestTo & HINT) !== 0, scanStart, from: DUMMY, to: DUMMY };
    Object.assign(frame, values, scan, { best, isShut: false, tries: [] });
  },
  SQUARE: (frame, { square, piece }) => void Object.assign(frame, { from: square, piece, to: DUMMY, step: 0 }),
  DIRECTION: (frame, { step }) => void Object.assign(frame, { step, to: DUMMY }),
  TARGET: (frame, { from, to, step }, { board }) => void Object.assign(frame, { from, to, step, piece: board[from] }),
  REJECT: (frame, { to }) => (isOnBoard(to) ? { [to]: "hit" } : {}),
  MOVE(frame, { to, captured, captureSquare }) {
    Object.assign(frame, { to, captured });
    return { [captureSquare]: "to" };
  },
  KING_TAKEN(frame, { to }) {
    frame.bestScore = INFINITY;
    return { [to]: "hit" };
  },
  CUT_OFF(frame, { to }) {
    Object.assign(frame, { isShut: true, to });
    return { [to]: "to" };
  },
  DEPTH(frame, reply) {
    frame.reply = reply;
    return { [reply.to]: "to" };
  },
  DO(frame, { from, to, placed, captureSquare, rookFrom, passed }, { board }) {
    const done = { piece: board[from], from, to, captured: board[captureSquare], passed };
    for (const square of [rookFrom, captureSquare, from]) board[square] = 0;
    board[to] = placed;
    if (isOnBoard(rookFrom)) board[passed] = frame.side + ROOK;
    Object.assign(frame, { done, from, piece: done.piece });
    return { [from]: "from", [to]: "to", [rookFrom]: "written" };
  },
  SCORE(frame, { score }) {
    const tried = frame.tries.at(-1);
    if (tried) tried.score = score;
  },
  UNDO(frame, { from, to, piece, captured, captureSquare, rookFrom }, { board }) {
    const passed = isOnBoard(rookFrom) ? (from + to) >> 1 : DUMMY;
    board[rookFrom] = frame.side + VIRGIN + ROOK;
    for (const square of [passed, to]) board[square] = 0;
    board[from] = piece;
    board[captureSquare] = captured;
    Object.assign(frame, { done: null, from, piece });
    return { [to]: "to", [from]: "from", [rookFrom]: "written", [passed]: "written" };
  },
  RESUME(frame, { score }) {
    Object.assign(frame, { bestScore: score, hint: false, to: DUMMY });
    const tried = frame.tries.at(-1);
    if (tried && tried.verdict !== "illegal") tried.verdict = "best";
  },
  BEST(frame, { bestScore, from, bestTo }, { board }) {
    Object.assign(frame, { bestScore, bestFrom: from, bestTo, best: bestOf(frame, board, from, bestTo) });
    const tried = frame.tries.at(-1);
    if (tried) tried.verdict = "best";
    const to = bestTo & 0x7f;
    return isOnBoard(to) ? { [to]: "to" } : {};
  },
  MATE: (frame, { score }) => void (frame.bestScore = score),
  STORE(frame, { index }, state) {
    if (!state.cells.get(index)) state.filled += 1;
    state.cells.set(index, true);
  },
  RETURN(frame, returned, state) {
    frame.returned = returned;
    frame.nodes = frame.node === null ? 0 : state.node - frame.node + 1;
    const isAnswer = frame.entry?.use === ANSWER;
    frame.verdict =
      returned.score === INFINITY ? "illegal" : isAnswer ? "answer" : frame.isShut ? "refuted" : "searched";
  },
};

export class Replay {
  // answer: a window of the server. without: what the search leaves out.
  constructor({ first, events, width, kinds, aims, start, moves, size, last }, without = []) {
    this.first = first; // Number of its first event in the search.
    this.end = first + events.length / width; // Of the first event after it.
    this.width = width;
    this.kinds = kinds.map(([kind, names]) => [kind, names.map(camel)]); // From 1 on.
    this.aims = aims;
    this.isLast = last;
    this.events = Int32Array.from(events);
    this.start = start;
    this.fixed = { moves, size, without }; // moves: of each node that is counted here. size: of the table.
    this.#rewind();
  }

  has = (at) => at >= this.first && at < this.end;
  kindAt = (at) => this.kinds[this.events[(at - this.first) * this.width] - 1][0];
  plyAt = (at) => this.events[(at - this.first) * this.width + 1];

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
    const { board, line: open, node, filled } = inCamel(this.start);
    const line = lineOf(open.map(inCamel));
    if (line.length) line.at(-1).nodesBefore = node;
    const cells = new Map(line.map(({ cell, isFilled }) => [cell, isFilled === 1])); // True: the entry holds a result.
    const still = { event: null, marks: {}, ghost: null };
    const frame = line.at(-1) ?? null;
    this.state = { ...this.fixed, ...still, board: [...board], line, frame, node, before: node, filled, cells };
    this.at = this.first - 1;
  }

  #apply(at) {
    const { state } = this;
    const [kind, ply, values] = [this.kindAt(at), this.plyAt(at), this.valuesAt(at)];
    const { line } = state;
    line.length = kind === "ENTER" ? ply : ply + 1;
    if (kind === "ENTER") {
      const parent = line.at(-1);
      const isRecapture = parent?.done && parent.reply?.replyDepth === parent.depth;
      const move = parent?.done ?? null;
      line.push(newFrame({ nodesBefore: state.node, move, isRecapture, isProbe: Boolean(parent && !move) }));
      parent?.tries.push(line[ply]);
    }
    const frame = line[ply];
    const marks = APPLY[kind]?.(frame, values, state) ?? {};
    const isCrawling = STEPPING.has(kind) || kind === "DIRECTION";
    const ghost = isCrawling ? { square: values.to ?? frame.from, piece: frame.piece } : null;
    Object.assign(state, { frame, event: { kind, ply, values }, marks, ghost });
    if (kind === "NODE") frame.event = at;
    this.at = at;
  }

  // The node that is searched, or the one above that is counted, and the steps since it was counted.
  get place() {
    const frame = this.state.line.findLast(({ node }) => node !== null);
    return frame ? { node: frame.node, step: this.at - frame.event } : { node: 1, step: 0 };
  }

  ply = () => (this.state.event ? this.state.event.ply : Math.max(0, this.state.line.length - 1));

  // The number of the next event to which an aim leads; undefined if it is not in this window.
  seek(aim) {
    const { events, above } = this.aims[aim];
    if (events) return events.find((at) => at > this.at);
    const ply = this.ply();
    for (let at = this.at + 1; at < this.end; at++) if (this.plyAt(at) <= ply - above) return at;
    return undefined;
  }

  // The window of the node, for the ruler. turned: where a reply is entered, the ends of the window above that become
  // alpha and beta; is alpha a point less? delayed: the score that has just lost a point, or null.
  window() {
    const { line, frame, event } = this.state;
    const { alpha, beta, evaluation, isShut = false, side } = frame;
    const best = frame.depth === 0 && !frame.returned ? null : frame.bestScore;
    const untried = isShut ? this.#untried(frame) : 0;
    const delayed = event?.kind === "SCORE" && event.values.penalty ? event.values.score : null;
    const above = event?.kind === "ENTER" && frame.move && line.at(-2);
    const lower = above && Math.max(above.bestScore ?? above.alpha, above.alpha);
    const turned = above ? { beta: above.beta, lower, isNudged: above.beta > above.evaluation } : null;
    return { alpha, beta, best, evaluation, isShut, side, untried, turned, delayed };
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
    const { board, frame } = this.state;
    const { hint, depth, scanStart, lastTo, tries } = frame;
    const moves = scanned(frame.moves, scanStart);
    if (moves.length < 3) return null;
    const { from, to } = this.valuesAt(at);
    const tried = moves.find((move) => move[0] === from && move[1] === to) ?? [from, to, board[to]];
    const why = { hint, depth, scanStart, lastTo, isFirst: tries.length === 0 };
    return { at, before, tried, moves, board: [...board], ...why };
  }
}

// Moves in the order of a scan that begins at a square.
const scanned = (moves, start) => [
  ...moves.filter(([from]) => from >= start),
  ...moves.filter(([from]) => from < start),
];

// The nodes that are open where a window starts, with the moves between them. open: as the server has them.
function lineOf(open) {
  const line = open.map((node) =>
    newFrame({
      ...node,
      node: node.number || null,
      bestScore: node.depth ? node.bestScore : null,
      hint: (node.bestTo & HINT) !== 0,
      best: bestOf(node, node.board, node.bestFrom, node.bestTo),
      tries: node.tried.map((tried) => triedFrame(node, tried)),
    }),
  );
  line.slice(1).forEach((frame, ply) => {
    const parent = line[ply];
    parent.tries.push(frame);
    const { fromSquare: from, toSquare: to } = parent;
    frame.isProbe = to !== frame.lastTo; // The probe for mate follows no move.
    if (frame.isProbe) return;
    const done = { ...moveOf(parent, from, to), passed: frame.enPassant };
    Object.assign(parent, { done, from, to, piece: done.piece });
    Object.assign(frame, { move: done, isRecapture: frame.wantedDepth === parent.depth });
  });
  return line;
}

// A best move as the listing has it, with bits of its own in bestTo; null for none.
const bestOf = ({ moves }, board, bestFrom, bestTo) =>
  bestTo > 0 && isOnBoard(bestFrom) ? moveOf({ board, moves }, bestFrom, bestTo & ~OFF) : null;

// A move of an open node.
function moveOf({ board, moves }, from, to) {
  const [, , captured] = moves.find((move) => move[0] === from && move[1] === to) ?? [from, to, board[to]];
  return { piece: board[from], from, to, captured };
}

// A move that an open node has tried before the window.
function triedFrame(open, [from, to, score, reason, nodes, nodesBefore]) {
  const isBest = from === open.bestFrom && to === (open.bestTo & ~OFF);
  const verdicts = { [ANSWERED]: "answer", [TOOK_KING]: "illegal", [REACHED_BETA]: "refuted" };
  const verdict = isBest ? "best" : (verdicts[reason] ?? "searched");
  const node = nodes ? nodesBefore + 1 : null;
  return newFrame({ node, move: moveOf(open, from, to), score, nodes, nodesBefore, verdict });
}

// After these events the program looks for another move to make.
const BEGINS = new Set(["ITERATION", "UNDO", "RESUME", "BEST"]);
