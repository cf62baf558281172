// Tours: each is a search, and stops in it, node/step, with a sentence or two. The tests look whether each stop shows
// what is said there.

import { find } from "/viewer/dom.js";
import { onClick } from "./controls.js";

export const TOURS = [
  {
    title: "The three loops",
    fen: "4k3/8/8/8/3N4/8/4P3/R3K2R w KQ - 0 1",
    nodes: 100,
    stops: {
      "1/0":
        "The program knows no list of moves. It makes them while it searches, with three loops, one inside the " +
        "other. Go on with Step, or with Next.",
      "1/37":
        "The first loop scans the board for own pieces: x+9 & ~0x88 leads from one square to the next. Here it " +
        "has found the knight on d4.",
      "1/38":
        "The second loop takes the steps of the piece from one list, each with both signs. A knight has four " +
        "numbers, so eight directions.",
      "1/108":
        "The third loop repeats the step. To the left of a1 lies 0x6f, in the grey half: its bit 0x08 is set, " +
        "so the rook has left the board. One AND is the whole test.",
      "1/120": "To the right it goes on over b1, c1 and d1, square by square, until its own king on e1 is in the way.",
    },
  },
  {
    title: "A mate in two",
    fen: "6k1/8/5K2/8/8/8/8/7R w - - 0 1",
    nodes: 1000,
    stops: {
      "1273/287": "White tries the quiet rook move Rh2. It changes nothing but the side to move.",
      "1274/8": "Black's king must go to f8: on every other square it is taken.",
      "1304/0":
        "White's rook gives check on h8. Black to move; each move that follows loses the king, and has the score −∞.",
      "1309/163": "Every move loses the king, so it is mate or stalemate. A free move for White tells which.",
      "1310/20": "White could take the king: checkmate, −4000 for Black.",
      "1314/207": "At the root it is a mate in two: 4000, less a point for each move that it is away.",
    },
  },
  {
    title: "A capture refuted",
    fen: "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1",
    nodes: 50,
    stops: {
      "7/19": "The queen takes the pawn on d5: 99 points more.",
      "8/1": "Black has a depth of 1 and so no time for quiet moves. It may stand pat on −792, or take back.",
      "8/61": "The pawn takes back on d5. A recapture costs no depth: that is the whole quiescence search.",
      "9/100": "The queen is worth 891, so this is Black's new best move, far above beta.",
      "9/149": "For White the capture is worth −94. All the other moves keep the queen.",
    },
  },
  {
    title: "Stalemate",
    fen: "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
    nodes: 90,
    stops: {
      "77/0": "White has played Qf7. Black is not in check, but has no move.",
      "78/73": "The program does not know check. It tries Kg8, and White takes the king: so Kg8 was illegal.",
      "80/106":
        "So it goes with every move. Now White gets a free move in the position before: could it take the king " +
        "there?",
      "81/188": "It could not. The score is 0, a draw.",
      "86/36": "After Qf8 the same question has the other answer: this is checkmate.",
    },
  },
  {
    title: "Castling out of check",
    fen: "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1",
    nodes: 100,
    stops: {
      "3/15":
        "The rook on e8 gives check. The program does not see that: the king may step a second time, with the " +
        "rook from h1.",
      "3/20":
        "It castles. The square f1, over which the king went, becomes square E, as the square of a pawn's " +
        "double step does.",
      "4/52": "The black rook comes to e1, beside square E. That counts as taking the king: it was in check there.",
      "4/56": "So castling has the score −∞, as any illegal move.",
    },
  },
  {
    title: "The best move sneaked in",
    fen: "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    nodes: 300,
    stops: {
      "43/28":
        "The first iteration has found d4. The next one begins with it, because a good first move cuts off more.",
      "43/29": "There is no list to sort. The scan simply begins at the square of the best move, d2.",
      "43/31": "And instead of its first step the pawn is put on d4: the move is sneaked in.",
      "171/110":
        "The score of the hinted move is the one to beat. Then the pawn starts its direction again, as if " +
        "nothing had happened.",
    },
  },
  {
    title: "A subtree saved",
    fen: "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    nodes: 2000,
    stops: {
      "343/0":
        "The pawns are blocked; only the kings move. Here White's king came to c2 over b2, and this position " +
        "is searched.",
      "885/10": "Later the king comes to c2 over b1. It is the same position, so its keys are the same.",
      "885/13": "The table has it, searched deep enough: its score is used, and not a single node is counted below.",
      "885/14": "The node returns at once. Choose Without the hash table to see how many nodes this search has then.",
    },
  },
];

export class Tour {
  #tour = null;
  #stop = 0;

  // onstop(view): go to a stop; view: see address.js. onopen(number): a tour is opened; null if it is ended.
  constructor(element, { onstop, onopen }) {
    this.element = element;
    this.onstop = onstop;
    this.onopen = onopen;
    this.title = find("h2", element);
    this.words = find("p", element);
    this.place = find(".muted", element);
    this.back = find("[data-do=back]", element);
    this.on = find("[data-do=on]", element);
    onClick(element, {
      back: () => this.#go(this.#stop - 1),
      on: () => this.#go(this.#stop + 1),
      end: () => this.open(null),
    });
  }

  // number: of the tour; null ends it.
  open(number) {
    this.#tour = number === null ? null : TOURS[number];
    this.element.hidden = !this.#tour;
    this.onopen(number);
    if (this.#tour) this.#go(0);
  }

  #go(stop) {
    this.#stop = stop;
    const { title, fen, nodes, stops } = this.#tour;
    const places = Object.keys(stops);
    const [node, step] = places[stop].split("/").map(Number);
    this.title.textContent = title;
    this.words.textContent = stops[places[stop]];
    this.place.textContent = `${stop + 1} of ${places.length}`;
    this.back.disabled = stop === 0;
    this.on.disabled = stop === places.length - 1;
    this.onstop({ fen, nodes, node, step });
  }
}
