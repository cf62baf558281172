// What the browser remembers of the games and analyses that it has shown, the last one first. A shared server lists
// only these.

const MOST = 500;

/** @returns {string[]} */
export const known = (kind) => JSON.parse(localStorage.getItem(`ox88.${kind}`) ?? "[]");

export function remember(kind, id) {
  const others = known(kind).filter((other) => other !== id);
  localStorage.setItem(`ox88.${kind}`, JSON.stringify([id, ...others].slice(0, MOST)));
}
