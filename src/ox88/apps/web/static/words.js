// What is said and heard: the viewer's words, moves in full words for screen readers, numbers, Train's words, sounds.

import { find } from "/viewer/dom.js";
import { capital } from "/viewer/words.js";

export * from "/viewer/words.js";

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

// Themes have Lichess's names; the choice of a theme in index.html has the words.
const optionOf = (theme) => find(`#theme option[value="${theme}"]`);
export const themeInWords = (theme) => optionOf(theme)?.textContent ?? theme;

// Not how long a line is, nor where a puzzle comes from.
export const isTelling = (theme) => optionOf(theme)?.parentElement.dataset.telling !== "no";

export const titleOf = ({ what, theme }) =>
  ({ mistakes: "My mistakes", open: "Rated puzzles", rush: "Rush" })[what] ?? capital(themeInWords(theme));

const DATE = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long" });
const midnight = (time) => new Date(time).setHours(0, 0, 0, 0);

// due: seconds since 1970.
export function whenText(due) {
  const days = Math.round((midnight(1000 * due) - midnight(Date.now())) / 86_400_000);
  return days > 30 ? `on ${DATE.format(1000 * due)}` : inDays(days);
}

export const inDays = (days) => (days > 1 ? `in ${days} days` : days === 1 ? "tomorrow" : "today");

// Each text with how often it is there.
export function counts(texts) {
  const found = new Map();
  for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
  return [...found];
}

// How many come back when.
export const comingBack = (dues) =>
  Array.from(counts(dues.map(whenText)), ([when, count]) => `${count} ${when}`).join(", ");

let announcing = 0;
// Announce a text to screen readers; of several in quick succession only the last.
export function announce(text) {
  clearTimeout(announcing);
  announcing = setTimeout(() => (find("#spoken").textContent = text), 80);
}

// The notes of each sound: seconds until they begin, their pitches, seconds until they have faded.
const SOUNDS = {
  move: { begin: [0], hertz: [240], last: [0.07] },
  capture: { begin: [0, 0.05], hertz: [190, 300], last: [0.09, 0.07] },
  check: { begin: [0, 0.07], hertz: [240, 620], last: [0.07, 0.16] },
  end: { begin: [0, 0.16, 0.32], hertz: [392, 494, 587], last: [0.25, 0.25, 0.5] },
  low: { begin: [0, 0.16], hertz: [740, 740], last: [0.1, 0.1] },
};
let context = null;
const isSilent = () => localStorage.getItem("ox88.sound") === "off"; // See controls.js.

function wake() {
  context ??= new AudioContext();
  if (context.state !== "running") context.resume();
}

// Safari begins to sound, also after a telephone call, only while it handles a click or a key; most sounds come later.
for (const type of ["pointerup", "touchend", "keydown"]) addEventListener(type, () => isSilent() || wake(), true);

// Sounds are made by the Web Audio API.
export function sound(name) {
  if (isSilent() || !navigator.userActivation?.hasBeenActive) return; // Browsers allow none before a click or a key.
  wake();
  const { begin, hertz, last } = SOUNDS[name];
  hertz.forEach((frequency, note) => {
    const start = context.currentTime + begin[note];
    const oscillator = new OscillatorNode(context, { type: "triangle", frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0.09, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + last[note]);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + last[note]);
  });
}

// The sound of a move (SAN).
export const soundOf = (san) => sound(/[+#]/.test(san) ? "check" : san.includes("x") ? "capture" : "move");
