// Moves and times as text.

const FIGURES = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘" };

let figurine = false; // Pieces are written as figures, not as letters.

export const isFigurine = () => figurine;
export const setFigurine = (value) => (figurine = value);

// U+FE0E asks for a letter rather than a coloured picture.
export const written = (san) => (figurine ? san.replace(/[KQRBN]/g, (letter) => `${FIGURES[letter]}\uFE0E`) : san);

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

// Number and side of the move after a position (FEN).
export function numberOf(fen) {
  const fields = fen.split(" ");
  return { number: Number(fields[5] ?? 1), white: fields[1] === "w" };
}

export function clockText(seconds) {
  const whole = Math.max(0, seconds < 10 ? Math.floor(seconds * 10) / 10 : Math.ceil(seconds));
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  const rest = seconds < 10 ? (whole % 60).toFixed(1).padStart(4, "0") : String(whole % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

// A line of moves (SAN) after a position, each with its number where it needs one.
export function numbered(fen, sans) {
  const { number, white } = numberOf(fen);
  return sans.map((san, index) => {
    const ply = index + (white ? 0 : 1);
    const prefix = ply % 2 === 0 ? `${number + ply / 2}. ` : index === 0 ? `${number}… ` : "";
    return prefix + written(san);
  });
}
