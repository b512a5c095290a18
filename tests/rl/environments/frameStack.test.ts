/** Stacks of the latest observations: one meaning for compiled and host environments, whatever they observe. */
// @apart: it registers environments.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../src/evolution/random.ts";
import {
  findEnvironment,
  jsonSpace,
  loadEnvironment,
  make,
  makeVector,
  registerEnvironment,
  stackFrames,
} from "../../../src/rl/environments.ts";
import { FRAME_STACK, type HostEnvironment, SyncVectorEnvironment } from "../../../src/rl/faces.ts";
import {
  Agents,
  Box,
  Dict,
  Discrete,
  elementSize,
  imageLayout,
  MultiBinary,
  MultiDiscrete,
  observationKind,
  type Space,
  spaceFromJson,
  spaceToJson,
  stackedSpace,
  Tuple,
} from "../../../src/rl/spaces.ts";
import { pairOf } from "../support/pair.ts";
import { gaugedPictures } from "../support/pictures.ts";

// Under ids of their own: other files of the process register the same environments.
const pictures = { ...gaugedPictures("uint8"), id: "test/StackedPictures-v0" };
const pair = { ...pairOf("choices"), id: "test/StackedPair-v0" };
registerEnvironment(pictures);
registerEnvironment(pair);
await loadEnvironment("LunarLander-v3");

/**
 * What is observed after these observations of an episode, the oldest first.
 * @param left 1 for agents whose task has ended, each of which is a part of the observation.
 */
function stackOf(
  space: Space,
  frames: number,
  seen: readonly Float32Array[],
  left: readonly number[],
): number[] {
  const kept = Array.from({ length: frames }, (_, i) => seen[Math.max(0, seen.length - frames + i)] ?? []);
  let start = 0;
  const parts = "parts" in space ? space.parts.map((part) => part.space) : [space];
  return parts.flatMap((part, i) => {
    const [from, to] = [start, (start += elementSize(part))];
    const own = kept.flatMap((one) => Array.from(one.slice(from, to), (x) => (left[i] === 1 ? 0 : x)));
    return part.kind === "Discrete" ? own.slice(from - to) : own;
  });
}

const LANES = [0, 1, 2];
const options = { max_episode_steps: 5 };

describe.each(["CartPole-v1", "LunarLander-v3", pictures.id, pair.id])("stacks of %s", (id) => {
  it("are the episode's latest observations, in every lane, whatever ends it", () => {
    const law = fc.property(fc.integer({ min: 2, max: 4 }), fc.nat(99), (frames, seed) => {
      const plain = makeVector(id, 3, options);
      const stacked = makeVector(id, 3, { ...options, [FRAME_STACK]: frames });
      const { single_observation_space: space, single_action_space } = plain;
      const width = elementSize(space);
      const row = (rows: Float32Array, lane: number) => rows.slice(lane * width, (lane + 1) * width);
      const seen = LANES.map((): Float32Array[] => []);
      const expectStacks = (found: Float32Array, left: readonly (readonly number[])[]): void =>
        expect([...found]).toEqual(
          seen.flatMap((own, lane) => stackOf(space, frames, own, left[lane] ?? [])),
        );

      const first = plain.reset({ seed }).observation;
      for (const lane of LANES) seen[lane]?.push(row(first, lane));
      expectStacks(stacked.reset({ seed }).observation, []);
      const random = new Random({ seed, stream: "actions" });
      for (let step = 0; step < 12; step++) {
        const actions = LANES.flatMap(() => {
          const action = single_action_space.sample(random);
          return typeof action === "number" ? [action] : Array.from(action);
        });
        const [own, found] = [plain.step(actions), stacked.step(actions)];
        const { observation, final_observation, terminated, truncated } = own;
        expect({ ...found, observation, final_observation }).toEqual(own);
        const agents = terminated.length / 3;
        const left = LANES.map((lane) => [...terminated.slice(lane * agents, (lane + 1) * agents)]);
        for (const lane of LANES) seen[lane]?.push(row(final_observation, lane));
        expectStacks(found.final_observation, agents > 1 ? left : []);
        for (const lane of LANES) {
          if (truncated[lane] === 0 && left[lane]?.includes(0)) continue;
          seen[lane] = [row(observation, lane)];
          left[lane] = [];
        }
        expectStacks(found.observation, agents > 1 ? left : []);
      }
      for (const lanes of [plain, stacked]) lanes.close();
    });
    fc.assert(law, { numRuns: 4 });
  });

  it("are the same from stackFrames, around lanes or around one environment", () => {
    const named = makeVector(id, 2, { ...options, [FRAME_STACK]: 3 });
    const around = stackFrames(makeVector(id, 2, options), 3);
    const each = stackFrames(
      new SyncVectorEnvironment([0, 1].map(() => () => stackFrames(make(id, options), 3) as HostEnvironment)),
      1,
    );
    const all = [named, around, each];
    for (const { single_observation_space } of all)
      expect(single_observation_space).toEqual(named.single_observation_space);
    // So that members which train elsewhere, or in a tensor program, make the same lanes.
    expect(around).toMatchObject({ environment: findEnvironment(id, { ...options, [FRAME_STACK]: 3 }) });
    const [first, ...others] = all.map((lanes) => lanes.reset({ seed: 5 }).observation);
    for (const other of others) expect(other).toEqual(first);
    const random = new Random({ seed: 5, stream: "actions" });
    for (let step = 0; step < 12; step++) {
      const actions = [0, 1].flatMap(() => {
        const action = named.single_action_space.sample(random);
        return typeof action === "number" ? [action] : Array.from(action);
      });
      const [expected, ...found] = all.map((lanes) => lanes.step(actions));
      for (const one of found) {
        expect(one.observation).toEqual(expected?.observation);
        expect(one.final_observation).toEqual(expected?.final_observation);
      }
    }
    for (const lanes of all) lanes.close();
  });
});

