// Squares, pieces and moves as micro-Max has them: a8 = 0x00 to h1 = 0x77. A piece is its type, 1 to 7, plus 8 for
// White or 16 for Black, plus 32 while it has not moved.

export const [WHITE, BLACK, BOTH, VIRGIN, DUMMY, OFF, INFINITY, MATE] = [8, 16, 24, 32, 0x80, 0x88, 8000, 4000];
export const KING = 4;
export const ROOT = 8; // In place of the last move's square, at the root.

const ROLES = ["piece", "pawn", "pawn", "knight", "king", "bishop", "rook", "queen"];
const LETTERS = ["", "", "", "N", "K", "B", "R", "Q"];
const [FILES, TYPES] = ["abcdefgh", " PpNKBRQ"];

export const role = (piece) => ROLES[piece & 7];
export const letter = (piece) => LETTERS[piece & 7];
export const color = (piece) => (piece & WHITE ? "white" : "black");
export const sideName = (side) => (side === WHITE ? "White" : "Black");
export const hex = (number) => `0x${(number & 0xff).toString(16).padStart(2, "0")}`;
export const isOnBoard = (square) => (square & OFF) === 0;
export const squareName = (square) => (isOnBoard(square) ? FILES[square & 7] + (8 - (square >> 4)) : hex(square));
export const pieceName = (piece) => (piece & 7 ? `${color(piece)} ${role(piece)}` : "nothing");

// A move as this page writes it: Ng1–f3, e4×d5, a7–a8=Q, O-O. micro-Max tries illegal moves too, so the short form,
// which leaves out where a piece comes from, would not say enough.
export function moveName({ piece, from, to, captured }) {
  if ((piece & 7) === KING && Math.abs(to - from) === 2) return to > from ? "O-O" : "O-O-O";
  const isPawn = (piece & 7) <= 2;
  const takes = captured & 7 || (isPawn && (to - from) & 7); // En passant the square is empty.
  const queen = isPawn && (to >> 4) % 7 === 0 ? "=Q" : "";
  return `${letter(piece)}${squareName(from)}${takes ? "×" : "–"}${squareName(to)}${queen}`;
}

// The name of a move that the server writes as g1f3, in the position of a FEN.
export function nameIn(fen, uci) {
  const rows = fen
    .split(" ")[0]
    .replace(/\d/g, (count) => " ".repeat(Number(count)))
    .split("/");
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)].map(([file, rank]) => 16 * (8 - rank) + FILES.indexOf(file));
  const [piece, captured] = [from, to].map((square) => typeOf(rows[square >> 4][square & 7]));
  return moveName({ piece, from, to, captured });
}
const typeOf = (letter) => TYPES.indexOf(letter === "p" ? letter : letter.toUpperCase());
