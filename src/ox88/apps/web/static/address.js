// The address of a view of Think: #think/FEN/LIMIT/NODE, then perhaps /STEP, the steps since the node was counted, and
// /without-NAME-NAME. Spaces of the FEN are underlines, or encoded as %20; its slashes may be encoded too.

const FORM = /^([^ ]+ [^/]*)\/([^/]*)\/([^/]*?)(?:\/(\d+))?(?:\/without-([a-z-]+))?$/;

// The parts of an address without "#think/". Throws an Error that says what is wrong with it.
export function readAddress(text, names) {
  const found = FORM.exec(decoded(text).replaceAll("_", " "));
  if (!found) throw new Error(`the link ${shown(text)} is not understood: #think/FEN/LIMIT/NODE is expected`);
  const [, fen, nodes, node, step, without] = found;
  const view = {
    fen,
    nodes: number("node limit", nodes),
    node: number("node", node),
    step: Number(step ?? 0),
    without: without ? without.split("-") : [],
  };
  const unknown = view.without.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`the link has without-${unknown}: ${names.join(", ")} can be left out`);
  return view;
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

function number(what, text) {
  if (!/^\d{1,15}$/.test(text))
    throw new Error(`the ${what} of the link is ${shown(text)}: a whole number is expected`);
  return Number(text);
}

const shown = (text) => `"${text.length > 60 ? `${text.slice(0, 57)}...` : text}"`;
