/**
 * `node scripts/mutants.mjs [--count 60] [--seed 1] [--out FILE]`: how many small faults of the source the tests find. Draws
 * faults over all rooms, makes one at a time, and runs the tests that `npm test -- --changed` would run, until one fails. Two
 * states of the tests are compared by the same seed. Sources are restored after each fault. Takes minutes a fault.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { changedTests } from "./lib/changedTests.mjs";
import { requireNode, root } from "./lib/environment.mjs";
import { repositoryFiles } from "./lib/importGraph.mjs";
import { vitest } from "./lib/stages.mjs";
import { mutated, mutationsOf } from "./mutants/mutations.mjs";

requireNode();
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: "test-results/mutants.json" },
  },
});

/** Numbers below 1 from a seed (mulberry32). @param {number} state */
const randomFrom = (state) => () => {
  state = (state + 0x6d2b79f5) | 0;
  let bits = Math.imul(state ^ (state >>> 15), 1 | state);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
};

const random = randomFrom(Number(values.seed));
/**
 * @template T
 * @param {readonly T[]} all
 * @param {(one: T) => string} name
 */
function groups(all, name) {
  /** @type {Map<string, T[]>} */
  const found = new Map();
  for (const one of all) found.set(name(one), [...(found.get(name(one)) ?? []), one]);
  return [...found.values()];
}

/** @template T @param {readonly T[]} all */
const oneOf = (all) => all[Math.floor(random() * all.length)];

const sources = repositoryFiles().filter((file) => /^(?:src|platform\/src)\/.*\.tsx?$/.test(file));
const rooms = groups(sources, (file) => (file.startsWith("src/") ? (file.split("/")[1] ?? "") : "platform"));

/** One fault after another: a room in turn, a file of it, a kind of fault, a place. */
function* draws() {
  for (let i = 0; ; i++) {
    const file = oneOf(rooms[i % rooms.length] ?? []);
    const text = file === undefined ? "" : readFileSync(path.join(root, file), "utf8");
    const kinds = groups(mutationsOf(text), ({ kind }) => kind);
    const mutation = oneOf(oneOf(kinds) ?? []);
    if (file !== undefined && mutation) yield { file, text, mutation };
  }
}

/** @type {{ place: string, kind: string, code: string, tests: number, found: string | null }[]} */
const results = existsSync(values.out) ? JSON.parse(readFileSync(values.out, "utf8")) : [];
const faults = draws();
for (let i = 0; i < Number(values.count); i++) {
  const { value: fault } = faults.next();
  if (fault === undefined || i < results.length) continue;
  const { file, text, mutation } = fault;
  const place = `${file}:${text.slice(0, mutation.at).split("\n").length}`;
  const whole = mutated(text, mutation);
  const { chosen } = changedTests([file]);
  const inBrowser = (/** @type {boolean} */ yes) =>
    chosen.filter((test) => test.startsWith("tests/browser/") === yes);
  writeFileSync(path.join(root, file), whole);
  try {
    /** @type {string | null} */
    let found = null;
    for (const [project, tests] of /** @type {const} */ ([
      ["unit*", inBrowser(false)],
      ["browser", inBrowser(true)],
    ])) {
      if (found !== null || tests.length === 0) continue;
      const { failed, failures } = await vitest([`--project=${project}`, "--bail=1", ...tests]);
      // Types find some faults before any test begins.
      if (failed > 0) found = failures?.[0]?.split("\n")[0] ?? "the compiler";
    }
    const line = whole.slice(whole.lastIndexOf("\n", mutation.at) + 1).split("\n")[0] ?? "";
    results.push({ place, kind: mutation.kind, code: line.trim(), tests: chosen.length, found });
  } finally {
    writeFileSync(path.join(root, file), text);
  }
  writeFileSync(values.out, `${JSON.stringify(results, null, 1)}\n`);
  console.log(`${i + 1} ${place} ${mutation.kind}: ${results.at(-1)?.found ?? "NOT FOUND"}`);
}
console.log(`${results.filter(({ found }) => found !== null).length} of ${results.length} found`);
