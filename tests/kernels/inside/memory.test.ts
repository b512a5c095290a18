/** Linear memory and the plan of temporaries: no overlap, no leak. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  add,
  evalDim,
  exp,
  mul,
  square,
  state,
  sub,
  sum,
  sym,
  trace,
  WasmDevice,
} from "../../../src/kernels/index.ts";
import { type TableEntry } from "../../../src/kernels/lowering/memoryTable.ts";
import { planScratch, SLACK } from "../../../src/kernels/lowering/placement.ts";
import { assemble } from "../../../src/kernels/wasm/assemble.ts";
import { LinearMemory } from "../../../src/kernels/wasm/memory.ts";

type Move = { readonly allocate: number } | { readonly free: number };

const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    fc.record({ allocate: fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 400_000 })) }),
    fc.record({ free: fc.nat(1000) }),
  ),
  { maxLength: 60, size: "max" },
);

describe("linear memory", () => {
  it("never hands out overlapping blocks, starts them on cache lines and counts what is used", () => {
    fc.assert(
      fc.property(moves, (list) => {
        const linear = new LinearMemory();
        const blocks: { start: number; bytes: number }[] = [];
        let sound = true;
        for (const move of list) {
          if ("allocate" in move) {
            const block = { start: linear.allocate(move.allocate), bytes: move.allocate };
            const end = block.start + block.bytes;
            const apart = blocks.every((b) => block.start >= b.start + b.bytes || b.start >= end);
            sound &&= block.start % 64 === 0 && end <= linear.total && apart;
            blocks.push(block);
          } else {
            const [block] = blocks.splice(move.free % Math.max(1, blocks.length), 1);
            if (block) linear.free(block.start, block.bytes);
          }
          const used = blocks.reduce((sum, b) => sum + Math.max(64, Math.ceil(b.bytes / 64) * 64), 0);
          sound &&= linear.used === used;
        }
        expect(sound).toBe(true);
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  it("merges freed neighbours, so that the whole can be handed out again without growing", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 2, maxLength: 20 }),
        fc.nat(1000),
        (sizes, turn) => {
          const linear = new LinearMemory();
          const blocks = sizes.map((bytes) => ({ start: linear.allocate(bytes), bytes }));
          const order = [
            ...blocks.slice(turn % blocks.length),
            ...blocks.slice(0, turn % blocks.length),
          ].reverse();
          for (const { start, bytes } of order) linear.free(start, bytes);
          const before = linear.total;
          linear.allocate(before - 64);
          expect(linear.total).toBe(before);
        },
      ),
      { numRuns: 30, seed: 6 },
    );
  });

  it("never gives out address 0", () => {
    expect(new LinearMemory().allocate(0)).toBeGreaterThan(0);
  });

  it("says what to make smaller when the engine refuses", () => {
    const linear = new LinearMemory();
    linear.allocate(3 * 2 ** 20);
    const used = linear.used;
    expect(() => linear.allocate(2 ** 33)).toThrow(/needed 8196 MiB, found 4 MiB.*replay buffer/);
    expect(linear.used).toBe(used);
    expect(linear.allocate(64)).toBeGreaterThan(0);
  });
});

describe("the plan of temporaries", () => {
  const n = sym("n");
  const entries = fc.array(
    fc.record({ first: fc.nat(30), length: fc.nat(12), words: fc.nat(200), scaled: fc.boolean() }),
    { maxLength: 40, size: "max" },
  );

  it("keeps apart what is alive together, with the slack that vector loads read over", () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 70 }), (list, size) => {
        const table: TableEntry[] = list.map(({ first, length, words, scaled }) => ({
          kind: "temp",
          words: scaled ? n : words,
          first,
          last: first + length,
        }));
        table.push({ kind: "dim", dim: n }, { kind: "state", name: "s" });
        const binding = { n: size };
        planScratch(table, { n: size + 1 });
        const plan = planScratch(table, binding);
        expect(planScratch(table, { n: size })).toBe(plan);
        expect(plan.offsets.size).toBe(list.length);
        const placed = [...plan.offsets].map(([slot, start]) => {
          const entry = table[slot];
          if (entry?.kind !== "temp") throw new Error(`slot ${slot} is no temporary`);
          return { ...entry, start, end: start + evalDim(entry.words, binding) * 4 + SLACK };
        });
        for (const block of placed) {
          expect(block.start % 16).toBe(0);
          expect(block.end).toBeLessThanOrEqual(plan.bytes);
        }
        const clash = placed.some((x, i) =>
          placed.some(
            (y, j) => i < j && x.first <= y.last && y.first <= x.last && x.start < y.end && y.start < x.end,
          ),
        );
        expect(clash).toBe(false);
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  it("puts what may take a dying buffer's place there, once, and nothing where others still lie", () => {
    const temp = (first: number, last: number, words: number, over: readonly number[] = []): TableEntry => ({
      kind: "temp",
      words,
      first,
      last,
      over,
    });
    const bytes = (words: number) => 4 * words + SLACK;
    const placesOf = (table: readonly TableEntry[]) => {
      const { offsets } = planScratch(table, {});
      return table.map((_, slot) => offsets.get(slot));
    };
    // Slot 2 takes the place of slot 1, which ends there; slot 3 finds it taken.
    expect(placesOf([temp(0, 9, 4), temp(0, 1, 8), temp(1, 5, 8, [1]), temp(1, 5, 8, [1])])).toEqual([
      0,
      bytes(4),
      bytes(4),
      bytes(4) + bytes(8),
    ]);
    // What lives on keeps its place.
    expect(placesOf([temp(0, 2, 8), temp(1, 5, 8, [0])])).toEqual([0, bytes(8)]);
    // A larger one does not fit there.
    expect(placesOf([temp(0, 1, 8), temp(1, 5, 12, [0])])).toEqual([0, bytes(8)]);
  });

  it("overwrites a value where it is read for the last time", () => {
    const rows = sym("rows");
    const bytesOf = (alsoReadLater: boolean) => {
      const { table } = assemble(
        trace("centred", () => {
          const x = state("x", [rows, 64]);
          const v = exp(x.read());
          const centred = sub(v, sum(v, 0));
          const scaled = mul(centred, sum(centred, 0));
          const squares = sum(square(scaled), 0);
          x.write(mul(alsoReadLater ? add(scaled, v) : scaled, squares));
        }),
      );
      return planScratch(table, { rows: 1000 }).bytes / (4 * 64 * 1000);
    };
    expect(bytesOf(false)).toBeLessThan(1.1);
    expect(bytesOf(true)).toBeGreaterThan(2);
    expect(bytesOf(true)).toBeLessThan(2.1);
  });

  it("uses memory again once it is dead", () => {
    const table: TableEntry[] = [0, 1, 2, 3].map((first) => ({
      kind: "temp",
      words: 1000,
      first,
      last: first,
    }));
    expect(planScratch(table, {}).bytes).toBe(4016);
  });
});

describe("arenas", () => {
  it("begin with zeros, in memory that was used before and in new memory", () => {
    const device = new WasmDevice();
    // Each is larger than the one before, and begins where that one lay.
    for (const length of [100_000, 300_000, 2_000_000]) {
      const arena = device.arena([{ name: "x", shape: [length], dtype: "f32", shared: false }], {});
      expect((arena.read("x") as Float32Array).every((value) => value === 0)).toBe(true);
      arena.write("x", new Float32Array(length).fill(1));
      arena.release();
    }
    device.close();
  });
});
