import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MultiStepReplayBuffer, PrioritizedReplayBuffer } from "../../../src/agents/classes.ts";
import { Box, Discrete } from "../../../src/rl/spaces.ts";
import { decodeSafetensors, encodeSafetensors } from "../../../src/storage/index.ts";

interface Lane {
  readonly reward: number;
  readonly done?: boolean;
  readonly truncated?: boolean;
}

/** Vector step number `t`. Observations encode their step and lane. */
const vectorStep = (t: number, lanes: readonly Lane[]) => ({
  obs: lanes.map((_lane, i) => 100 * t + i),
  action: lanes.map((_lane, i) => i % 2),
  reward: lanes.map(({ reward }) => reward),
  next_obs: lanes.map((_lane, i) => 100 * t + i + 0.5),
  done: lanes.map(({ done }) => done ?? false),
  truncated: lanes.map(({ truncated }) => truncated ?? false),
});

const all = (memory: MultiStepReplayBuffer) =>
  memory.transitionsAt(Array.from({ length: memory.size }, (_, row) => row));

/** [obs, reward, next_obs, done, discount] of each stored row. */
function table(memory: MultiStepReplayBuffer): number[][] {
  const { obs, reward, next_obs, done, discount } = all(memory);
  return [...obs].map((x, i) => [x, reward[i], next_obs[i], done[i], discount[i]] as number[]);
}

