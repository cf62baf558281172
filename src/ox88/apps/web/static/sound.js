// Sounds, made by the Web Audio API, unless the settings are against them, see appearance.js.

const TONES = {
  // Each: seconds until it begins, hertz, seconds until it has faded.
  move: [[0, 240, 0.07]],
  capture: [
    [0, 190, 0.09],
    [0.05, 300, 0.07],
  ],
  check: [
    [0, 240, 0.07],
    [0.07, 620, 0.16],
  ],
  end: [
    [0, 392, 0.25],
    [0.16, 494, 0.25],
    [0.32, 587, 0.5],
  ],
  low: [
    [0, 740, 0.1],
    [0.16, 740, 0.1],
  ],
};
let context = null;

export function sound(name) {
  const isAllowed = navigator.userActivation?.hasBeenActive; // Browsers allow no sound before a click or a key.
  if (localStorage.getItem("ox88.sound") === "off" || !isAllowed) return;
  context ??= new AudioContext();
  for (const [delay, pitch, length] of TONES[name]) tone(context.currentTime + delay, pitch, length);
}

function tone(start, pitch, length) {
  const oscillator = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0.09, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

// The sound of a move (SAN).
export const soundOf = (san) => sound(/[+#]/.test(san) ? "check" : san.includes("x") ? "capture" : "move");
