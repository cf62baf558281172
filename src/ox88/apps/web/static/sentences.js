// One sentence for each event, and why a node returned.

import { BOTH, DUMMY, hex, INFINITY, isOnBoard, moveName, pieceName, role, sideName, squareName } from "./board88.js";
import { ANSWER, UNUSED } from "./replay.js";
import { isMate, scoreText, signed } from "./thinkviews.js";
import { plural, whole } from "./words.js";

const at = (square) => `${squareName(square)} (${hex(square)})`;
const BOUNDS = ["", "at least", "at most", "exactly"];

// "" for a knight's jump.
function directionOf(step) {
  const rows = Math.round(step / 16);
  const files = step - 16 * rows;
  if (Math.abs(rows) > 1 || Math.abs(files) > 1) return "";
  return [["north", "", "south"][rows + 1], ["west", "", "east"][files + 1]].filter(Boolean).join("-");
}

const beyond = (to) =>
  to & 8
    ? `bit 0x08 of ${hex(to)} is set, beyond the a- or h-file`
    : `bit 0x80 of ${hex(to)} is set, beyond the first or last rank`;

const SAY = {
  ENTER: (frame, { alpha, beta, wantedDepth: depth, side }) => {
    if (frame.isProbe)
      return `${sideName(BOTH - side)} passes (a null move), to see whether ${sideName(side)} could take the king.`;
    const window = `The window is ${scoreText(alpha)} to ${scoreText(beta)}`;
    if (!frame.move)
      return (
        `The search begins at the root, where ${sideName(side)} is to move. ` +
        `It is searched to depth 1, then 2, and so on, until the node limit. ${window}.`
      );
    const how = frame.isRecapture ? "It is a recapture, so it costs no depth. " : "";
    const reply = `The reply to ${moveName(frame.move)}: ${sideName(side)} searches to depth ${depth}. ${how}`;
    return `${reply}${window}: the other side's window, its ends swapped and their signs turned.`;
  },
  KEYS: (frame, { enPassant: passant }) =>
    "The hash key of the position leads to nine entries of the hash table. The en passant square, which the last " +
    `move passed, is ${isOnBoard(passant & 0xff) ? at(passant) : "none"}.`,
  PROBE: (frame, { probe, found }) =>
    `Entry ${probe} of nine is looked at: ` +
    `${["it is empty", "it holds another position", "it holds this position"][found]}.`,
  ENTRY: (frame) => tableWords({ frame }),
  NODE: (frame, { number }) => `The hash table has no answer, so this is counted as node ${whole(number)}.`,
  ITERATION: (frame, { depth, bestScore: best }) => {
    const first = frame.hint ? ` The best move so far, ${moveName(frame.best)}, is tried first.` : "";
    const start =
      depth === 1
        ? `The best score starts at the evaluation, ${scoreText(best)}: the side may stand pat.`
        : "The best score starts at −∞: a move must be found.";
    return `An iteration to depth ${depth} begins. ${start}${first}`;
  },
  SQUARE: (frame, { square, piece, isOwn }) => {
    const found = piece & 7 ? `a ${pieceName(piece)}, which is not ${sideName(frame.side)}'s` : "it is empty";
    return `The scan comes to ${at(square)}: ${isOwn ? `its ${role(piece)} is looked at` : found}.`;
  },
  DIRECTION: (frame, { step }) => {
    if (step === 0) return `A zero ends the list of directions: the ${role(frame.piece)} has no more of them.`;
    const turns = directionOf(step) ? `turns ${directionOf(step)}` : "takes another jump";
    return `The ${role(frame.piece)} on ${squareName(frame.from)} ${turns}: ${signed(step)} from square to square.`;
  },
  TARGET: (frame, { from, to, step, isHint }) =>
    isHint
      ? `The best move goes first: the ${role(frame.piece)} is put on ${at(to)} at once, in place of the first ` +
        "square of a direction."
      : `The ${role(frame.piece)} from ${squareName(from)} goes ${directionOf(step) || "by a jump"} to ` +
        `${isOnBoard(to) ? at(to) : hex(to)}.`,
  REJECT: (frame, { reason, to, piece }) =>
    [
      `${hex(to)} is off the board: ${beyond(to)}.`,
      `The own ${role(piece)} on ${squareName(to)} is in the way.`,
      `The pawn cannot go straight to ${squareName(to)}: a ${pieceName(piece)} stands there.`,
      `The pawn cannot go to ${squareName(to)}: there is nothing to capture.`,
    ][reason],
  MOVE: (frame, { to, captured, captureSquare: square }) =>
    captured & 7
      ? `The move captures the ${pieceName(captured)} on ${squareName(square)}${square === to ? "" : ", en passant"}.`
      : `The square ${squareName(to)} is empty, so the ${role(frame.piece)} may go there.`,
  KING_TAKEN: (frame, { to, captured }) =>
    role(captured) === "king"
      ? `The ${role(frame.piece)} takes the king on ${squareName(to)}: the move before was illegal.`
      : `The ${role(frame.piece)} reaches ${squareName(to)}, on or beside the en passant square: the king has ` +
        "castled out of check or through it, so that was illegal.",
  CUT_OFF: (frame, { bestScore: best, beta }) =>
    `A cutoff: the score ${scoreText(best)} has reached beta, ${scoreText(beta)}. The other side will not allow ` +
    "this, so no other move is tried.",
  DEPTH: (frame, { replyDepth: reply, depth }) =>
    reply === depth
      ? `It takes back on ${squareName(frame.to)}, where the last move went: a recapture costs no depth, so the ` +
        `reply is searched to depth ${reply}.`
      : reply === 0
        ? "No depth is left for a reply, so this move is not searched."
        : `The reply will be searched to depth ${reply}, one less than ${depth}.`,
  GAIN: (frame, { material, positional }) =>
    `${material ? `It gains ${scoreText(material)} of material` : "No material is gained"}, and the position ` +
    `changes by ${signed(positional)} points.`,
  DO: (frame, { rookFrom: rook }) => {
    const isDummy = rook === DUMMY || rook === -DUMMY;
    const rest = isDummy
      ? "; there is no castling rook, so the dummy square is emptied in its place"
      : `, and the rook from ${squareName(rook)} goes to ${squareName(frame.done.passed)}`;
    return `The move ${moveName(frame.done)} is made${rest}.`;
  },
  KEY_CHANGE: () => "The hash key and its lock change by the random numbers of the pieces that moved.",
  SCORE: (frame, { score, penalty }) => {
    const isIllegal = frame.tries.at(-1)?.verdict === "illegal";
    const what = isIllegal ? "The king can be taken: the move is illegal and has" : "The move has";
    return `${what} the score ${scoreText(score)}${penalty ? ", a point less because the gain comes later" : ""}.`;
  },
  UNDO: (frame, move) => `The move ${moveName(move)} is taken back.`,
  RESUME: (frame, { from, score }) =>
    `The best move has been tried first: its score ${scoreText(score)} is the one to beat. The ` +
    `${role(frame.piece)} on ${squareName(from)} starts its direction again.`,
  BEST: (frame, { bestScore: best }) => `A new best move, ${moveName(frame.best)}, with ${scoreText(best)}.`,
  SECOND_STEP: (frame, { passed, rookFrom: rook }) =>
    isOnBoard(rook & 0xff)
      ? `The king may castle: it goes one square further, over ${squareName(passed)}.`
      : `The pawn may go one square further, over ${squareName(passed)}.`,
  MATE_PROBE: (frame, { side }) =>
    `Every move of ${sideName(side)} loses the king. Is it checkmate or stalemate? The other side is asked ` +
    "whether it could take the king now.",
  MATE: (frame, { score }) => (score < 0 ? "It could: this is checkmate." : "It could not: this is stalemate, a draw."),
  STORE: (frame, { score, depth, bound }) =>
    `The result goes into the hash table: ${BOUNDS[bound]} ${scoreText(score)} at depth ${depth}.`,
  NOT_STORED: (frame, { reason }) =>
    `The result is not stored: ${reason === 1 ? "there is no entry for it" : "the entry has a deeper, exact score"}.`,
  LOG: (frame, { score, nodes }) =>
    `The root has finished its iteration to depth ${frame.depth}, with ${whole(nodes)} nodes counted: ` +
    `${frame.best ? moveName(frame.best) : "no move"}, ${scoreText(score)}.`,
  RETURN: (frame) => why(frame),
};

