// Numeric annotation glyphs (NAGs) of PGN as signs and words.

// For a move, and for the position after it: [number, sign, words].
export const OF_MOVES = [
  [1, "!", "good move"],
  [2, "?", "mistake"],
  [3, "!!", "brilliant move"],
  [4, "??", "blunder"],
  [5, "!?", "interesting move"],
  [6, "?!", "dubious move"],
];
export const OF_POSITIONS = [
  [10, "=", "equal"],
  [13, "∞", "unclear"],
  [14, "+=", "White is slightly better"], // Most systems have no font with U+2A72 and U+2A71.
  [15, "=+", "Black is slightly better"],
  [16, "±", "White is better"],
  [17, "∓", "Black is better"],
  [18, "+−", "White is winning"],
  [19, "−+", "Black is winning"],
];
const OTHERS = {
  "□": [7],
  "⊙": [22, 23],
  "↻": [32, 33],
  "↑": [36, 37],
  "→": [40, 41],
  "=∞": [44, 45],
  "⇆": [132, 133],
  "⊕": [138, 139],
  "∆": [140],
  N: [146],
};
const KNOWN = new Map([...OF_MOVES, ...OF_POSITIONS].map(([number, ...rest]) => [number, rest]));
for (const [sign, numbers] of Object.entries(OTHERS)) for (const number of numbers) KNOWN.set(number, [sign]);
const NAMES = { 2: "mistake", 4: "blunder", 6: "inaccuracy" };
export const ERRORS = ["inaccuracy", "mistake", "blunder"];

// The signs after a move, those of the position apart.
export const signs = (nags = []) =>
  nags.map((nag) => (nag < 10 ? "" : " ") + (KNOWN.get(nag)?.[0] ?? `$${nag}`)).join("");

export const inWords = (nags = []) =>
  nags
    .map((nag) => KNOWN.get(nag)?.[1])
    .filter(Boolean)
    .join(", ");

// The kind of error that a move is marked as, or "".
export const errorOf = (nags = []) => NAMES[nags.find((nag) => nag in NAMES)] ?? "";

// The ply of the next mistake or blunder after a ply, or of the first one; undefined if there is none. Inaccuracies
// count where there is nothing worse. nodes: of a game, by ply, each with the position after it. side: whose errors; ""
// for both.
export function nextError(nodes, after, side = "") {
  const isBy = ({ fen }) => !side || (fen.split(" ")[1] === "b") === (side === "white");
  const errors = nodes.flatMap((node, ply) => (errorOf(node.nags) && isBy(node) ? [ply] : []));
  const worse = errors.filter((ply) => errorOf(nodes[ply].nags) !== "inaccuracy");
  const plies = worse.length ? worse : errors;
  return plies.find((ply) => ply > after) ?? plies[0];
}
