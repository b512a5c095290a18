/**
 * Seeded runs of every algorithm end with the bits that were recorded: every file of their checkpoints, and the fitnesses
 * of all generations. After a change that is meant to change them, and says so in the changelog:
 * npx vitest run tests/recorded -u
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { LocalTrainer, type TrainerOptions } from "../../src/training/index.ts";
import { dqn, EVOLUTION, RUNS, rainbow, recurrentPpo, td3, trained } from "../training/support/tiny.ts";

/** Episodes begin and end with generations. */
const RESET = { training: { reset_each_generation: true } };

/** The tiny runs, and those that only this file has. */
const RECORDED: Readonly<Record<string, TrainerOptions>> = {
  ...Object.fromEntries(Object.entries(RUNS).map(([name, options]) => [name, options()])),
  "RainbowDQN-reset": rainbow({ ...EVOLUTION, ...RESET }),
  "PPO-recurrent-reset": recurrentPpo({ ...EVOLUTION, ...RESET }),
  "DQN-images": {
    ...dqn(EVOLUTION),
    environment: { env_type: "gym", name: "MinAtar/Breakout-v1", num_envs: 4 },
    network: {
      latent_dim: 8,
      encoder_config: { channel_size: [4], kernel_size: [3], stride_size: [1] },
      head_config: { hidden_size: [8], min_mlp_nodes: 4 },
    },
  },
  DDPG: { ...td3(EVOLUTION), algorithm: { name: "DDPG", batch_size: 8, learn_step: 4, policy_freq: 3 } },
  "TD3-multi-frequency": td3({
    ...EVOLUTION,
    training: { pop_size: 6 },
    selection_strategy: { strategy: "multi_frequency", n_subpopulations: 2 },
  }),
};

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe("a seeded run ends with the recorded bits", () => {
  it.each(Object.entries(RECORDED))("%s", async (name, options) => {
    const store = memoryFileStore();
    const trainer = new LocalTrainer({ ...options, store });
    const { recorder, fitnesses, reason } = await trained(trainer, {
      checkpoint_steps: 1,
      checkpoint_path: "run",
      overwrite_checkpoints: true,
      save_elite: true,
      elite_path: "elite",
    });
    const [last] = (await store.list("")).filter(({ name: file }) => file.startsWith("run_"));
    const dir = last?.name ?? "";
    const names = (await store.list(dir)).map((entry) => entry.name).filter((file) => file !== "COMMIT.json");
    const files: Record<string, string> = {};
    for (const file of names.toSorted()) files[file] = sha256(await store.read(`${dir}/${file}`));
    const found = {
      reason,
      fitnesses,
      generations: recorder.generations.map(({ fitnesses: each, lineage, members }) => ({
        fitnesses: each,
        lineage: lineage.map(({ mutation }) => mutation),
        scores: members.map(({ score }) => score),
      })),
      elite: sha256(await store.read("elite.safetensors")),
      files,
    };
    await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot(`./runs/${name}.json`);
  });
});