// The sentence of the event that has just happened.
export const sentence = ({ event, frame }) =>
  event ? SAY[event.kind](frame, event.values) : "The search is about to go on.";

const WHY = [
  (score) => `the hash table answered with ${score}`,
  () => "it takes the king: the move before was illegal",
  (score) => `it is checkmate: ${score}`,
  () => "it is stalemate: 0",
  (score) => `${score} reaches beta, so the other moves need no search`,
  (score) => `no move is better than alpha: at most ${score}`,
  (score) => `${score} is exact: between alpha and beta`,
  () => "the move is made on the board",
];

const why = ({ returned: { score, reason } }) =>
  `The node returns ${scoreText(score)}: ${WHY[reason](scoreText(score))}.`;

// Why the node has returned, or what it is doing.
export function whyReturned({ frame }) {
  if (!frame) return "";
  if (frame.returned) return why(frame);
  if (frame.isShut) return "A cutoff: the score has reached beta, and the node is about to return.";
  if (frame.depth === 0) return "The hash table is asked first.";
  if (frame.bestScore === INFINITY) return "It takes the king.";
  const { tries, depth, bestScore } = frame;
  return `${plural(tries.length, "move")} tried at depth ${depth}.${isMate(bestScore) ? " A mate is seen." : ""}`;
}

