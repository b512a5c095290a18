/**
 * An algorithm of each kind (of values, of policies, of both) solves a short probe on WebGPU (SwiftShader): one step,
 * the best action is the observation. The others solve it on wasm, here or, those of several agents, in
 * tests/rl/inside/algorithms/teamProbes.test.ts; tests/rl/programs compares their programs on WebGPU with those.
 */
// @apart: its programs and devices fill much memory.

import { describe, expect, it } from "vitest";
import { WebGpuDevice } from "../../src/kernels/wgsl/device.ts";
import { type AlgoSpecInput, algorithmDefinition } from "../../src/manifests/index.ts";
import { findCompiledEnvironment } from "../../src/rl/environments.ts";
import { PLAIN_MEMORY } from "../../src/rl/programs.ts";
import { GpuExecutor } from "../../src/training/executors.ts";
import type { Executor } from "../../src/training/workloads.ts";
import { softwareAdapter } from "../kernels/support/softwareAdapter.ts";
import { agentOf } from "../rl/support/agents.ts";
import { offPolicyOf, turnOf } from "../rl/support/turns.ts";
import { inThread } from "./support/rlRuns.ts";

const PROBE = "rlkit/Policy-v0";
const CONTINUOUS = "rlkit/Policy-continuous-v0";
const SEGMENT = 1000;
/** On WebGPU without normalisation: SwiftShader's time grows with the square of a program's size. */
const networkOf = (layer_norm: boolean) => {
  const layers = { hidden_size: [8], layer_norm };
  return { latent_dim: 8, encoder_config: layers, head_config: layers };
};

const open = async () => WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
/** Turns in one program, or in slices, as a member alone learns on a GPU with room for more. */
const onGpu = (path: "whole" | "sliced") => new GpuExecutor({ open, busy: path === "whole" ? 1 : 16 });

async function fitnessAfter(
  executor: Executor,
  probe: string,
  spec: AlgoSpecInput,
  evo_steps: number,
  layer_norm = false,
) {
  const env = findCompiledEnvironment(probe);
  const agent = agentOf(spec, { ...env, network: networkOf(layer_norm), seed: 3 });
  const off_policy = algorithmDefinition(agent.algorithm).off_policy ? offPolicyOf() : null;
  const replay = off_policy && { population: 1, segment: SEGMENT, kind: PLAIN_MEMORY };
  await executor.open({ workload: "rl", environment: probe, replay, written: [] });
  const turn = turnOf({ num_envs: 8, evo_steps, off_policy });
  const [outcome] = await executor.generation([{ agent, turn }], [], () => undefined);
  await executor.close();
  return outcome?.ok ? outcome.result.fitness : outcome;
}

describe("a probe", () => {
  const shared = { batch_size: 32, learn_step: 8, tau: 0.05 };
  it("is solved by RainbowDQN on wasm", async () => {
    const spec = { name: "RainbowDQN", ...shared, v_min: -2, v_max: 2, num_atoms: 11 } as const;
    expect(await fitnessAfter(inThread(), PROBE, { ...spec, lr: 1e-6 }, 8)).toBeLessThan(1);
    expect(await fitnessAfter(inThread(), PROBE, { ...spec, lr: 3e-3 }, 2400)).toBe(1);
  });

  it.each<[string, "whole" | "sliced", AlgoSpecInput, number]>([
    ["DQN", "whole", { name: "DQN", lr: 3e-3, ...shared }, 2400],
    ["PPO", "sliced", { name: "PPO", lr: 1e-2, batch_size: 64, learn_step: 128, ent_coef: 0 }, 10 * 128],
  ])("is solved by %s on WebGPU, its turns %s", async (_, path, spec, steps) => {
    // As good as untrained.
    expect(await fitnessAfter(inThread(), PROBE, { ...spec, lr: 1e-6 }, 8)).toBeLessThan(1);
    expect(await fitnessAfter(onGpu(path), PROBE, spec, steps)).toBe(1);
  });

  it.each([
    ["DDPG", "WebGPU, its turns sliced", () => onGpu("sliced"), false],
    ["TD3", "wasm", inThread, true],
  ] as const)("is solved by %s on %s", async (name, _, learner, layer_norm) => {
    const noise = { O_U_noise: false, expl_noise: 0.5 };
    const spec = { name, lr_actor: 3e-3, lr_critic: 3e-3, ...shared, ...noise } as const;
    const still = { ...spec, lr_actor: 1e-6 };
    // Each of the two numbers within 0.2 of the best one.
    expect(await fitnessAfter(inThread(), CONTINUOUS, still, 8, layer_norm)).toBeLessThan(-0.1);
    expect(await fitnessAfter(learner(), CONTINUOUS, spec, 2400, layer_norm)).toBeGreaterThan(-0.08);
  });
});
