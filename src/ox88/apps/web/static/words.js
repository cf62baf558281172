// Moves as text: with letters or figures on the page, in full words for screen readers.

const FIGURES = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘" };
const NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

let figurine = localStorage.getItem("ox88.notation") === "figures";

export const isFigurine = () => figurine;

export function setFigurine(value) {
  figurine = value;
  localStorage.setItem("ox88.notation", value ? "figures" : "letters");
}

// U+FE0E asks for a letter rather than a coloured picture.
export const written = (san) => (figurine ? san.replace(/[KQRBN]/g, (letter) => `${FIGURES[letter]}\uFE0E`) : san);

export function spoken(san) {
  const ending = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
  const move = san.replace(/[+#]/, "");
  if (move.startsWith("O-O-O")) return `castles on the queen's side${ending}`;
  if (move.startsWith("O-O")) return `castles on the king's side${ending}`;
  const [, piece, from, takes, to, promoted] = move.match(/^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?$/);
  const words = [NAMES[piece] ?? "", from && (piece || !takes ? from : `${from} pawn`), takes ? "takes" : "", to];
  return words.filter(Boolean).join(" ") + (promoted ? `, becomes a ${NAMES[promoted]}` : "") + ending;
}

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

export const count = (nodes) =>
  nodes >= 1e6 ? `${(nodes / 1e6).toFixed(1)} M` : nodes >= 1e3 ? `${Math.round(nodes / 1e3)} k` : String(nodes);

let announcing = 0;
// Announce a text to screen readers; of several in quick succession only the last.
export function announce(text) {
  clearTimeout(announcing);
  announcing = setTimeout(() => (document.querySelector("#spoken").textContent = text), 80);
}
