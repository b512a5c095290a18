import { describe, expect, it } from "vitest";
import type { WasmDevice } from "../../../src/kernels/devices.ts";
import { LocalTrainer } from "../../../src/training/index.ts";
import { TrainingRun } from "../../../src/training/loop.ts";
import { environmentOf, initialMembers, initialState } from "../../../src/training/plan.ts";
import { hostExecutor } from "../../../src/training/rl/rlTurnRunner.ts";
import { type RlKinds, registeredMembers, reinforcementLearning } from "../../../src/training/workloads.ts";
import { dqn, EVOLUTION, NO_MUTATION, ppo, Recorder } from "../support/tiny.ts";

const GENERATIONS = 30;

/** As wide as it may be from the start, so that mutations move widths about below that. */
const layers = { hidden_size: [96], min_mlp_nodes: 16, max_mlp_nodes: 96 };
const WIDE = {
  latent_dim: 96,
  min_latent_dim: 16,
  max_latent_dim: 96,
  encoder_config: layers,
  head_config: layers,
};

describe.each([
  ["DQN", dqn],
  ["PPO", ppo],
] as const)("thirty generations of a %s population whose widths mutate", (_name, options) => {
  it("claim at most 5 % more memory than the first ten", async () => {
    const { manifest } = new LocalTrainer(
      options({
        ...EVOLUTION,
        network: WIDE,
        mutation: { probabilities: { ...NO_MUTATION, no_mut: 0, arch_mut: 1, new_layer: 0 } },
        training: { pop_size: 3, evo_steps: 64, max_steps: 64 * GENERATIONS, eval_steps: 10 },
      }),
    );
    const env = environmentOf(manifest);
    const devices = new Set<WasmDevice>();
    const source = await registeredMembers(env.id);
    const executor = hostExecutor({
      ...source,
      runner: (device, replay) => {
        devices.add(device);
        return source.runner(device, replay);
      },
    });
    const claimed: number[] = [];
    const recorder = new Recorder(({ event }) => {
      if (event === "generation") claimed.push([...devices].reduce((sum, device) => sum + device.claimed, 0));
    });
    const run = new TrainingRun<RlKinds>(initialState(manifest, initialMembers(manifest, env, 1), env), {
      ...reinforcementLearning.runs.prepare(manifest, 1),
      executor,
      observer: recorder,
    });
    await run.train();
    const architectures = recorder.generations.flatMap((g) => g.members.map((m) => m.architecture));
    expect(new Set(architectures).size).toBeGreaterThan(10);
    expect(claimed).toHaveLength(GENERATIONS);
    expect(claimed.at(-1)).toBeLessThanOrEqual(1.05 * (claimed[9] ?? 0));
    await executor.close();
  });
});
