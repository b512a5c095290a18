/** Episodes that are longer than a generation. */
// @apart: its programs and devices fill much memory.
import { describe, expect, it } from "vitest";
import { placeLanes } from "../../src/agents/members.ts";
import { state, trace } from "../../src/kernels/index.ts";
import { WebGpuDevice } from "../../src/kernels/wgsl/device.ts";
import { LANES } from "../../src/rl/programs.ts";
import { GpuExecutor } from "../../src/training/executors.ts";
import type { Executor } from "../../src/training/workloads.ts";
import { softwareAdapter } from "../kernels/support/softwareAdapter.ts";
import { buildRun } from "../workers/support/trainWith.ts";
import { inThread } from "./support/rlRuns.ts";
import { ppo, rainbow, recurrentPpo, td3, trained } from "./support/tiny.ts";

/** A generation is 40 steps of each lane, an episode of a pendulum 200. */
const LONG = { evo_steps: 160, max_steps: 960, pop_size: 1 };
/** Rollouts of 20 steps. */
const ROLLOUTS = { learn_step: 80 };

const scoresIn = async (options: object, executor: Executor) => {
  const scores: (number | null | undefined)[] = [];
  const run = buildRun(options, executor, (event) => {
    if (event.event === "generation") scores.push(event.members[0]?.score);
  });
  await run.train();
  await executor.close();
  return scores;
};

/** In one program, and in slices. */
const onGpu = (busy: number) => () =>
  new GpuExecutor({
    open: async () => WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 }),
    busy,
  });

const TD3 = td3({ training: LONG, algorithm: { O_U_noise: true } });
const RECURRENT = recurrentPpo({ training: LONG, algorithm: ROLLOUTS });

it.each([
  ["TD3 with correlated noise", "wasm", TD3, inThread],
  ["TD3 with correlated noise", "webgpu", TD3, onGpu(1)],
  ["PPO with memory", "wasm", RECURRENT, inThread],
  ["PPO with memory", "webgpu in slices", RECURRENT, onGpu(16)],
] as const)("episodes of %s on %s go on over generations, and end at their limit", async (...args) => {
  const [, , options, open] = args;
  const scores = await scoresIn(options, open());
  // 200 steps, of which each costs up to 16.3.
  expect(scores).toEqual([null, null, null, null, expect.any(Number), null]);
  expect(scores[4]).toBeLessThan(-200);
});

it("episodes begin with each generation where that is asked for", async () => {
  const options = ppo({ training: { ...LONG, reset_each_generation: true }, algorithm: ROLLOUTS });
  expect(new Set(await scoresIn(options, inThread()))).toEqual(new Set([null]));
});

it("let returns over several steps reach from one generation into the next", async () => {
  const ends = async (training: object) => {
    // The first episodes of an untrained agent end after 8 steps or more.
    const { state: after } = await trained(
      rainbow({ training: { evo_steps: 20, max_steps: 20, pop_size: 1, ...training } }),
    );
    return [...(after.replay?.segments[0]?.ended.slice(16, 20) ?? [])];
  };
  expect(await ends({})).toEqual([0, 0, 0, 0]);
  expect(await ends({ reset_each_generation: true })).toEqual([1, 1, 1, 1]);
});

describe("the lanes of a slot", () => {
  const program = trace("lanes", () => {
    for (const name of ["env.x", "memory.h", "weights"]) state(name, [2]).write(state(name, [2]).read());
  });
  const placed = (agent: number, x = 2) => {
    const written = new Map<string, number[]>();
    const target = {
      has: (name: string) => name !== "episode.total" && name !== "episode.finished",
      lengthOf: () => 2,
      write: (name: string, values: ArrayLike<number>) => void written.set(name, [...(values as number[])]),
    };
    const buffers = { "env.x": new Float32Array(x).fill(3), "memory.h": Float32Array.of(5, 5) };
    // Of the agent, only its identity is read.
    const goesOn = placeLanes(target, [program], { index: 7 } as never, { lanes: { agent, buffers } });
    return { goesOn, ...Object.fromEntries(written) };
  };
  const flags = { [LANES.carried]: [1], [LANES.lasting]: [1] };

  it("go on with their recurrent state where the same member acts", () => {
    expect(placed(7)).toEqual({ goesOn: true, "env.x": [3, 3], "memory.h": [5, 5], ...flags });
  });

  it("lose the recurrent state of another member", () => {
    expect(placed(6)).toEqual({ goesOn: true, "env.x": [3, 3], "memory.h": [0, 0], ...flags });
  });

  it("begin anew where their number is another", () => {
    const begun = { goesOn: false, "env.x": [0, 0], "memory.h": [0, 0], ...flags, [LANES.carried]: [0] };
    expect(placed(7, 4)).toEqual(begun);
  });
});