describe("MultiStepReplayBuffer", () => {
  it("gives the hand-worked returns of a lane without ends", () => {
    const memory = new MultiStepReplayBuffer({ max_size: 10, n_step: 3, gamma: 0.5 });
    const returned = [1, 2, 4, 8].map((reward, t) => memory.add(vectorStep(t, [{ reward }])));
    expect(returned.slice(0, 2)).toEqual([null, null]);
    expect(returned[2]).toEqual({
      obs: new Float32Array([0]),
      action: new Int32Array([0]),
      reward: new Float32Array([1]),
      next_obs: new Float32Array([0.5]),
      done: new Float32Array([0]),
    });
    expect(returned[3]?.reward).toEqual(new Float32Array([2]));
    // 1 + 2/2 + 4/4; 2 + 4/2 + 8/4.
    expect(table(memory)).toEqual([
      [0, 3, 200.5, 0, 0.125],
      [100, 6, 300.5, 0, 0.125],
    ]);
    expect(memory.flush()?.reward).toEqual(new Float32Array([4, 8]));
    expect(table(memory).slice(2)).toEqual([
      [200, 8, 300.5, 0, 0.25],
      [300, 8, 300.5, 0, 0.5],
    ]);
    expect(memory.flush()).toBeNull();
  });

  it("never goes on from a terminal first step", () => {
    const memory = new MultiStepReplayBuffer({ max_size: 10, n_step: 3, gamma: 0.9 });
    memory.add(vectorStep(0, [{ reward: 1, done: true }]));
    memory.add(vectorStep(1, [{ reward: 10 }]));
    memory.add(vectorStep(2, [{ reward: 100 }]));
    const [first] = table(memory);
    expect(first?.slice(0, 4)).toEqual([0, 1, 0.5, 1]);
    expect(first?.[4]).toBeCloseTo(0.9, 6);
  });

  it("ends each lane by itself, at truncations too", () => {
    const memory = new MultiStepReplayBuffer({ max_size: 10, n_step: 3, gamma: 0.5 });
    memory.add(vectorStep(0, [{ reward: 1 }, { reward: 1 }, { reward: 1 }]));
    memory.add(vectorStep(1, [{ reward: 2, done: true }, { reward: 2 }, { reward: 2, truncated: true }]));
    memory.add(vectorStep(2, [{ reward: 4 }, { reward: 4 }, { reward: 4 }]));
    expect(table(memory)).toEqual([
      [0, 2, 100.5, 1, 0.25],
      [1, 3, 201.5, 0, 0.125],
      [2, 2, 102.5, 0, 0.25],
    ]);
  });

  it("agrees with a walk along each lane, over windows, flushes and full rings", () => {
    const lane = fc
      .record({ reward: fc.integer({ min: -9, max: 9 }), end: fc.constantFrom("no", "no", "done", "cut") })
      .map(({ reward, end }): Lane => ({ reward, done: end === "done", truncated: end === "cut" }));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(0.5, 0.75, 1),
        fc.integer({ min: 0, max: 20 }),
        fc.array(fc.record({ lanes: fc.tuple(lane, lane, lane), flush: fc.nat(9) }), { maxLength: 14 }),
        (lanes, n_step, gamma, room, steps) => {
          const memory = new MultiStepReplayBuffer({ max_size: lanes + room, n_step, gamma });
          const single = new PrioritizedReplayBuffer({ max_size: lanes + room });
          const flushed = (t: number) => steps[t]?.flush === 0;
          steps.forEach(({ lanes: three }, t) => {
            const first = memory.add(vectorStep(t, three.slice(0, lanes)));
            if (first) single.add(first);
            const rest = flushed(t) ? memory.flush() : null;
            if (rest) single.add(rest);
          });
          expect(memory.size).toBe(single.size);
          if (memory.size === 0) return;
          const { obs, reward, next_obs, done, discount } = all(memory);
          obs.forEach((x, row) => {
            const [start, i] = [Math.floor(x / 100), x % 100];
            let [sum, factor, t] = [0, 1, start];
            for (; ; t++) {
              const step = steps[t]?.lanes[i] as Lane;
              sum += factor * step.reward;
              factor *= gamma;
              if (step.done || step.truncated || flushed(t) || t === start + n_step - 1) break;
            }
            expect(reward[row]).toBe(sum);
            expect(discount[row]).toBeCloseTo(factor, 6);
            expect(next_obs[row]).toBe(100 * t + i + 0.5);
            expect(done[row]).toBe(Number(steps[t]?.lanes[i]?.done));
          });
          // In lockstep with a single-step replay buffer: the same rows have the same first observations.
          const rows = Array.from({ length: memory.size }, (_, row) => row);
          expect(single.transitionsAt(rows).obs).toEqual(obs);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("does not keep the caller's arrays", () => {
    const memory = new MultiStepReplayBuffer({ max_size: 4, n_step: 2, gamma: 1 });
    const obs = new Float32Array([1]);
    const transition = { obs, action: 0, reward: 1, next_obs: obs, done: false };
    memory.add(transition);
    obs[0] = 2;
    expect(memory.add(transition)?.obs).toEqual(new Float32Array([1]));
  });

  it("keeps members' windows apart, and flushes them before it is laid out anew", () => {
    const memory = new MultiStepReplayBuffer({ max_size: 8, n_step: 2, gamma: 1 });
    const layout = { observation_space: new Box({ low: 0, high: 1e9 }), action_space: new Discrete(2) };
    memory.configure(layout, 2);
    memory.add(vectorStep(0, [{ reward: 1 }]), { slot: 0 });
    memory.add(vectorStep(1, [{ reward: 2 }]), { slot: 1 });
    memory.add(vectorStep(2, [{ reward: 4 }]), { slot: 0 });
    expect(memory.rings.map(({ count }) => count)).toEqual([1, 0]);
    memory.configure(layout, 1);
    expect(table(memory)).toEqual([
      [0, 5, 200.5, 0, 1],
      [200, 4, 200.5, 0, 1],
      [100, 2, 100.5, 0, 1],
    ]);
    // Steps with a different number of lanes do not continue earlier ones, as their strides differ.
    memory.add(vectorStep(3, [{ reward: 8 }, { reward: 8 }]));
    expect(table(memory).map(([, reward]) => reward)).toEqual([1, 4, 2]);
  });

  it("survives a file with the same bits", () => {
    const memory = new MultiStepReplayBuffer({ max_size: 9, n_step: 2, gamma: 0.3 });
    [1, 2, 3].forEach((reward, t) => void memory.add(vectorStep(t, [{ reward }, { reward: -reward }])));
    const file = encodeSafetensors(Object.entries(memory.toArrays()));
    const read = MultiStepReplayBuffer.fromArrays(Object.fromEntries(decodeSafetensors(file, "f").tensors));
    expect([read.n_step, read.gamma, read.size]).toEqual([2, 0.3, 6]);
    for (const buffer of [memory, read]) {
      buffer.add(vectorStep(3, [{ reward: 4 }, { reward: 5 }]));
      buffer.add(vectorStep(4, [{ reward: 6 }, { reward: 7 }]));
    }
    expect(table(read)).toEqual(table(memory));
    expect(read.sample(30, { seed: 1 })).toEqual(memory.sample(30, { seed: 1 }));
  });

  it("has the defaults of the interface, and names what is wrong", () => {
    const memory = new MultiStepReplayBuffer({ max_size: 4 });
    expect([memory.n_step, memory.gamma]).toEqual([3, 0.99]);
    expect(() => new MultiStepReplayBuffer({ max_size: 4, n_step: 0 })).toThrow("n_step: found 0");
    expect(() => new MultiStepReplayBuffer({ max_size: 4, gamma: 2 })).toThrow("gamma: found 2");
    memory.add(vectorStep(0, [{ reward: 1 }]));
    const two = vectorStep(1, [{ reward: 1 }, { reward: 1 }]);
    expect(() => memory.add(two)).toThrow("found 2 lanes, allowed 1 as in the window; call flush() first");
    memory.flush();
    expect(() => memory.add({ ...two, truncated: [false] })).toThrow(
      "experiences.truncated: found 1 flags, allowed 2",
    );
    const five = new Array<Lane>(5).fill({ reward: 0 });
    expect(() => memory.add(vectorStep(2, five))).toThrow("found 5 lanes, allowed up to 4");
    expect(() => memory.transitionsAt([1])).toThrow("row 1 holds no transition");
  });
});
