/** Repeated calls as loops: the code, run as JavaScript, which reads it alike, makes the same calls. */
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Argument, type Call, type Word, writeCalls } from "../../../../src/kernels/wgsl/reroll.ts";

/** Where the code finds itself, in loops that it does not know of. */
const LOOPS = { i0: 3, i1: 11 } as const;
/** A slot's word: larger than any literal. */
const wordIn = (word: Word): number => ("slot" in word ? 1000 + word.slot : word.literal);

/** What calls were made with what they were given. */
type Made = readonly (readonly [func: number, ...args: number[]])[];

const valueOf = ({ start, rows }: Argument): number =>
  rows.reduce(
    (sum, { loop, words }) => sum + LOOPS[loop as keyof typeof LOOPS] * wordIn(words),
    wordIn(start),
  );

const madeBy = (calls: readonly Call[]): Made => calls.map(({ func, args }) => [func, ...args.map(valueOf)]);

function written(calls: readonly Call[]) {
  const [lines, records]: [string[], Word[]] = [[], [{ literal: -1 }]];
  writeCalls(calls, lines, records);
  return { lines, records, calls: lines.filter((line) => line.startsWith("k")).length };
}

function run(calls: readonly Call[]): Made {
  const { lines, records } = written(calls);
  const made: [number, ...number[]][] = [];
  const code = lines.join("\n").replace(/\bk(\d+)\(/g, "call($1, ");
  runInNewContext(code, {
    call: (func: number, ...args: number[]) => void made.push([func, ...args]),
    storageBarrier: () => undefined,
    table: records.map(wordIn),
    base: 0,
    RECORDS: 0,
    ...LOOPS,
  });
  return made;
}

const slot = (n: number): Argument => ({ start: { slot: n }, rows: [] });
const literal = (n: number): Argument => ({ start: { literal: n }, rows: [] });
const call = (func: number, ...args: Argument[]): Call => ({ kind: "call", func, args });

const word = fc.oneof(
  fc.record({ slot: fc.nat({ max: 500 }) }),
  fc.record({ literal: fc.integer({ min: -3, max: 3 }) }),
);
const argument = fc.record({
  start: word,
  rows: fc
    .subarray(["i0", "i1"])
    .chain((loops) => fc.tuple(...loops.map((loop) => word.map((words) => ({ loop, words }))))),
});
/** A function has as many parameters as its number says. */
const anyCall = fc.nat({ max: 3 }).chain((func) =>
  fc.record({
    kind: fc.constant("call" as const),
    func: fc.constant(func),
    args: fc.array(argument, { minLength: func, maxLength: func }),
  }),
);
/** Calls that often follow each other again and again. */
const program: fc.Arbitrary<Call[]> = fc
  .array(fc.tuple(fc.array(anyCall, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 4 })), {
    maxLength: 6,
  })
  .map((blocks) => blocks.flatMap(([block, times]) => Array.from({ length: times }, () => block).flat()));

describe("rerolled calls", () => {
  it("are the same calls, in their order, with the same words", () => {
    fc.assert(
      fc.property(program, (calls) => {
        expect(run(calls)).toEqual(madeBy(calls));
      }),
    );
  });

  it("are written once for each layer of a network, and for each network of an agent", () => {
    const layers = (first: number, count: number) =>
      Array.from({ length: count }, (_, i) => [
        call(0, slot(first + 3 * i), slot(first + 3 * i + 1), literal(i === 0 ? 4 : 64)),
        call(1, slot(first + 3 * i + 2), slot(7)),
      ]).flat();
    const one = layers(100, 3);
    expect(written(one).calls).toBe(2);
    expect(run(one)).toEqual(madeBy(one));
    // Networks of different depths.
    const two = [...one, call(2, slot(8)), ...layers(200, 2), call(2, slot(9))];
    expect(written(two).calls).toBe(3);
    expect(run(two)).toEqual(madeBy(two));
  });

  it("are given as literals what is the same number in all of them, and else what their records say", () => {
    const { lines, records } = written([call(0, literal(5), slot(1)), call(0, literal(5), slot(2))]);
    expect(lines).toContain("k0(5, table[at + 0]);");
    expect(records).toEqual([{ literal: -1 }, { slot: 1 }, { slot: 2 }]);
  });

  it("are no loop where they differ in the loops around that they depend on", () => {
    const inRow = (loop: string): Call =>
      call(0, { start: { slot: 1 }, rows: [{ loop, words: { literal: 8 } }] });
    expect(written([inRow("i0"), inRow("i1")]).calls).toBe(2);
    expect(written([inRow("i0"), inRow("i0")]).calls).toBe(1);
  });

  it("are nothing where there are none", () => {
    expect(written([]).lines).toEqual([]);
  });
});
