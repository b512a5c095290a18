/**
 * Learning on WebGPU (SwiftShader) over many steps: one step, the best action is the observation. All algorithms solve the
 * probes on wasm (tests/rl/inside/algorithms); tests/rl/programs and gpuExecutor.test.ts compare their programs on WebGPU with those.
 */
// @apart: its programs and devices fill much memory.

import { expect, it } from "vitest";
import { WebGpuDevice } from "../../src/kernels/wgsl/device.ts";
import type { AlgoSpecInput } from "../../src/manifests/index.ts";
import { findCompiledEnvironment } from "../../src/rl/environments.ts";
import { PLAIN_MEMORY } from "../../src/rl/programs.ts";
import { GpuExecutor } from "../../src/training/executors.ts";
import type { Executor } from "../../src/training/workloads.ts";
import { softwareAdapter } from "../kernels/support/softwareAdapter.ts";
import { agentOf } from "../rl/support/agents.ts";
import { offPolicyOf, turnOf } from "../rl/support/turns.ts";
import { inThread } from "./support/rlRuns.ts";

const PROBE = "rlkit/Policy-continuous-v0";
const SEGMENT = 1000;
/** Without normalisation: SwiftShader's time grows with the square of a program's size. */
const layers = { hidden_size: [8], layer_norm: false };
const network = { latent_dim: 8, encoder_config: layers, head_config: layers };

const open = async () => WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
/** Turns in slices, as a member alone learns on a GPU with room for more. */
const onGpu = () => new GpuExecutor({ open, busy: 16 });

async function fitnessAfter(executor: Executor, spec: AlgoSpecInput, evo_steps: number) {
  const env = findCompiledEnvironment(PROBE);
  const agent = agentOf(spec, { ...env, network, seed: 3 });
  const replay = { population: 1, segment: SEGMENT, kind: PLAIN_MEMORY };
  await executor.open({ workload: "rl", environment: PROBE, replay, written: [] });
  const turn = turnOf({ num_envs: 8, evo_steps, off_policy: offPolicyOf() });
  const [outcome] = await executor.generation([{ agent, turn }], [], () => undefined);
  await executor.close();
  return outcome?.ok ? outcome.result.fitness : outcome;
}

it("a probe is solved on WebGPU, in slices, by an algorithm that learns values and a policy", async () => {
  const noise = { O_U_noise: false, expl_noise: 0.5 };
  const shared = { batch_size: 32, learn_step: 8, tau: 0.05 };
  const spec = { name: "DDPG", lr_actor: 3e-3, lr_critic: 3e-3, ...shared, ...noise } as const;
  // Each of the two numbers within 0.2 of the best one, which an untrained policy is not.
  expect(await fitnessAfter(inThread(), { ...spec, lr_actor: 1e-6 }, 8)).toBeLessThan(-0.1);
  expect(await fitnessAfter(onGpu(), spec, 2400)).toBeGreaterThan(-0.08);
});
