/**
 * `npm run lines`: how much code each room has, without blank lines and comments, what part of it only imports and exports,
 * in how many source files an algorithm is named, and how long the documentation is.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./lib/environment.mjs";
import { repositoryFiles } from "./lib/importGraph.mjs";

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
/** Statements that only pass names on. */
const NAMES =
  /^(?:import|export)\s(?:type\s)?(?:[\w$*]+,?\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?)?\s*(?:from\s*)?"[^"]+"[^;]*;/gm;

/** @param {string} text */
const lines = (text) => text.split("\n").filter((line) => line.trim() !== "").length;

const all = repositoryFiles();
const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), "utf8");
const sources = all.filter((file) => /^(?:src|platform)\/.*\.(?:tsx?|css)$/.test(file));
const code = sources.map((file) => ({ file, text: read(file).replaceAll(COMMENT, "") }));
const room = (/** @type {string} */ file) =>
  file.startsWith("src/") ? (file.split("/")[1] ?? "") : "platform";

/** @type {Map<string, { files: number, lines: number, names: number, css: number }>} */
const rooms = new Map();
for (const { file, text } of code) {
  const sum = rooms.get(room(file)) ?? { files: 0, lines: 0, names: 0, css: 0 };
  const isCss = file.endsWith(".css");
  const names = isCss ? 0 : [...text.matchAll(NAMES)].reduce((total, [found]) => total + lines(found), 0);
  rooms.set(room(file), {
    files: sum.files + 1,
    lines: sum.lines + (isCss ? 0 : lines(text)),
    names: sum.names + names,
    css: sum.css + (isCss ? lines(text) : 0),
  });
}
/** @param {"files" | "lines" | "names" | "css"} field */
const total = (field) => [...rooms.values()].reduce((sum, one) => sum + one[field], 0);
const rows = [...rooms].sort((a, b) => b[1].lines - a[1].lines);
for (const [name, { files, lines: count, css }] of rows)
  console.log(
    `${String(count).padStart(7)} ${name} (${files} files${css ? `, ${css} lines of styles` : ""})`,
  );
console.log(`${String(total("lines")).padStart(7)} src and platform, and ${total("css")} lines of styles`);
console.log(
  `${((100 * total("names")) / total("lines")).toFixed(1).padStart(7)} % of them import and export`,
);

const tests = all
  .filter((file) => /^tests\/.*\.tsx?$/.test(file))
  .map((file) => lines(read(file).replaceAll(COMMENT, "")));
console.log(`${String(tests.reduce((a, b) => a + b, 0)).padStart(7)} tests (${tests.length} files)`);

const algorithms = all.flatMap(
  (file) => /^src\/(?:rl|llm)\/algorithms\/([A-Z][A-Za-z0-9]*)\.ts$/.exec(file)?.[1] ?? [],
);
/** Written from examples/manifests. */
const GENERATED = "src/manifests/templates.ts";
const named = algorithms.map((name) => {
  const word = new RegExp(`\\b${name}\\b`);
  return `${name} ${code.filter(({ file, text }) => file !== GENERATED && word.test(text)).length}`;
});
console.log(`Source files that name an algorithm: ${named.join(", ")}`);

const pages = all.filter((file) =>
  /^(?:docs\/.*|README|CONTRIBUTING|SECURITY)\.?.*\.md$|^README\.md$/.test(file),
);
/** @param {string} text */
const words = (text) => text.split(/\s+/).filter(Boolean).length;
const prose = pages.map((file) => read(file).replaceAll(/^```[\s\S]*?^```/gm, ""));
const plain = prose.map((text) => text.replaceAll(/^\|.*$/gm, ""));
const sum = (/** @type {string[]} */ texts) => texts.reduce((count, text) => count + words(text), 0);
console.log(
  `${sum(prose)} words of documentation without code, ${sum(plain)} without tables too (${pages.length} pages)`,
);