// What the hash table has said about the node.
export function tableWords({ frame }) {
  const entry = frame?.entry;
  if (!entry && frame?.probes.length) return "The entries are being looked at.";
  if (!entry) return frame?.node ? "The hash table was asked before the steps that are loaded here." : "";
  if (entry.use === UNUSED) return "The position is not in the hash table.";
  const { use, bound, score, depth, best, bestTo } = entry;
  const known = `${BOUNDS[bound]} ${scoreText(score)}`;
  if (use === ANSWER) return `The answer is here: ${known} at depth ${depth}. The node needs no search.`;
  const hint = best && bestTo & DUMMY ? `, and ${moveName(best)} is tried first` : ""; // Castling cannot be.
  const done = depth ? `, but depth ${depth} is done${hint}` : "";
  return `The position is here, with ${known}; that is no answer to this search${done}.`;
}

// What has just happened to the window of the node, or to a score in it.
export function windowNote({ event, frame, line }) {
  if (event?.kind === "ENTER" && frame.move) return turnedNote(line.at(-2));
  if (event?.kind === "SCORE" && event.values.penalty) return "one point less: the gain comes later";
  return "";
}

// above: the node above, whose window has been turned.
const turnedNote = ({ alpha, bestScore, beta, evaluation }) =>
  `turned: −beta${beta > evaluation ? " − 1" : ""} is alpha, −${bestScore > alpha ? "best" : "alpha"} is beta`;

// Why the program tries a move next. question: see Replay.nextChoice.
export function whyTried({ hint, tried: [from, to, captured], depth, lastTo, scanStart, isFirst, board }) {
  if (hint) return "It was the best move of a shallower search, so it is tried first.";
  const recapture = depth === 1 && to === lastTo && captured ? " At depth 1 only a recapture is searched." : "";
  const order = isFirst ? `The scan begins on ${squareName(scanStart)}` : "The scan goes on";
  const next = `the ${role(board[from])} on ${squareName(from)} comes with its directions in their order`;
  return `${order}, and ${next}; nothing else decides.${recapture}`;
}
