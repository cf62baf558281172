// Tours: each is a search, and stops in it with a sentence or two. The tests look whether each stop shows what is said
// there.

import { make } from "/viewer/dom.js";

export const TOURS = [
  {
    title: "The three loops",
    fen: "4k3/8/8/8/3N4/8/4P3/R3K2R w KQ - 0 1",
    nodes: 100,
    stops: [
      {
        node: 1,
        step: 0,
        words:
          "The program knows no list of moves. It makes them while it searches, with three loops, one inside the " +
          "other. Go on with Step, or with Next.",
      },
      {
        node: 1,
        step: 37,
        words:
          "The first loop scans the board for own pieces: x+9 & ~0x88 leads from one square to the next. Here it " +
          "has found the knight on d4.",
      },
      {
        node: 1,
        step: 38,
        words:
          "The second loop takes the steps of the piece from one list, each with both signs. A knight has four " +
          "numbers, so eight directions.",
      },
      {
        node: 1,
        step: 108,
        words:
          "The third loop repeats the step. To the left of a1 lies 0x6f, in the grey half: its bit 0x08 is set, " +
          "so the rook has left the board. One AND is the whole test.",
      },
      {
        node: 1,
        step: 120,
        words: "To the right it goes on over b1, c1 and d1, square by square, until its own king on e1 is in the way.",
      },
    ],
  },
  {
    title: "A mate in two",
    fen: "6k1/8/5K2/8/8/8/8/7R w - - 0 1",
    nodes: 1000,
    stops: [
      { node: 1273, step: 287, words: "White tries the quiet rook move Rh2. It changes nothing but the side to move." },
      { node: 1274, step: 8, words: "Black's king must go to f8: on every other square it is taken." },
      {
        node: 1304,
        step: 0,
        words:
          "White's rook gives check on h8. Black to move; each move that follows loses the king, and has the score −∞.",
      },
      {
        node: 1309,
        step: 163,
        words: "Every move loses the king, so it is mate or stalemate. A free move for White tells which.",
      },
      { node: 1310, step: 20, words: "White could take the king: checkmate, −4000 for Black." },
      {
        node: 1314,
        step: 207,
        words: "At the root it is a mate in two: 4000, less a point for each move that it is away.",
      },
    ],
  },
  {
    title: "A capture refuted",
    fen: "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1",
    nodes: 50,
    stops: [
      { node: 7, step: 19, words: "The queen takes the pawn on d5: 99 points more." },
      {
        node: 8,
        step: 1,
        words: "Black has a depth of 1 and so no time for quiet moves. It may stand pat on −792, or take back.",
      },
      {
        node: 8,
        step: 61,
        words: "The pawn takes back on d5. A recapture costs no depth: that is the whole quiescence search.",
      },
      { node: 9, step: 100, words: "The queen is worth 891, so this is Black's new best move, far above beta." },
      { node: 9, step: 149, words: "For White the capture is worth −94. All the other moves keep the queen." },
    ],
  },
  {
    title: "Stalemate",
    fen: "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
    nodes: 90,
    stops: [
      { node: 77, step: 0, words: "White has played Qf7. Black is not in check, but has no move." },
      {
        node: 78,
        step: 73,
        words: "The program does not know check. It tries Kg8, and White takes the king: so Kg8 was illegal.",
      },
      {
        node: 80,
        step: 106,
        words:
          "So it goes with every move. Now White gets a free move in the position before: could it take the king " +
          "there?",
      },
      { node: 81, step: 188, words: "It could not. The score is 0, a draw." },
      { node: 86, step: 36, words: "After Qf8 the same question has the other answer: this is checkmate." },
    ],
  },
  {
    title: "Castling out of check",
    fen: "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1",
    nodes: 100,
    stops: [
      {
        node: 3,
        step: 15,
        words:
          "The rook on e8 gives check. The program does not see that: the king may step a second time, with the " +
          "rook from h1.",
      },
      {
        node: 3,
        step: 20,
        words:
          "It castles. The square f1, over which the king went, becomes square E, as the square of a pawn's " +
          "double step does.",
      },
      {
        node: 4,
        step: 52,
        words: "The black rook comes to e1, beside square E. That counts as taking the king: it was in check there.",
      },
      { node: 4, step: 56, words: "So castling has the score −∞, as any illegal move." },
    ],
  },
  {
    title: "The best move sneaked in",
    fen: "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    nodes: 300,
    stops: [
      {
        node: 43,
        step: 28,
        words:
          "The first iteration has found d4. The next one begins with it, because a good first move cuts off more.",
      },
      {
        node: 43,
        step: 29,
        words: "There is no list to sort. The scan simply begins at the square of the best move, d2.",
      },
      { node: 43, step: 31, words: "And instead of its first step the pawn is put on d4: the move is sneaked in." },
      {
        node: 171,
        step: 110,
        words:
          "The score of the hinted move is the one to beat. Then the pawn starts its direction again, as if " +
          "nothing had happened.",
      },
    ],
  },
  {
    title: "A subtree saved",
    fen: "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    nodes: 2000,
    stops: [
      {
        node: 343,
        step: 0,
        words:
          "The pawns are blocked; only the kings move. Here White's king came to c2 over b2, and this position " +
          "is searched.",
      },
      {
        node: 885,
        step: 10,
        words: "Later the king comes to c2 over b1. It is the same position, so its keys are the same.",
      },
      {
        node: 885,
        step: 13,
        words: "The table has it, searched deep enough: its score is used, and not a single node is counted below.",
      },
      {
        node: 885,
        step: 14,
        words: "The node returns at once. Choose Without the hash table to see how many nodes this search has then.",
      },
    ],
  },
];

export class Tour {
  #tour = null;
  #stop = 0;

  // onstop(view): go to a stop; view: see address.js. onopen(number): a tour is opened; null if it is ended.
  constructor({ onstop, onopen }) {
    this.onstop = onstop;
    this.onopen = onopen;
    this.title = make("h2");
    this.words = make("p", { "aria-live": "polite" });
    this.place = make("span.muted");
    this.back = make("button.plain.small", { onclick: () => this.#go(this.#stop - 1) }, "Before");
    this.on = make("button.primary.small", { onclick: () => this.#go(this.#stop + 1) }, "Next");
    this.element = make("section.card.tour", { "aria-label": "Tour", hidden: true }, [
      make("header", [
        this.title,
        make("button.quiet.push", { "aria-label": "End the tour", onclick: () => this.open(null) }, "×"),
      ]),
      make("div.pad.rows-tight", [this.words, make("div.buttons", [this.back, this.place, this.on])]),
    ]);
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
    const { node, step, words } = stops[stop];
    this.title.textContent = title;
    this.words.textContent = words;
    this.place.textContent = `${stop + 1} of ${stops.length}`;
    this.back.disabled = stop === 0;
    this.on.disabled = stop === stops.length - 1;
    this.onstop({ fen, nodes, node, step });
  }
}
