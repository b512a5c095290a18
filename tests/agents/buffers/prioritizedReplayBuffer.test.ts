import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PrioritizedReplayBuffer } from "../../../src/agents/classes.ts";
import { Box, Discrete } from "../../../src/rl/spaces.ts";
import { decodeSafetensors, encodeSafetensors } from "../../../src/storage/index.ts";

const layout = { observation_space: new Box({ low: -1e9, high: 1e9 }), action_space: new Discrete(2) };

/** Transition number `i`, with reward `i`. */
const transition = (i: number) => ({ obs: [i], action: i % 2, reward: i, next_obs: [i + 1], done: false });

/** A replay buffer of transitions 0, 1, ... with these priorities. */
function memoryOf(priorities: readonly number[], alpha: number, max_size = priorities.length) {
  const memory = new PrioritizedReplayBuffer({ max_size, alpha });
  priorities.forEach((_priority, i) => void memory.add(transition(i)));
  memory.updatePriorities(
    priorities.map((_priority, i) => i),
    priorities,
  );
  return memory;
}

const tally = (rows: Int32Array, size: number): number[] => {
  const counts = new Array<number>(size).fill(0);
  for (const row of rows) counts[row] = (counts[row] as number) + 1;
  return counts;
};

describe("PrioritizedReplayBuffer", () => {
  it("draws from each equal part of the sum, so that counts are all but exact", () => {
    const memory = memoryOf([1, 2, 3, 10], 1);
    const { idxs, reward, obs } = memory.sample(1600, { seed: 1 });
    tally(idxs, 4).forEach((count, row) => {
      expect(Math.abs(count - 100 * ([1, 2, 3, 10][row] as number))).toBeLessThanOrEqual(2);
    });
    expect([...reward]).toEqual([...idxs]);
    expect([...obs]).toEqual([...idxs]);
    // Stratified samples are in the order of the rows.
    expect([...idxs]).toEqual([...idxs].sort((a, b) => a - b));
  });

  it("weighs by the hand-worked (p / least)^-beta", () => {
    const memory = memoryOf([1, 4, 16], 0.5);
    const weightOf = (beta: number) => {
      const { idxs, weights } = memory.sample(70, { beta, seed: 2 });
      return [0, 1, 2].map((row) => weights[idxs.indexOf(row)]);
    };
    // The probabilities have the ratio 1 : 2 : 4.
    expect(weightOf(1)).toEqual([1, 0.5, 0.25]);
    expect(weightOf(2)).toEqual([1, 0.25, 0.0625]);
    expect(weightOf(0)).toEqual([1, 1, 1]);
  });

  it("keeps its laws for any priorities", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e4, noNaN: true }), { minLength: 1, maxLength: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(),
        (priorities, alpha, seed) => {
          const memory = memoryOf(priorities, alpha);
          const { leaves, largest } = memory.priorities;
          const mass = (row: number) => Math.max(priorities[row] as number, 1e-5) ** alpha;
          priorities.forEach((_p, row) => {
            expect((leaves[row] as number) / mass(row)).toBeCloseTo(1, 6);
          });
          expect(largest).toBe(Math.max(1, ...priorities));
          const { idxs, weights } = memory.sample(64, { beta: 0.7, seed });
          expect(weights.every((w) => w > 0 && w <= 1)).toBe(true);
          const total = leaves.reduce((sum, leaf) => sum + leaf, 0);
          tally(idxs, priorities.length).forEach((count, row) => {
            const expected = (64 * (leaves[row] as number)) / total;
            expect(Math.abs(count - expected)).toBeLessThanOrEqual(2.001);
          });
          expect(memory.sample(64, { seed })).toEqual(memory.sample(64, { seed }));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("welcomes new transitions with the largest priority so far, also in the places of old ones", () => {
    const memory = memoryOf([9, 1], 0.5, 3);
    memory.add(transition(2));
    expect([...memory.priorities.leaves]).toEqual([3, 1, 3]);
    memory.updatePriorities([0], [0.25]);
    memory.add(transition(3));
    memory.add(transition(4));
    expect([...memory.priorities.leaves]).toEqual([3, 3, 3]);
    expect([...memory.read({ slot: 0, start: 0, count: 3 }).reward]).toEqual([3, 4, 2]);
  });

  it("keeps segments apart, and forgets priorities when it is dealt out anew or cleared", () => {
    const memory = new PrioritizedReplayBuffer({ max_size: 7 });
    memory.configure(layout, 2);
    memory.add(transition(1), { slot: 1 });
    expect([...memory.priorities.leaves]).toEqual([0, 0, 0, 1, 0, 0]);
    expect([...memory.sample(5).idxs]).toEqual([3, 3, 3, 3, 3]);
    memory.updatePriorities([3], [4]);
    memory.configure(layout, 1);
    expect([...memory.priorities.leaves]).toEqual([4 ** 0.6, 0, 0, 0, 0, 0, 0].map(Math.fround));
    memory.clear();
    expect(memory.priorities).toEqual({ leaves: new Float32Array(7), largest: 1 });
  });

  it("survives a file with the same bits", () => {
    const memory = memoryOf([0.3, 5, 0.001, 7], 0.6, 9);
    const file = encodeSafetensors(Object.entries(memory.toArrays()));
    const arrays = Object.fromEntries(decodeSafetensors(file, "f").tensors);
    const read = PrioritizedReplayBuffer.fromArrays(arrays);
    for (const buffer of [memory, read]) buffer.add(transition(50));
    expect(read.alpha).toBe(0.6);
    expect(read.sample(40, { seed: 5, beta: 0.9 })).toEqual(memory.sample(40, { seed: 5, beta: 0.9 }));
    const { priorities: _gone, ...plain } = arrays;
    expect(() => PrioritizedReplayBuffer.fromArrays(plain)).toThrow("was it a PrioritizedReplayBuffer?");
  });

  it("has the defaults of the interface, and names what is wrong", () => {
    expect(new PrioritizedReplayBuffer({ max_size: 2 }).alpha).toBe(0.6);
    expect(() => new PrioritizedReplayBuffer({ max_size: 2, alpha: 1.5 })).toThrow(
      "PrioritizedReplayBuffer.alpha: found 1.5, allowed 0 to 1",
    );
    const memory = memoryOf([1, 2], 1, 3);
    expect(() => new PrioritizedReplayBuffer({ max_size: 2 }).sample(1)).toThrow("the buffer is empty");
    expect(() => memory.sample(0)).toThrow("batch_size: found 0");
    expect(() => memory.sample(1, { beta: -1 })).toThrow("beta: found -1, allowed numbers from 0");
    expect(() => memory.updatePriorities([2], [1])).toThrow("row 2 holds no transition");
    expect(() => memory.updatePriorities([0, 1], [1])).toThrow("found 1 priorities for 2 idxs");
    expect(() => memory.updatePriorities([0, 1], [1, Number.NaN])).toThrow("priorities[1]: found NaN");
    expect(memory.priorities.leaves[0]).toBe(1);
  });
});
