/** Runs of several agents that stop and go on. */
import { describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import type { TrainerOptions } from "../../src/training/index.ts";
import { type Changes, dqn, EVOLUTION, endOf, ppo, trained } from "./support/tiny.ts";

const RUNS: [string, (changes?: Changes) => TrainerOptions][] = [
  [
    "MADDPG",
    (changes) => ({
      ...dqn({ ...EVOLUTION, ...changes }),
      algorithm: { name: "MADDPG", batch_size: 8, learn_step: 8 },
      environment: { env_type: "gym", name: "simple_speaker_listener_v4", num_envs: 4 },
    }),
  ],
  [
    "MATD3",
    (changes) => ({
      ...dqn({ ...EVOLUTION, ...changes }),
      algorithm: { name: "MATD3", batch_size: 8, learn_step: 8, policy_freq: 3 },
      environment: {
        env_type: "gym",
        name: "simple_spread_v3",
        num_envs: 4,
        env_config: { continuous_actions: true, N: 2 },
      },
    }),
  ],
  [
    "IPPO",
    (changes) => ({
      ...ppo({ ...EVOLUTION, ...changes }),
      algorithm: { name: "IPPO", batch_size: 32, learn_step: 64, update_epochs: 2 },
      environment: { env_type: "gym", name: "simple_tag_v3", num_envs: 4 },
    }),
  ],
];

describe.each(RUNS)("a run of %s", (_name, options) => {
  it("goes on from a checkpoint to the same bits, each agent's fitness too", async () => {
    const expected = endOf(await trained(options()));
    const store = memoryFileStore();
    const first = await trained(options({ store }), { checkpoint_steps: 1 });
    const [earliest = ""] = first.recorder.checkpoints;
    const resumed = await trained(options({ store, resume_from_checkpoint: earliest }));
    expect(resumed.recorder.generations.length).toBeLessThan(first.recorder.generations.length);
    expect(endOf(resumed)).toEqual(expected);
    expect(Object.keys(expected.elite?.agent_fitness ?? {}).length).toBeGreaterThan(1);
  });
});
