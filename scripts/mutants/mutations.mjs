/** Small faults that a test suite should find: where a source can have one, and the source with it. */

/**
 * A fault at one place of a text.
 *
 * @typedef {{ kind: string, at: number, length: number, to: string }} Mutation
 */

/**
 * What each kind replaces, and by what. They stand on code that is formatted in one way, so patterns suffice.
 *
 * @type {readonly { kind: string, pattern: RegExp, to: (...found: string[]) => string }[]}
 */
const KINDS = [
  { kind: "sign", pattern: / ([+-]) (?=[\w(])/g, to: (_, sign) => (sign === "+" ? " - " : " + ") },
  {
    kind: "bound",
    pattern: / (<|<=|>|>=) (?=[\w(])/g,
    to: (_, sign = "") => ` ${sign.at(1) ? sign[0] : `${sign}=`} `,
  },
  { kind: "off by one", pattern: /(?<=[-+] )1\b(?![.\d])/g, to: () => "2" },
  { kind: "equality", pattern: / ([!=])== /g, to: (_, sign) => (sign === "!" ? " === " : " !== ") },
  { kind: "logic", pattern: / (&&|\|\|) /g, to: (_, sign) => (sign === "&&" ? " || " : " && ") },
  { kind: "await", pattern: /\bawait (?=[\w.]+\()/g, to: () => "" },
  {
    kind: "arguments",
    pattern: /(?<=\b[a-z]\w*\()(\w+), (\w+)(?=\))/g,
    to: (_, first, second) => `${second}, ${first}`,
  },
  { kind: "check", pattern: /\bif \((?=[^\n]*\) (?:throw|return)\b)/g, to: () => "if (false && " },
];

/** Parts of a source in which nothing is changed: comments, strings, types, imports. */
const LEFT_ALONE =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"[^"\n]*"|^(?:import|export) (?:type )?[{*][^;]*;|^(?:export )?(?:type|interface) [\s\S]*?^(?:\}|.*;)$/gm;

/**
 * @param {string} text a source
 * @returns {Mutation[]} all that it can have, in their order
 */
export function mutationsOf(text) {
  const bare = text.replaceAll(LEFT_ALONE, (part) => part.replaceAll(/[^\n]/g, "_"));
  return KINDS.flatMap(({ kind, pattern, to }) =>
    [...bare.matchAll(pattern)].map((found) => ({
      kind,
      at: found.index,
      length: found[0].length,
      to: to(...found),
    })),
  ).sort((a, b) => a.at - b.at);
}

/** @param {string} text @param {Mutation} mutation */
export const mutated = (text, { at, length, to }) => text.slice(0, at) + to + text.slice(at + length);
