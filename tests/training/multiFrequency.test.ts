import { describe, expect, it } from "vitest";
import { MultiFrequencySelection } from "../../src/evolution/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainerOptions } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { type Changes, dqn, EVOLUTION, ppo, statesOf, trained } from "./support/tiny.ts";

keepThreads();
// Brings in the pool of workers.

/** Two subpopulations of three; the slow one evolves every other generation. */
const SELECTION = { strategy: "multi_frequency" as const, evolution_frequency_ratios: [1, 2] };
const RUNS: [string, (changes?: Changes) => TrainerOptions][] = [
  [
    "DQN",
    ({ training, ...changes } = {}) =>
      dqn({
        ...EVOLUTION,
        selection_strategy: SELECTION,
        ...changes,
        training: { pop_size: 6, max_steps: 640, ...training },
      }),
  ],
  [
    "PPO",
    ({ training, ...changes } = {}) =>
      ppo({
        ...EVOLUTION,
        selection_strategy: SELECTION,
        ...changes,
        training: { pop_size: 6, max_steps: 512, ...training },
      }),
  ],
];

describe.each(RUNS)("multi-frequency selection of %s from a manifest", (_name, options) => {
  it("evolves each subpopulation at its pace, and says whose member each is", async () => {
    const { recorder, reason } = await trained(options());
    expect(reason).toBe("max_steps");
    const { generations } = recorder;
    expect(generations).toHaveLength(4);
    for (const { members } of generations)
      expect(members.map(({ subpopulation }) => subpopulation)).toEqual([0, 0, 0, 1, 1, 1]);
    const identities = generations.map(({ members }) => members.map(({ index }) => index));
    const moved = (from: number, slots: readonly number[]) =>
      slots.filter((slot) => identities[from]?.[slot] !== identities[from + 1]?.[slot]).length;
    // Between two generations, a loser and perhaps a member open for migration have gone.
    for (const [from, slow] of [
      [0, false],
      [1, true],
      [2, false],
    ] as const) {
      expect(moved(from, [0, 1, 2])).toBeGreaterThan(0);
      expect(moved(from, [3, 4, 5]) > 0).toBe(slow);
    }
    // Only losers mutate; everybody else has a parent in the generation before and no mutation.
    for (const [position, { members }] of generations.entries()) {
      if (position === 0) continue;
      for (const { parent } of members) expect(identities[position - 1]).toContain(parent);
      const mutants = members.filter(({ mutation }) => mutation !== "None");
      expect(mutants.length).toBeLessThanOrEqual(position === 2 ? 2 : 1);
    }
  });

  it("ends with the same bits when it was stopped and resumed, and in workers", async () => {
    const end = (run: Awaited<ReturnType<typeof trained>>) => statesOf(run.population);
    const whole = await trained(options({ seed: 5 }));
    const store = memoryFileStore();
    const short = await trained(options({ seed: 5, store }), {
      checkpoint_steps: 1,
      watch: (event, run) => {
        if (event.event === "generation" && event.generation === 3) setImmediate(() => run.stop());
      },
    });
    const path = short.recorder.checkpoints.at(-1) as string;
    expect(end(await trained(options({ store, resume_from_checkpoint: path })))).toEqual(end(whole));
    const inWorkers = options({ seed: 5, accelerator: new Accelerator({ workers: 2 }) });
    expect(end(await trained(inWorkers))).toEqual(end(whole));
  });
});

describe("a selection object", () => {
  it("trains as its specification does", async () => {
    const [, options] = RUNS[1] as (typeof RUNS)[number];
    const selection_strategy = new MultiFrequencySelection({
      population_size: 6,
      evolution_frequency_ratios: [1, 2],
      rand_seed: 42,
    });
    const own = await trained(new LocalTrainer(options({ selection_strategy })));
    expect(statesOf(own.population)).toEqual(statesOf((await trained(options())).population));
  });
});
