import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReplayBuffer } from "../../../src/agents/classes.ts";
import { Box, Discrete } from "../../../src/rl/spaces.ts";
import { decodeSafetensors, encodeSafetensors } from "../../../src/storage/index.ts";

const layout = {
  observation_space: new Box({ low: -1e9, high: 1e9, shape: [2] }),
  action_space: new Discrete(5),
};

/** Transition number `i`, recognisable in every field. */
const transition = (i: number) => ({
  obs: [i, i + 0.5],
  action: i % 5,
  reward: i,
  next_obs: [i + 1, i + 1.5],
  done: i % 3 === 0,
});

/** Transitions from `first` on, as one batch. */
const batchOf = (first: number, count: number) => {
  const all = Array.from({ length: count }, (_, i) => transition(first + i));
  return {
    obs: all.flatMap((t) => t.obs),
    action: all.map((t) => t.action),
    reward: all.map((t) => t.reward),
    next_obs: all.flatMap((t) => t.next_obs),
    done: all.map((t) => t.done),
  };
};

const sorted = (values: Iterable<number>) => [...values].sort((a, b) => a - b);

describe("ReplayBuffer", () => {
  it("holds the last max_size transitions, however they came in", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 }),
        (max_size, counts) => {
          const buffer = new ReplayBuffer({ max_size });
          let total = 0;
          for (const count of counts) {
            buffer.add(count === 1 ? transition(total) : batchOf(total, count));
            total += count;
          }
          const kept = Math.min(total, max_size);
          expect(buffer.size).toBe(kept);
          expect(buffer.counter).toBe(total);
          expect(buffer.isFull).toBe(total >= max_size);
          if (kept === 0) return;
          const { reward } = buffer.read({ slot: 0, start: 0, count: kept });
          expect(sorted(reward)).toEqual(Array.from({ length: kept }, (_, i) => total - kept + i));
        },
      ),
    );
  });

  it("samples whole transitions, uniformly over those it holds", () => {
    const buffer = new ReplayBuffer({ max_size: 12 });
    buffer.configure(layout, 2);
    buffer.add(batchOf(0, 8), { slot: 0 }); // 2 .. 7 remain
    buffer.add(batchOf(100, 4), { slot: 1 });
    const batch = buffer.sample(10_000, { seed: 3 });
    const tally = new Map<number, number>();
    batch.reward.forEach((r, i) => {
      tally.set(r, (tally.get(r) ?? 0) + 1);
      expect([...batch.obs.subarray(2 * i, 2 * i + 2)]).toEqual([r, r + 0.5]);
      expect([...batch.next_obs.subarray(2 * i, 2 * i + 2)]).toEqual([r + 1, r + 1.5]);
      expect([batch.action[i], batch.done[i]]).toEqual([r % 5, r % 3 === 0 ? 1 : 0]);
    });
    expect(sorted(tally.keys())).toEqual([2, 3, 4, 5, 6, 7, 100, 101, 102, 103]);
    // 99.9th percentile of chi square with 9 degrees of freedom.
    const chi = [...tally.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
    expect(chi).toBeLessThan(27.9);
    expect(buffer.sample(50, { seed: 3 })).toEqual(buffer.sample(50, { seed: 3 }));
    expect(buffer.sample(50, { seed: 3 })).not.toEqual(buffer.sample(50, { seed: 4 }));
  });

  it("gives each member floor(max_size / population) transitions, and deals out what it held", () => {
    const buffer = new ReplayBuffer({ max_size: 11 });
    buffer.add(batchOf(0, 9));
    buffer.configure(layout, 3);
    expect(buffer.segment).toBe(3);
    expect(buffer.rings).toEqual([
      { position: 0, count: 3 },
      { position: 0, count: 3 },
      { position: 0, count: 3 },
    ]);
    const rewards = buffer.segments.map(({ reward }) => [...reward]);
    expect(rewards).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
    ]);
    buffer.configure(layout, 5); // 5 segments of 2: at most 10 fit
    expect(
      sorted(
        buffer.segments.flatMap(({ reward }, slot) => [...reward.subarray(0, buffer.rings[slot]?.count)]),
      ),
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    buffer.configure(layout, 1);
    expect(buffer.size).toBe(9);
  });

  it("reads and writes rows around the ring", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        (segment, population, a, b, c) => {
          const range = { slot: a % population, start: b % segment, count: c % (segment + 1) };
          const source = new ReplayBuffer({ max_size: segment * population });
          const copy = new ReplayBuffer({ max_size: segment * population });
          for (const buffer of [source, copy]) buffer.configure(layout, population);
          for (let slot = 0; slot < population; slot++) source.add(batchOf(100 * slot, segment), { slot });
          const rows = source.read(range);
          copy.write({ ...range, rows });
          expect(copy.read(range)).toEqual(rows);
          expect([...rows.reward]).toEqual(
            Array.from({ length: range.count }, (_, i) => 100 * range.slot + ((range.start + i) % segment)),
          );
          const written = copy.segments.flatMap(({ obs }) => [...obs]).filter((x) => x !== 0).length;
          expect(written).toBeLessThanOrEqual(2 * range.count);
        },
      ),
    );
  });

  it("survives a file with the same bits", () => {
    fc.assert(
      fc.property(fc.nat(12), fc.nat(12), (first, second) => {
        const buffer = new ReplayBuffer({ max_size: 17 });
        buffer.configure(layout, 2);
        if (first > 0) buffer.add(batchOf(0, first), { slot: 0 });
        if (second > 0) buffer.add(batchOf(50, second), { slot: 1 });
        const file = encodeSafetensors(Object.entries(buffer.toArrays()));
        const read = ReplayBuffer.fromArrays(Object.fromEntries(decodeSafetensors(file, "f").tensors));
        expect(read.rings).toEqual(buffer.rings);
        expect(read.counter).toBe(buffer.counter);
        expect(read.max_size).toBe(17);
        for (const slot of [0, 1]) {
          const range = { slot, start: 0, count: buffer.rings[slot]?.count ?? 0 };
          expect(read.read(range)).toEqual(buffer.read(range));
        }
        buffer.add(batchOf(90, 3), { slot: 1 });
        read.add(batchOf(90, 3), { slot: 1 });
        expect(read.rings).toEqual(buffer.rings);
        expect(read.sample(20, { seed: 1 })).toEqual(buffer.sample(20, { seed: 1 }));
      }),
    );
  });

  it("names what is wrong", () => {
    expect(() => new ReplayBuffer({ max_size: 0 })).toThrow("ReplayBuffer.max_size: found 0");
    expect(() => new ReplayBuffer({ max_size: 9 }).sample(4)).toThrow("the buffer is empty");
    const buffer = new ReplayBuffer({ max_size: 3 });
    expect(() => buffer.configure(layout, 4)).toThrow("at least one transition for each of 4 members");
    buffer.configure(layout, 1);
    expect(() => buffer.add({ ...transition(1), obs: [1] })).toThrow(
      "experiences.obs: found 1 numbers, allowed 2",
    );
    expect(() => buffer.add({ ...transition(1), action: 0.5 })).toThrow("experiences.action");
    expect(() => buffer.add(transition(1), { slot: 1 })).toThrow("slot: found 1, allowed 0 to 0");
    buffer.add(transition(1));
    expect(() => buffer.configure({ ...layout, action_space: new Box({ low: 0, high: 1 }) })).toThrow(
      "clear() first",
    );
    expect(() => ReplayBuffer.fromArrays({})).toThrow('array "replay": found nothing');
    buffer.clear();
    expect([buffer.size, buffer.counter]).toEqual([0, 0]);
  });

  it("keeps bytes four to a word, and gives them back as numbers", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.array(byte, { minLength: 18, maxLength: 18 }),
        (width, bytes) => {
          const buffer = new ReplayBuffer({ max_size: 3 });
          const observation_space = new Box({ low: 0, high: 255, shape: [width], dtype: "uint8" });
          buffer.configure({ observation_space, action_space: new Discrete(2) });
          const row = (t: number) => bytes.slice(t, t + width);
          for (let t = 0; t < 3; t++)
            buffer.add({ obs: row(t), action: 0, reward: t, next_obs: row(t + 1), done: false });
          const { obs, next_obs } = buffer.transitionsAt([2, 0]);
          expect([...obs]).toEqual([...row(2), ...row(0)]);
          expect([...next_obs]).toEqual([...row(3), ...row(1)]);
          expect(buffer.segments[0]?.obs).toEqual(new Uint32Array(buffer.segments[0]?.obs ?? []));
          expect(buffer.segments[0]?.obs.length).toBe(3 * Math.ceil(width / 4));
          const file = encodeSafetensors(Object.entries(buffer.toArrays()));
          const read = ReplayBuffer.fromArrays(Object.fromEntries(decodeSafetensors(file, "f").tensors));
          expect(read.transitionsAt([0, 1, 2])).toEqual(buffer.transitionsAt([0, 1, 2]));
          const wrong = { obs: row(0).map(() => 256), action: 0, reward: 0, next_obs: row(0), done: false };
          expect(() => buffer.add(wrong)).toThrow(
            "experiences.obs: found 256 where the replay buffer stores bytes, allowed whole numbers 0 to 255",
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it("takes bytes from the first transition on", () => {
    const buffer = new ReplayBuffer({ max_size: 4 });
    const obs = Uint8Array.of(1, 2, 3, 4, 5);
    buffer.add({ obs, action: 0, reward: 1, next_obs: obs, done: false });
    expect(buffer.segments[0]?.obs).toEqual(new Uint32Array([0x04030201, 5, 0, 0, 0, 0, 0, 0]));
    expect(buffer.transitionsAt([0]).obs).toEqual(new Float32Array([1, 2, 3, 4, 5]));
  });

  it("takes real actions from the first transition on", () => {
    const buffer = new ReplayBuffer({ max_size: 4 });
    buffer.add({ obs: [0], action: new Float32Array([1]), reward: 1, next_obs: [1], done: 0 });
    buffer.add({ obs: [0], action: [0.25], reward: 1, next_obs: [1], done: 0 });
    expect(buffer.read({ slot: 0, start: 0, count: 2 }).action).toEqual(new Float32Array([1, 0.25]));
  });
});
