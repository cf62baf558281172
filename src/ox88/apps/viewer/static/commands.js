// The commands in comments of a PGN, such as [%clk 0:01:00]: clocks, and what is drawn on the board.

const BRUSHES = { G: "green", R: "red", Y: "yellow", B: "blue" };
const SHAPE = "[GRYB](?:[a-h][1-8]){1,2}";
const DRAWN = new RegExp(`\\[%c[as]l (${SHAPE}(?: ?, ?${SHAPE})*) ?\\]`, "g");

// Arrows and marked squares: { brush, orig, dest }, without a dest for a square. A note is { commands }.
export function shapesOf({ commands = "" }) {
  const items = [...commands.matchAll(DRAWN)].flatMap(([, list]) => list.split(/ ?, ?/));
  return items.map(([letter, ...square]) => {
    const [orig, dest] = square.join("").match(/../g);
    return { brush: BRUSHES[letter], orig, ...(dest && dest !== orig ? { dest } : {}) };
  });
}

export const shapeInWords = ({ brush, orig, dest }) =>
  dest ? `${brush} arrow ${orig} ${dest}` : `${brush} circle ${orig}`;

// Shapes after one more: one that is there already is erased, one of another colour replaced.
export function drawnOn(shapes, { brush, orig, dest }) {
  const others = shapes.filter((shape) => shape.orig !== orig || shape.dest !== dest);
  const isThere = shapes.some((shape) => shape.brush === brush && !others.includes(shape));
  return isThere ? others : [...others, { brush, orig, dest }];
}

// The commands with other shapes.
export function withShapes({ commands = "" }, shapes) {
  const letters = Object.fromEntries(Object.entries(BRUSHES).map(([letter, brush]) => [brush, letter]));
  const words = (those) => those.map(({ brush, orig, dest = "" }) => letters[brush] + orig + dest).join(",");
  const [squares, arrows] = [words(shapes.filter(({ dest }) => !dest)), words(shapes.filter(({ dest }) => dest))];
  const drawn = [squares && `[%csl ${squares}]`, arrows && `[%cal ${arrows}]`];
  return [commands.replace(DRAWN, "").replace(/\s+/g, " ").trim(), ...drawn].filter(Boolean).join(" ");
}

// The arrow of a move.
export const arrowOf = (uci, brush) => ({ brush, orig: uci.slice(0, 2), dest: uci.slice(2, 4) });

function seconds(commands, name) {
  const found = commands?.match(`\\[%${name} ([\\d:.]+) ?\\]`)?.[1];
  const sum = found?.split(":").reduce((total, part) => 60 * total + Number(part), 0);
  return Number.isFinite(sum) ? sum : null;
}

// What a side's clock shows after its last move, and how long this move took; null if that is not written. nodes: the
// moves so far, each with the position after it.
export function timesOf(nodes, side) {
  const own = nodes.filter(({ fen }) => (fen.split(" ")[1] === "b") === (side === "white"));
  const clock = own.findLast(({ commands }) => seconds(commands, "clk") !== null);
  return { clock: clock ? seconds(clock.commands, "clk") : null, spent: seconds(own.at(-1)?.commands, "emt") };
}
