// Squares, pieces and moves as micro-Max has them: a8 = 0x00 to h1 = 0x77. A piece is its type, 1 to 7, plus 8 for White or
// 16 for Black, plus 32 while it has not moved.

export const [WHITE, BLACK, BOTH, VIRGIN, DUMMY, OFF, INFINITY, MATE] = [8, 16, 24, 32, 0x80, 0x88, 8000, 4000];
export const [KING, BISHOP, QUEEN] = [4, 5, 7];

const ROLES = ["piece", "pawn", "pawn", "knight", "king", "bishop", "rook", "queen"];
const LETTERS = ["", "", "", "N", "K", "B", "R", "Q"];
const STEPS = [-16, -15, -17, 0, 1, 16, 0, 1, 16, 15, 17, 0, 14, 18, 31, 33, 0];
const FIRST_STEP = [0, 7, -1, 11, 6, 8, 3, 6];

export const role = (piece) => ROLES[piece & 7];
export const letter = (piece) => LETTERS[piece & 7];
export const color = (piece) => (piece & WHITE ? "white" : "black");
export const sideName = (side) => (side === WHITE ? "White" : "Black");
export const hex = (number) => `0x${(number & 0xff).toString(16).padStart(2, "0")}`;
export const isOnBoard = (square) => (square & OFF) === 0;
export const squareName = (square) => (isOnBoard(square) ? "abcdefgh"[square & 7] + (8 - (square >> 4)) : hex(square));
export const pieceName = (piece) => (piece & 7 ? `${color(piece)} ${role(piece)}` : "nothing");
export const nextOfScan = (square) => (square + 9) & ~OFF;

// A move much as people write it: Nf3, e×d5, O-O.
export function moveName(piece, from, to, captured) {
  if ((piece & 7) === KING && Math.abs(to - from) === 2) return to > from ? "O-O" : "O-O-O";
  const first = (piece & 7) <= 2 ? (captured & 7 ? squareName(from)[0] : "") : letter(piece);
  return `${first}${captured & 7 ? "×" : ""}${squareName(to)}`;
}

// The pseudo-legal moves of a side, in the order of the listing's three loops, from a square on.
// Each is [from, to, captured]. castles: with the castling moves.
export function movesFrom(board, side, passant, start = 0) {
  const found = [];
  let from = start;
  do {
    const piece = board[from];
    if (piece & side) crawl(board, side, passant, from, piece, found);
    from = nextOfScan(from);
  } while (from !== start);
  return found;
}

function crawl(board, side, passant, from, piece, found) {
  const type = piece & 7;
  let step = type;
  let index = FIRST_STEP[type];
  for (;;) {
    step = type > 2 && step < 0 ? -step : -STEPS[++index];
    if (!step) return;
    let to = from;
    let rook = DUMMY;
    for (let captured = 0; !captured; ) {
      to += step;
      if (to & OFF) break;
      captured = board[type <= 2 && to === passant ? to ^ 16 : to];
      if (captured & side || (type <= 2 && ((step & 7) === 0) !== (captured === 0))) break;
      found.push([from, to, captured]);
      captured += type < BISHOP ? 1 : 0;
      const corner = (from | 7) - ((step >> 1) & 7);
      if (type <= 2 ? 6 * side + (to & 0x70) === 0x80 : type === KING && piece & VIRGIN && index === 7 && rook & OFF && board[corner] & VIRGIN && !board[corner ^ 1] && !board[corner ^ 2]) {
        captured -= 1;
        rook = type === KING ? corner : rook;
      }
    }
  }
}
