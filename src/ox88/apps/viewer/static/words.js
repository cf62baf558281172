// Moves, times and annotations as text.

const FIGURES = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘" };
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"; // The first position of a game.

let figurine = false; // Pieces are written as figures, not as letters.
export const isFigurine = () => figurine;
export const setFigurine = (value) => (figurine = value);

// U+FE0E asks for a letter rather than a coloured picture.
export const written = (san) => (figurine ? san.replace(/[KQRBN]/g, (letter) => `${FIGURES[letter]}\uFE0E`) : san);

// Such as "1 game" and "2,000 games".
export const plural = (number, noun) => `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// Number and side of the move after a position (FEN).
export function numberOf(fen) {
  const fields = fen.split(" ");
  return { number: Number(fields[5] ?? 1), white: fields[1] === "w" };
}

// The letters of a FEN's 64 squares, from a8 to h1; a space is an empty square.
export function lettersOf(fen) {
  const ranks = fen.split(" ")[0].replaceAll("/", "");
  return [...ranks.replace(/\d/g, (count) => " ".repeat(count))];
}

export const turnOf = (fen) => (numberOf(fen).white ? "white" : "black");

export function clockText(seconds) {
  const whole = Math.max(0, seconds < 10 ? Math.floor(seconds * 10) / 10 : Math.ceil(seconds));
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  const rest = seconds < 10 ? (whole % 60).toFixed(1).padStart(4, "0") : String(whole % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

// A line of moves, { san } each, after a position: their words, with a number where one is needed.
export function numbered(fen, moves) {
  const { number, white } = numberOf(fen);
  return moves.map(({ san }, index) => {
    const ply = index + (white ? 0 : 1);
    const prefix = ply % 2 === 0 ? `${number + ply / 2}. ` : index === 0 ? `${number}… ` : "";
    return prefix + written(san);
  });
}

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
// Numbers, each with its sign.
const OTHERS = "7□ 22⊙ 23⊙ 32↻ 33↻ 36↑ 37↑ 40→ 41→ 44=∞ 45=∞ 132⇆ 133⇆ 138⊕ 139⊕ 140∆ 146N";
const KNOWN = new Map([...OF_MOVES, ...OF_POSITIONS].map(([number, ...rest]) => [number, rest]));
for (const [, number, sign] of OTHERS.matchAll(/(\d+)(\S+)/g)) KNOWN.set(Number(number), [sign]);
const NAMES = { 2: "mistake", 4: "blunder", 6: "inaccuracy" };
export const ERRORS = ["inaccuracy", "mistake", "blunder"];

// The signs after a move, those of the position apart.
export const signs = (nags = []) =>
  nags.map((nag) => (nag < 10 ? "" : " ") + (KNOWN.get(nag)?.[0] ?? `$${nag}`)).join("");

export const glyphsInWords = (nags = []) => nags.flatMap((nag) => KNOWN.get(nag)?.[1] ?? []).join(", ");

// The kind of error that a move is marked as, or "".
export const errorOf = (nags = []) => NAMES[nags.find((nag) => nag in NAMES)] ?? "";

// The ply of the next mistake or blunder after a ply, or of the first one; undefined if there is none. Inaccuracies
// count where there is nothing worse. nodes: the positions of a game, by ply. side: whose errors; "" for both.
export function nextError(nodes, after, side = "") {
  const isBy = ({ fen }) => side !== turnOf(fen);
  const errors = nodes.flatMap((node, ply) => (errorOf(node.nags) && isBy(node) ? [ply] : []));
  const worse = errors.filter((ply) => errorOf(nodes[ply].nags) !== "inaccuracy");
  const plies = worse.length ? worse : errors;
  return plies.find((ply) => ply > after) ?? plies[0];
}

// --- The commands in comments of a PGN, such as [%clk 0:01:00]: clocks, and what is drawn on the board ---

const BRUSHES = { G: "green", R: "red", Y: "yellow", B: "blue" };
const SHAPE = "[GRYB](?:[a-h][1-8]){1,2}";
const DRAWN = new RegExp(`\\[%c[as]l (${SHAPE}(?: ?, ?${SHAPE})*) ?\\]`, "g");

// Arrows and marked squares: { brush, orig, dest }, without a dest for a square. A note is { commands }.
export function shapesOf({ commands = "" }) {
  const items = [...commands.matchAll(DRAWN)].flatMap(([, list]) => list.split(/ ?, ?/));
  return items.map(([letter, ...square]) => {
    const [orig, dest] = square.join("").match(/../g);
    return { brush: BRUSHES[letter], orig, ...(dest && dest !== orig ? { dest } : {}) };
  });
}

export const shapeInWords = ({ brush, orig, dest }) =>
  dest ? `${brush} arrow ${orig} ${dest}` : `${brush} circle ${orig}`;

// Shapes after one more: one that is there already is erased, one of another colour replaced.
export function drawnOn(shapes, { brush, orig, dest }) {
  const others = shapes.filter((shape) => shape.orig !== orig || shape.dest !== dest);
  const isThere = shapes.some((shape) => shape.brush === brush && !others.includes(shape));
  return isThere ? others : [...others, { brush, orig, dest }];
}

// The commands with other shapes.
export function withShapes({ commands = "" }, shapes) {
  const words = (those) => those.map(({ brush, orig, dest = "" }) => brush[0].toUpperCase() + orig + dest).join(",");
  const [squares, arrows] = [words(shapes.filter(({ dest }) => !dest)), words(shapes.filter(({ dest }) => dest))];
  const drawn = [squares && `[%csl ${squares}]`, arrows && `[%cal ${arrows}]`];
  return [commands.replace(DRAWN, "").replace(/\s+/g, " ").trim(), ...drawn].filter(Boolean).join(" ");
}

// The arrow of a move.
export const arrowOf = (uci, brush) => ({ brush, orig: uci.slice(0, 2), dest: uci.slice(2, 4) });

function seconds(commands, name) {
  const found = commands?.match(`\\[%${name} ([\\d:.]+) ?\\]`)?.[1];
  const sum = found?.split(":").reduce((total, part) => 60 * total + Number(part), 0);
  return Number.isFinite(sum) ? sum : null;
}

// What a side's clock shows after its last move, and how long this move took; null if that is not written. nodes: the
// moves so far, each with the position after it.
export function timesOf(nodes, side) {
  const own = nodes.filter(({ fen }) => (fen.split(" ")[1] === "b") === (side === "white"));
  const clock = own.findLast(({ commands }) => seconds(commands, "clk") !== null);
  return { clock: clock ? seconds(clock.commands, "clk") : null, spent: seconds(own.at(-1)?.commands, "emt") };
}
