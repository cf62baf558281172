// Squares, pieces and moves as micro-Max has them: a8 = 0x00 to h1 = 0x77. A piece is its type, 1 to 7, plus 8 for
// White or 16 for Black, plus 32 while it has not moved.

export const [WHITE, BLACK, BOTH, VIRGIN, DUMMY, OFF, INFINITY, MATE] = [8, 16, 24, 32, 0x80, 0x88, 8000, 4000];
export const KING = 4;

const ROLES = ["piece", "pawn", "pawn", "knight", "king", "bishop", "rook", "queen"];
const LETTERS = ["", "", "", "N", "K", "B", "R", "Q"];

export const role = (piece) => ROLES[piece & 7];
export const letter = (piece) => LETTERS[piece & 7];
export const color = (piece) => (piece & WHITE ? "white" : "black");
export const sideName = (side) => (side === WHITE ? "White" : "Black");
export const hex = (number) => `0x${(number & 0xff).toString(16).padStart(2, "0")}`;
export const isOnBoard = (square) => (square & OFF) === 0;
export const squareName = (square) => (isOnBoard(square) ? "abcdefgh"[square & 7] + (8 - (square >> 4)) : hex(square));
export const pieceName = (piece) => (piece & 7 ? `${color(piece)} ${role(piece)}` : "nothing");

// A move much as people write it: Nf3, e×d5, O-O.
export function moveName(piece, from, to, captured) {
  if ((piece & 7) === KING && Math.abs(to - from) === 2) return to > from ? "O-O" : "O-O-O";
  const first = (piece & 7) <= 2 ? (captured & 7 ? squareName(from)[0] : "") : letter(piece);
  return `${first}${captured & 7 ? "×" : ""}${squareName(to)}`;
}
