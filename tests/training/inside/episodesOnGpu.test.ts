/** Training episodes of members that train on WebGPU (SwiftShader). */
// @apart: its programs and devices fill much memory.
import { expect, it } from "vitest";
import { WebGpuDevice } from "../../../src/kernels/wgsl/device.ts";
import { GpuExecutor } from "../../../src/training/executors.ts";
import type { MemberTurn } from "../../../src/training/workloads.ts";
import { softwareAdapter } from "../../kernels/support/softwareAdapter.ts";
import { agentOf } from "../../rl/support/agents.ts";

it("are told at the end of their turns", async () => {
  const device = await WebGpuDevice.create(await softwareAdapter(), { workgroupSize: 32 });
  const executor = new GpuExecutor({ open: async () => device, busy: 1 });
  const plain = { hidden_size: [8], layer_norm: false };
  const agent = agentOf(
    { name: "PPO", learn_step: 320, batch_size: 80, update_epochs: 1 },
    { network: { latent_dim: 8, encoder_config: plain, head_config: plain } },
  );
  await executor.open({ workload: "rl", environment: "CartPole-v1", replay: null, written: [] });
  const turn: MemberTurn["turn"] = {
    ...{ slot: 0, generation: 1, seed: 7, num_envs: 4, evo_steps: 640, eval_loop: 1, eval_steps: 5 },
    off_policy: null,
    tells_episodes: true,
  };
  const before = { ...agent, steps: 1000 };
  const [outcome] = await executor.generation([{ agent: before, turn }], [], () => undefined);
  await executor.close();
  if (!outcome?.ok) throw new Error(outcome?.message ?? "no outcome");
  const { training = [], score } = outcome.result;
  const steps = training.map(([step]) => step);
  expect(training.length).toBeGreaterThan(8);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(Math.min(...steps)).toBeGreaterThan(1000);
  expect(Math.max(...steps)).toBeLessThanOrEqual(1640);
  // So few episodes are all kept.
  const mean = training.reduce((sum, [, ret]) => sum + ret, 0) / training.length;
  expect(mean).toBeCloseTo(score ?? Number.NaN, 3);
});
