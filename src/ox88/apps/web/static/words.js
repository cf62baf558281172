// What is said: moves in full words for screen readers, and numbers.

const NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

export function spoken(san) {
  if (san === "--") return "passes";
  const ending = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
  const move = san.replace(/[+#]/, "");
  if (move.startsWith("O-O-O")) return `castles on the queen's side${ending}`;
  if (move.startsWith("O-O")) return `castles on the king's side${ending}`;
  const [, piece, from, takes, to, promoted] = move.match(/^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?$/);
  const words = [NAMES[piece] ?? "", from && (piece || !takes ? from : `${from} pawn`), takes ? "takes" : "", to];
  return words.filter(Boolean).join(" ") + (promoted ? `, becomes a ${NAMES[promoted]}` : "") + ending;
}

export const whole = (number) => number.toLocaleString("en-US");

export const count = (nodes) =>
  nodes >= 1e6 ? `${(nodes / 1e6).toFixed(1)} M` : nodes >= 1e3 ? `${Math.round(nodes / 1e3)} k` : String(nodes);

let announcing = 0;
// Announce a text to screen readers; of several in quick succession only the last.
export function announce(text) {
  clearTimeout(announcing);
  announcing = setTimeout(() => (document.querySelector("#spoken").textContent = text), 80);
}
