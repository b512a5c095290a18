/** Members that are nearly tied are evaluated over more episodes before selection ranks them. */
// @apart: its programs and devices fill much memory.
import { describe, expect, it } from "vitest";
import { manifestWarnings, parseManifest } from "../../src/manifests/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, type TrainerOptions } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { timeless } from "./support/timeless.ts";
import { dqn, maddpg, ppo, statesOf, type Trained, trained } from "./support/tiny.ts";

keepThreads();

const TRUNCATION = { strategy: "truncation", quantile: 0.25 } as const;
const RACE = { strategy: "halving", smallest: 2, rung: 1, followed_by: "truncation", quantile: 0.5 } as const;
const many = { pop_size: 4, max_steps: 640 };
const told = ({ events }: Trained) => timeless(events.filter(({ event }) => event !== "progress"));
const returnsIn = ({ recorder }: Trained, generation: number) =>
  recorder.generations[generation - 1]?.members.map(({ evaluation }) => evaluation?.returns ?? []) ?? [];
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

describe("near ties", () => {
  it.each([
    ["DQN", dqn],
    ["PPO", ppo],
    ["MADDPG", maddpg],
  ] as const)("get the episodes that longer evaluations would have had: %s", async (_name, run) => {
    const one = { pop_size: 4, max_steps: 160 };
    const options = (training: object) =>
      run({ selection_strategy: TRUNCATION, training: { ...one, ...training } });
    const plain = returnsIn(await trained(options({})), 1);
    const settled = await trained(options({ tie_episodes: 8 }));
    const long = returnsIn(await trained(options({ eval_loop: 3 })), 1);
    const found = returnsIn(settled, 1);
    const again = found.flatMap((returns, slot) => (returns.length > 4 ? [slot] : []));
    expect(again.length).toBeGreaterThan(1);
    for (const [slot, returns] of found.entries())
      expect(returns).toEqual(again.includes(slot) ? long[slot] : plain[slot]);
    for (const { fitness, evaluation } of settled.recorder.generations[0]?.members ?? [])
      expect(fitness).toBeCloseTo(mean(evaluation?.returns ?? []), 6);
    expect(settled.state.members.map(({ fitness }) => fitness.at(-1))).toEqual(settled.fitnesses);
  });

  it("give the same bits in workers, and when resumed", async () => {
    const options = (training: object = {}): TrainerOptions =>
      dqn({ selection_strategy: RACE, training: { ...many, tie_episodes: 5, ...training } });
    const whole = await trained(options());
    const again = whole.recorder.generations.map(
      ({ members }) => members.filter(({ evaluation }) => (evaluation?.returns.length ?? 0) > 4).length,
    );
    expect(Math.max(...again)).toBeGreaterThan(1);
    const inWorkers = await trained({ ...options(), accelerator: new Accelerator({ workers: 3 }) });
    expect(told(inWorkers)).toEqual(told(whole));
    const store = memoryFileStore();
    await trained(
      { ...options({ max_steps: 320 }), store },
      { checkpoint_steps: 320, checkpoint_path: "run" },
    );
    const [dir] = (await store.list("")).filter(({ name }) => name.startsWith("run"));
    const rest = await trained({ ...options(), store, resume_from_checkpoint: dir?.name } as TrainerOptions);
    expect(statesOf(rest.population)).toEqual(statesOf(whole.population));
  });

  it("are not asked about without the field", async () => {
    const { recorder } = await trained(dqn({ selection_strategy: RACE, training: many }));
    for (const { members } of recorder.generations)
      for (const { evaluation } of members) expect(evaluation?.returns.length ?? 4).toBe(4);
  });
});

describe("training.tie_episodes", () => {
  const warned = (strategy: string, num_envs: number) =>
    manifestWarnings(
      parseManifest({
        algorithm: { name: "DQN" },
        environment: { name: "CartPole-v1", num_envs },
        training: { pop_size: 4, tie_episodes: 8 },
        mutation: {},
        selection_strategy: { strategy } as { strategy: "truncation" },
      }),
    ).filter(({ path }) => path === "training.tie_episodes");

  it("is warned of where it has no effect", () => {
    expect(warned("truncation", 4)).toEqual([]);
    expect(warned("halving", 2)).toEqual([]);
    expect(warned("tournament", 4)).toMatchObject([
      { message: "has no effect without truncation selection or halving" },
    ]);
    expect(warned("truncation", 1)).toMatchObject([
      { message: "has no effect: one episode, as evaluations have, has no standard error" },
    ]);
  });
});
