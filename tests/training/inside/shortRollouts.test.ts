/** Rollouts so short that they would be one step, whose advantage has no deviation to be scaled by. */

import { describe, expect, it } from "vitest";
import { collectRollouts } from "../../../src/agents/index.ts";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { make } from "../../../src/rl/environments.ts";
import { GpuExecutor } from "../../../src/training/executors.ts";
import { minibatchesOf, runsOf, turnSteps } from "../../../src/training/gpu/turnSteps.ts";
import type { TrainerOptions } from "../../../src/training/index.ts";
import { trainOnPolicy } from "../../../src/training/index.ts";
import type { RunState } from "../../../src/training/workloads.ts";
import { mockGpu } from "../../kernels/support/mockGpu.ts";
import { turnOf } from "../../rl/support/turns.ts";
import { tinyPpo } from "../../workers/support/manifests.ts";
import { buildRun } from "../../workers/support/trainWith.ts";
import { onPolicy, ppoPopulation } from "../support/functions.ts";
import { inThread } from "../support/rlRuns.ts";
import { ppo, recurrentPpo, statesOf, trained } from "../support/tiny.ts";

const one = { learn_step: 1, num_envs: 1 };
const environment = { env_type: "gym" as const, name: "Pendulum-v1", num_envs: 1 };
const training = { max_steps: 12, evo_steps: 6, eval_steps: 3 };
const short = (options: TrainerOptions): TrainerOptions => ({ ...options, environment });

/** Whether every weight is a number, and some are others than at the start. */
function learned(members: RunState["members"]): boolean {
  const weights = members.flatMap(({ networks }) =>
    Object.values(networks).flatMap(({ tensors }) => Object.values(tensors).flatMap((x) => [...x])),
  );
  const stepped = members.every(({ optimizers }) => Object.values(optimizers).some(({ step }) => step > 0));
  return stepped && weights.every(Number.isFinite);
}

describe("a PPO with learn_step 1 in one environment", () => {
  it.each([
    ["flat", short(ppo({ algorithm: { learn_step: 1 }, training }))],
    ["recurrent", short(recurrentPpo({ algorithm: { learn_step: 1 }, training }))],
  ])("learns from rollouts of two steps, and says so: %s", async (_, options) => {
    const { state, recorder } = await trained(options);
    expect(learned(state.members)).toBe(true);
    // As many steps in a generation as were asked for, by half as many rollouts.
    expect(state.members.map(({ steps }) => steps)).toEqual([12, 12]);
    expect(recorder.warnings.filter((text) => text.startsWith("algorithm.learn_step is 1"))).toHaveLength(1);
  });

  it("has them in environments of the caller's, with a collector of its own too", async () => {
    const seen: number[] = [];
    const run = async (collect_rollouts_fn?: typeof collectRollouts) => {
      const env = make("Pendulum-v1");
      const [population] = await trainOnPolicy(
        onPolicy({ env, pop: ppoPopulation(env, 2, one), ...training, collect_rollouts_fn }),
      );
      return statesOf(population);
    };
    const own = await run();
    expect(learned(own)).toBe(true);
    const collected = await run((options) => {
      seen.push(options.n_steps);
      return collectRollouts(options);
    });
    expect(collected).toEqual(own);
    expect(new Set(seen)).toEqual(new Set([2]));
  });

  it.each([
    ["one program", 1],
    ["slices", 16],
  ])("has them on a GPU, in %s", async (_, busy) => {
    const { gpu } = await mockGpu();
    const executor = new GpuExecutor({ open: async () => new WebGpuDevice(gpu, "mock"), busy });
    const tiny = tinyPpo({ pop_size: 2 });
    const manifest = { ...tiny, algorithm: { ...tiny.algorithm, learn_step: 1 }, environment };
    const { members } = buildRun(manifest, inThread()).state;
    const turns = members.map((agent, slot) => ({
      agent,
      turn: turnOf({ slot, num_envs: 1, evo_steps: 6 }),
    }));
    // Three rollouts of two steps, each learned from in 2 epochs of one minibatch of both.
    expect(turns.map((turn) => [runsOf(turn), turnSteps(turn), minibatchesOf(turn)])).toEqual([
      [3, 6, 2],
      [3, 6, 2],
    ]);
    await executor.open({
      workload: "rl",
      environment: "Pendulum-v1",
      replay: null,
      written: [],
      gpu_workgroups: null,
    });
    let env_steps = 0;
    await executor.generation(turns, [], (slice) => {
      env_steps += slice.env_steps;
    });
    expect(env_steps).toBe(12);
    await executor.close();
  });
});
