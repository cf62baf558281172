// The game that is analysed: its moves, one variation, and the current position. It does not touch the page.

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KEPT = "ox88.study";

export class Study {
  constructor() {
    this.set(JSON.parse(sessionStorage.getItem(KEPT) ?? "null") ?? {});
  }

  // moves: { uci, san, fen, check, opening }. text: their PGN, if any. annotation: the analysis of the game.
  set({ start = START, moves = [], ply = 0, branch = null, tags = {}, text = null, errors = [], annotation = null, annotated = null }) {
    Object.assign(this, { start, moves, ply, branch, tags, text, errors, annotation, annotated });
    this.keep();
  }

  keep() {
    const { start, moves, ply, branch, tags, text, errors, annotation, annotated } = this;
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ start, moves, ply, branch, tags, text, errors, annotation, annotated }));
    } catch {
      sessionStorage.removeItem(KEPT); // Too large for the browser: a reload will not restore it.
    }
  }

  // The moves that led to the current position.
  get path() {
    if (!this.branch?.ply) return this.moves.slice(0, this.ply);
    return [...this.moves.slice(0, this.branch.at), ...this.branch.moves.slice(0, this.branch.ply)];
  }

  get last() {
    return this.path.at(-1) ?? null;
  }

  get fen() {
    return this.last?.fen ?? this.start;
  }

  get opening() {
    return this.path.findLast((move) => move.opening)?.opening ?? "";
  }

  // The evaluation of the current position by the analysis of the whole game, if any.
  get evaluated() {
    if (!this.annotation || this.branch?.ply) return null;
    return this.ply ? this.annotation.moves[this.ply - 1] : this.annotation.start;
  }

  go(to) {
    const { branch } = this;
    if (branch?.ply) {
      branch.ply = { first: 0, back: branch.ply - 1, on: Math.min(branch.ply + 1, branch.moves.length), last: branch.moves.length }[to];
      if (!branch.ply) this.ply = to === "first" ? 0 : branch.at;
    } else {
      this.ply = { first: 0, back: Math.max(this.ply - 1, 0), on: Math.min(this.ply + 1, this.moves.length), last: this.moves.length }[to];
    }
    this.keep();
  }

  goTo(ply, inBranch = false) {
    if (inBranch) this.branch.ply = ply;
    else {
      this.ply = ply;
      if (this.branch) this.branch.ply = 0;
    }
    this.keep();
  }

  // Play a move in the current position. move: as the server describes it.
  add(move) {
    const { branch } = this;
    if (branch?.ply) {
      if (branch.moves[branch.ply]?.uci !== move.uci) branch.moves = [...branch.moves.slice(0, branch.ply), move];
      branch.ply += 1;
    } else if (this.moves[this.ply]?.uci === move.uci) {
      this.ply += 1;
    } else if (this.ply === this.moves.length && !this.text && !this.annotation) {
      this.moves = [...this.moves, move];
      this.ply += 1;
    } else {
      this.branch = { at: this.ply, moves: [move], ply: 1 };
    }
    this.keep();
  }

  // The main line as PGN.
  pgn() {
    if (this.text) return this.text;
    const tags = { Result: "*", ...this.tags, ...(this.start === START ? {} : { SetUp: "1", FEN: this.start }) };
    const quoted = (text) => String(text).replace(/[\\"]/g, "\\$&");
    const head = Object.entries(tags).map(([name, value]) => `[${name} "${quoted(value)}"]`);
    const [, turn, , , , number] = this.start.split(" ");
    const words = this.moves.map(({ san }, index) => {
      const ply = index + (turn === "w" ? 0 : 1);
      const at = Number(number) + Math.floor(ply / 2);
      return ply % 2 === 0 ? `${at}. ${san}` : index === 0 ? `${at}... ${san}` : san;
    });
    return `${head.join("\n")}\n\n${[...words, tags.Result].join(" ")}\n`;
  }
}
