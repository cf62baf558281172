// The address of a view of Think: #think/FEN/LIMIT/NODE, then perhaps /STEP, the steps since the node was counted, and
// /without-NAME-NAME. Spaces of the FEN are underlines, or encoded as %20; its slashes may be encoded too.

const FORM = /^([^ ]+ [^/]*)\/(\d{1,15})\/(\d{1,15})(?:\/(\d{1,15}))?(?:\/without-([a-z-]+))?$/;

// The parts of an address without "#think/". Throws an Error that says what is wrong with its form. The server knows
// whether there is this view.
export function readAddress(text) {
  const found = FORM.exec(decoded(text).replaceAll("_", " "));
  const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  if (!found)
    throw new Error(`the link "${shown}" is not understood: #think/FEN/LIMIT/NODE is expected, with two numbers`);
  const [, fen, nodes, node, step = "0", without] = found;
  return { fen, nodes: Number(nodes), node: Number(node), step: Number(step), without: without?.split("-") ?? [] };
}

export function writeAddress({ fen, nodes, node, step, without }) {
  const parts = ["#think", fen.trim().replaceAll(" ", "_"), nodes, node];
  if (step) parts.push(step);
  if (without.length) parts.push(`without-${without.join("-")}`);
  return parts.join("/");
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
