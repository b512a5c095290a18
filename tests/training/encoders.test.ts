import { describe, expect, it } from "vitest";
import { networkTensors } from "../../src/rl/networks.ts";
import type { TrainerOptions } from "../../src/training/index.ts";
import { dqn, EVOLUTION, ppo, statesOf, trained } from "./support/tiny.ts";

const breakout = { env_type: "gym", name: "MinAtar/Breakout-v1", num_envs: 4 } as const;
const head_config = { arch: "mlp", hidden_size: [8] } as const;
const short = { eval_steps: 30, max_steps: 320 };

const RUNS: readonly (readonly [string, TrainerOptions])[] = [
  [
    "cnn",
    dqn({
      environment: breakout,
      network: {
        latent_dim: 8,
        encoder_config: { channel_size: [4], kernel_size: [3], stride_size: [1], min_channel_size: 2 },
        head_config: { hidden_size: [8] },
      },
      training: short,
      ...EVOLUTION,
    }),
  ],
  [
    "resnet",
    ppo({
      environment: breakout,
      network: {
        latent_dim: 16,
        encoder_config: {
          arch: "resnet",
          channel_size: 4,
          kernel_size: 3,
          stride_size: 3,
          num_blocks: 1,
          scale_factor: 2,
          min_channel_size: 2,
        },
        head_config,
      },
      training: { ...short, evo_steps: 64, max_steps: 128 },
      ...EVOLUTION,
    }),
  ],
  [
    "simba",
    ppo({
      network: {
        latent_dim: 16,
        encoder_config: { arch: "simba", hidden_size: 16, num_blocks: 1 },
        head_config,
      },
      ...EVOLUTION,
    }),
  ],
];

describe("populations with encoders of every kind", () => {
  it.each(RUNS)("%s: train and evolve", async (kind, options) => {
    const run = await trained(options);
    expect(run.reason).toBe("max_steps");
    for (const { networks, optimizers } of statesOf(run.population)) {
      const { data, tensors } = networks.actor ?? {};
      expect(data?.encoder).toMatchObject({ kind });
      for (const spec of data ? networkTensors(data) : []) {
        const values = tensors?.[spec.name] ?? new Float32Array();
        expect(values.length).toBeGreaterThan(0);
        expect(values.every(Number.isFinite)).toBe(true);
      }
      // Every weight of the encoder got gradients.
      const moments = Object.entries(optimizers.optimizer?.second ?? {});
      const learned = moments.filter(([name]) => /^actor\.encoder\..*weight$/.test(name));
      expect(learned.length).toBeGreaterThan(0);
      for (const [, values] of learned) expect(values.some((v) => v > 0)).toBe(true);
    }
  });
});