describe("the space of stacks", () => {
  const numbers = new Box({ low: [-1, 0], high: [1, 5] });
  const gray = new Box({ low: 0, high: 255, shape: [6, 5], dtype: "uint8" });
  const colour = new Box({ low: 0, high: 255, shape: [6, 5, 3], dtype: "uint8" });

  it("has Gymnasium's shapes, and stays the same as JSON", () => {
    const parts = {
      numbers,
      gray,
      colour,
      bits: new MultiBinary(2),
      keys: new MultiDiscrete([3, 4]),
      room: new Discrete(9),
    };
    const space = stackedSpace(new Dict(parts), 2) as Dict;
    expect(Object.values(space.spaces).map(({ shape }) => shape)).toEqual([
      [2, 2],
      [2, 6, 5],
      [2, 6, 5, 3],
      [2, 2],
      [4],
      [],
    ]);
    expect(space.spaces.numbers).toMatchObject({ low: Float32Array.of(-1, 0, -1, 0), dtype: "float32" });
    expect(space.spaces.colour).toMatchObject({ dtype: "uint8" });
    expect(space.spaces.keys).toMatchObject({ nvec: [3, 4, 3, 4] });
    const json = JSON.parse(JSON.stringify(spaceToJson(space)));
    expect(spaceFromJson(jsonSpace.parse(json))).toEqual(space);
    expect(stackedSpace(new Tuple([numbers, gray]), 3)).toMatchObject({ shape: [3 * 2 + 3 * 30] });
    const team = stackedSpace(new Agents({ a: numbers, b: gray }), 3);
    expect(team).toMatchObject({ ids: ["a", "b"], shape: [3 * 2 + 3 * 30] });
  });

  it("has images whose channels are those of all frames, however small they are", () => {
    const layout = (space: Box, frames: number) => imageLayout(stackedSpace(space, frames) as Box);
    expect(layout(gray, 9)).toMatchObject({ shape: [9, 6, 5], channelsLast: false });
    expect(layout(colour, 4)).toMatchObject({ shape: [12, 6, 5], channelsLast: true, images: 4 });
    const first = new Box({ low: 0, high: 1, shape: [3, 10, 10] });
    expect(layout(first, 4)).toMatchObject({ shape: [12, 10, 10], channelsLast: false });
    expect(observationKind(stackedSpace(numbers, 4))).toBe("vector");
  });

  it.each<[string, Space, RegExp]>([
    ["a single choice", new Discrete(5), /single choices \(an integer from 0 to 4/],
    ["single choices only", new Tuple([new Discrete(5), new Discrete(2)]), /single choices \(Tuple of/],
    ["a team of single choices", new Agents({ a: new Discrete(3), b: new Discrete(2) }), /Agents of a: /],
    ["a stack", stackedSpace(numbers, 2), /found a stack already/],
  ])("is refused for %s", (_what, space, message) => {
    expect(() => stackedSpace(space, 2)).toThrow(message);
  });
});

describe("a stack around a caller's environment", () => {
  /** Counts its steps; its observations are what a test gives. */
  class Own implements HostEnvironment {
    readonly observation_space = new Dict({ at: new Box({ low: 0, high: 99 }), room: new Discrete(4) });
    readonly action_space = new Discrete(2);
    #step = 0;
    observe: () => never | { at: readonly number[]; room: number } = () => ({
      at: [this.#step],
      room: this.#step,
    });
    reset() {
      this.#step = 0;
      return { observation: this.observe(), info: {} };
    }
    step() {
      this.#step++;
      return {
        observation: this.observe(),
        reward: 0,
        terminated: false,
        truncated: this.#step === 3,
        info: {},
      };
    }
    setState(): void {}
  }

  it("reads its observations by part, and begins again where its state is set", () => {
    const env = stackFrames(new Own(), 3);
    expect(env.reset().observation).toEqual(Float32Array.of(0, 0, 0, 0));
    expect(env.step().observation).toEqual(Float32Array.of(0, 0, 1, 1));
    expect(env.step().observation).toEqual(Float32Array.of(0, 1, 2, 2));
    env.setState();
    expect(env.step().observation).toEqual(Float32Array.of(3, 3, 3, 3));
  });

  it("tells what its observations lack", () => {
    const own = new Own();
    const env = new SyncVectorEnvironment([() => stackFrames(own, 3)]);
    env.reset();
    own.observe = () => ({ at: [1], room: 9 });
    expect(() => env.step([0])).toThrow(
      /step\(\) of lane 0, step 1: .*observation\.room: found 9, allowed an integer/,
    );
    own.step = () => undefined as never;
    expect(() => env.step([0])).toThrow(/step 2: found nothing, allowed an object/);
  });

  it.each([0, 1.5, 257])("is refused with %s frames", (frames) => {
    expect(() => stackFrames(new Own(), frames)).toThrow(
      /frame_stack: found .*, allowed integers from 1 to 256/,
    );
  });
});
