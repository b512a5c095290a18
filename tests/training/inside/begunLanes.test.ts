/** Lanes that have to begin anew at a turn, beside those that begin with it. */
// @apart: its programs and devices fill much memory.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { findEnvironment, loadEnvironment, make, registerEnvironment } from "../../../src/rl/environments.ts";
import { GpuExecutor } from "../../../src/training/executors.ts";
import type { Executor, RunState } from "../../../src/training/workloads.ts";
import { softwareAdapter } from "../../kernels/support/softwareAdapter.ts";
import { buildRun, trainWith } from "../../workers/support/trainWith.ts";
import { inThread } from "../support/rlRuns.ts";
import { td3 } from "../support/tiny.ts";

const LANES = 4;
/** Steps of a lane in a generation; an episode is longer than one, and shorter than two. */
const STEPS = 20;
const EPISODE = 30;

/** A pendulum that observes how often any was stepped, so that no episode can be repeated. Rewards are 1. */
let calls = 0;
function wandering() {
  let steps = 0;
  const seen = () => ({ observation: [0, 0, Math.sin(calls)], info: {} });
  return Object.assign(make("Pendulum-v1"), {
    save: undefined,
    reset() {
      steps = 0;
      return seen();
    },
    step() {
      calls++;
      return { ...seen(), reward: 1, terminated: false, truncated: ++steps === EPISODE };
    },
  });
}

let kept: WebGpuDevice;
beforeAll(async () => {
  kept = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
  const { observation_space, action_space } = findEnvironment("Pendulum-v1");
  const facts = { observation_space, action_space, max_episode_steps: EPISODE, reward_threshold: null };
  registerEnvironment({ id: "test/Wandering", ...facts, load: async () => wandering });
  await loadEnvironment("test/Wandering");
});
afterAll(() => kept.close());

const options = (generations: number) => ({
  ...td3({
    algorithm: { O_U_noise: true, mean_noise: 0.3 },
    training: {
      pop_size: 1,
      evo_steps: LANES * STEPS,
      max_steps: generations * LANES * STEPS,
      eval_steps: 1,
    },
  }),
  environment: {
    env_type: "gym",
    name: "test/Wandering",
    num_envs: LANES,
    normalize: { observations: false, rewards: true },
  },
});

describe.each([
  ["wasm", inThread],
  ["webgpu", () => new GpuExecutor({ open: async () => kept, keepsDevice: true, busy: 16 })],
] as const)("lanes of an environment that cannot be repeated, on %s", (_device, open: () => Executor) => {
  const afterTwo = async (lanes: (state: RunState) => RunState["lanes"]) => {
    const first = await trainWith(open(), options(1));
    const executor = open();
    const run = buildRun(options(2), executor, undefined, { ...first, lanes: lanes(first) ?? [] });
    await run.train();
    await executor.close();
    return run.state;
  };

  it("end as lanes do that begin, and end the rows before them", async () => {
    const anew = await afterTwo(({ lanes }) => lanes);
    const begun = await afterTwo(() => [null]);
    expect(anew.lanes?.[0]?.buffers["episode.running"]).toEqual(new Float32Array(LANES).fill(STEPS));
    expect(anew.lanes?.[0]?.buffers).toEqual(begun.lanes?.[0]?.buffers);
    const ended = new Float32Array(2 * LANES * STEPS).fill(1, LANES * (STEPS - 1), LANES * STEPS);
    for (const { replay } of [anew, begun])
      expect(replay?.segments[0]?.ended.slice(0, ended.length)).toEqual(ended);
  });
});
