/** One linear memory for several devices: their parts do not overlap, and what is common is made once. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SharedHeap, sharedHeap } from "../../../../src/kernels/devices.ts";
import { add, mul, state, trace, WasmDevice } from "../../../../src/kernels/index.ts";
import { LinearMemory } from "../../../../src/kernels/wasm/memory.ts";
import { madeOnce } from "../../../../src/kernels/wasm/SharedHeap.ts";

function newHeap(): SharedHeap {
  const heap = sharedHeap();
  if (!heap) throw new Error("threads cannot share memory");
  return heap;
}

const f32 = (name: string, length: number) =>
  ({ name, shape: [length], dtype: "f32", shared: true }) as const;

describe("devices on one heap", () => {
  it("never overlap, and get zeros, whichever of them grows it", () => {
    const moves = fc.array(
      fc.record({ device: fc.nat(2), bytes: fc.integer({ min: 1, max: 2 ** 21 }), freed: fc.boolean() }),
      { maxLength: 30, size: "max" },
    );
    fc.assert(
      fc.property(moves, (list) => {
        const heap = newHeap();
        const devices = [0, 1, 2].map(() => new LinearMemory(heap));
        const blocks: { start: number; end: number }[] = [];
        for (const { device, bytes, freed } of list) {
          const linear = devices[device] as LinearMemory; // there are three
          const start = linear.allocateZeros(bytes);
          const end = start + bytes;
          expect(start).toBeGreaterThan(0);
          expect(end).toBeLessThanOrEqual(heap.memory.buffer.byteLength);
          expect(blocks.filter((other) => other.start < end && start < other.end)).toEqual([]);
          const view = Buffer.from(heap.memory.buffer, start, bytes);
          expect(view.equals(new Uint8Array(bytes))).toBe(true);
          view.fill(255);
          if (freed) linear.free(start, bytes);
          else blocks.push({ start, end });
        }
      }),
      { numRuns: 20, seed: 3 },
    );
  });

  it("run programs on buffers of their own and on common ones", async () => {
    const program = trace("line", () => {
      const x = state("x", [5]);
      x.write(add(mul(x.read(), state("base", [5], { shared: true }).read()), 1));
    });
    const heap = newHeap();
    let made = 0;
    const devices = [new WasmDevice(heap), new WasmDevice(heap)];
    const opened = await Promise.all(
      devices.map(async (device, i) => {
        const base = await device.commonArena([f32("base", 5)], {}, async (arena) => {
          made++;
          arena.write("base", [1, 2, 3, 4, 5]);
        });
        const arena = device.arena(program.states.values(), {}, base);
        arena.write("x", [i + 1, i + 1, i + 1, i + 1, i + 1]);
        return { base, arena, bound: device.compile(program).bind(arena) };
      }),
    );
    for (const { bound } of [...opened, ...opened]) bound.run();
    expect(made).toBe(1);
    expect(opened.map(({ arena }) => [...arena.read("x")])).toEqual(
      [1, 2].map((x) => [1, 2, 3, 4, 5].map((b) => (x * b + 1) * b + 1)),
    );
    // Another device still reads what the first one made.
    for (const { base } of opened) {
      base.release();
      expect(() => base.read("base")).toThrow("after release");
    }
    const third = await new WasmDevice(heap).commonArena([f32("base", 5)], {}, async () => {
      throw new Error("made again");
    });
    expect([...third.read("base")]).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("what is made once", () => {
  const making = (heap: SharedHeap, make: () => Promise<number>, dropped: number[] = []) =>
    madeOnce(heap, { make, drop: (address) => void dropped.push(address) });

  it("is made by another thread if the first one fails, which gets its error", async () => {
    const heap = newHeap();
    const first = making(heap, async () => {
      throw new Error("the disk is gone");
    });
    const second = making(heap, async () => 64);
    await expect(first).rejects.toThrow("the disk is gone");
    expect(await second).toBe(64);
    expect(await making(heap, async () => 128)).toBe(64);
  });

  it("is of the thread that is ready first, if one was taken for lost", async () => {
    const heap = newHeap();
    const dropped: number[] = [];
    const late = making(
      heap,
      async () => {
        // As a waiting thread does after too long a silence.
        new Int32Array(heap.memory.buffer)[0] = 0;
        expect(await making(heap, async () => 64)).toBe(64);
        return 128;
      },
      dropped,
    );
    expect(await late).toBe(64);
    expect(dropped).toEqual([128]);
  });

  it("may lie above 2 GiB", async () => {
    const heap = newHeap();
    expect(await making(heap, async () => 2 ** 31 + 64)).toBe(2 ** 31 + 64);
    expect(await making(heap, async () => 64)).toBe(2 ** 31 + 64);
  });
});
