/** Replay buffers for observations that mix images and flags with fractional numbers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MultiStepReplayBuffer, PrioritizedReplayBuffer, ReplayBuffer } from "../../../src/agents/classes.ts";
import { Box, Dict, Discrete, MultiBinary } from "../../../src/rl/spaces.ts";
import { decodeSafetensors, encodeSafetensors } from "../../../src/storage/index.ts";

const WORDS = 5;
const observation_space = new Dict({
  speed: new Box({ low: -1e9, high: 1e9, shape: [2] }),
  picture: new Box({ low: 0, high: 255, shape: [2, 2, 1], dtype: "uint8" }),
  level: new Box({ low: -1e9, high: 1e9, shape: [1] }),
  flag: new MultiBinary(1),
});
const layout = { observation_space, action_space: new Discrete(5) };
const observation = (t: number) => [t + 0.25, -t / 3, t, 2 * t, 255 - t, 7, 1e6 * t, t % 2].map(Math.fround);
const transition = (t: number) => ({
  obs: observation(t),
  action: t % 5,
  reward: t,
  next_obs: observation(t + 1),
  done: t % 4 === 3,
});
/** Adds transitions 0 .. count - 1 to a replay buffer. */
function filled<B extends ReplayBuffer>(memory: B, count: number): B {
  for (let t = 0; t < count; t++) memory.add(transition(t));
  return memory;
}

/** Configures a replay buffer with the byte layout. */
function laidOut<B extends ReplayBuffer>(memory: B): B {
  memory.configure(layout);
  return memory;
}

/** Contents of a replay buffer after a round trip through a file. */
const fileOf = (memory: ReplayBuffer) =>
  Object.fromEntries(decodeSafetensors(encodeSafetensors(Object.entries(memory.toArrays())), "f").tensors);

describe("memories of pictures beside fractions", () => {
  it("keep bytes first, four to a word, then the bits of the other numbers", () => {
    const memory = laidOut(new ReplayBuffer({ max_size: 1 }));
    const obs = [0.5, -2, 1, 2, 3, 255, 1.5, 1];
    memory.add({ obs, action: 0, reward: 0, next_obs: obs, done: false });
    const row = Uint32Array.of(0xff030201, 1, 0x3f000000, 0xc0000000, 0x3fc00000);
    expect(memory.segments[0]).toMatchObject({ obs: row, next_obs: row });
    expect(memory.transitionsAt([0]).obs).toEqual(Float32Array.from(obs));
  });

  it("give back any finite numbers that f32 holds", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const number = fc.float({ noNaN: true, noDefaultInfinity: true });
    const any = fc.tuple(number, number, byte, byte, byte, byte, number, byte);
    fc.assert(
      fc.property(any, any, (obs, next_obs) => {
        const memory = laidOut(new ReplayBuffer({ max_size: 2 }));
        memory.add({ obs, action: 0, reward: 0, next_obs, done: false });
        const batch = memory.sample(2, { seed: 1 });
        expect([...batch.obs]).toEqual([...obs, ...obs]);
        expect([...batch.next_obs]).toEqual([...next_obs, ...next_obs]);
      }),
    );
  });

  it("refuse what is no byte in a picture, and no other number", () => {
    const memory = laidOut(new ReplayBuffer({ max_size: 3 }));
    const wrong = { ...transition(0), next_obs: observation(1).with(3, 0.5) };
    expect(() => memory.add(wrong)).toThrow(
      "experiences.next_obs: found 0.5 where the replay buffer stores bytes, allowed whole numbers 0 to 255",
    );
    expect(memory.size).toBe(0);
  });

  it("survive a file with the same bits, and say what lies as bytes", () => {
    const memory = filled(laidOut(new ReplayBuffer({ max_size: 4 })), 6);
    const arrays = fileOf(memory);
    expect(arrays["0.obs"]?.shape).toEqual([4, WORDS]);
    const read = laidOut(ReplayBuffer.fromArrays(arrays));
    expect(read.segments).toEqual(memory.segments);
    for (const buffer of [memory, read]) buffer.add(transition(6));
    expect(read.sample(9, { seed: 3 })).toEqual(memory.sample(9, { seed: 3 }));
  });

  it("take over the numbers of callers and of files from before, in the places where they are", () => {
    const numbers = filled(new PrioritizedReplayBuffer({ max_size: 4 }), 6);
    numbers.updatePriorities([0, 1, 2, 3], [5, 0.1, 2, 3]);
    expect(numbers.segments[0]?.obs).toBeInstanceOf(Float32Array);
    const expected = filled(laidOut(new ReplayBuffer({ max_size: 4 })), 6);
    const { priorities } = numbers;
    for (const memory of [PrioritizedReplayBuffer.fromArrays(fileOf(numbers)), numbers]) {
      expect(laidOut(memory).segments).toEqual(expected.segments);
      expect(memory.rings).toEqual(expected.rings);
      expect(memory.priorities).toEqual(priorities);
    }
    numbers.configure(layout, 2);
    expect(numbers.segments.map(({ reward }) => [...reward])).toEqual([
      [2, 3],
      [4, 5],
    ]);
    expect([...numbers.transitionsAt([2]).obs]).toEqual(observation(4));
  });

  it("refuse to take over numbers that are no bytes, and stay as they were", () => {
    const memory = new ReplayBuffer({ max_size: 2 });
    memory.add({ ...transition(1), obs: observation(1).with(2, -1) });
    const before = memory.transitionsAt([0]);
    expect(() => laidOut(memory)).toThrow("experiences.obs: found -1 where the replay buffer stores bytes");
    expect(memory.transitionsAt([0])).toEqual(before);
  });

  it("give the same returns over several steps as one of numbers, with the same first steps", () => {
    const options = { max_size: 9, n_step: 3, gamma: 0.5 };
    const [kept, plain] = [
      laidOut(new MultiStepReplayBuffer(options)),
      new MultiStepReplayBuffer(options),
    ] as const;
    for (let t = 0; t < 12; t++) expect(kept.add(transition(t))).toEqual(plain.add(transition(t)));
    expect(kept.sample(20, { seed: 2 })).toEqual(plain.sample(20, { seed: 2 }));
    expect(kept.flush()).toEqual(plain.flush());
    const read = MultiStepReplayBuffer.fromArrays(fileOf(kept));
    expect(read.sample(20, { seed: 2 })).toEqual(plain.sample(20, { seed: 2 }));
  });
});

describe("files of memories of bytes", () => {
  it("need not say that all numbers are bytes", () => {
    const memory = new ReplayBuffer({ max_size: 3 });
    const obs = Uint8Array.of(1, 2, 3, 4, 5);
    memory.add({ obs, action: 0, reward: 1, next_obs: obs, done: false });
    const { bytes, ...before } = fileOf(memory);
    expect(bytes?.data).toEqual(Uint32Array.of(0, 5));
    expect(ReplayBuffer.fromArrays(before).segments).toEqual(memory.segments);
  });
});
