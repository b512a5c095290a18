// @apart: its programs and devices fill much memory.
import { beforeAll, describe, expect, it, vi } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainerOptions } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { timeless } from "./support/timeless.ts";
import { dqn, EVOLUTION, RUNS, statesOf, type Trained, trained } from "./support/tiny.ts";

keepThreads();

/** All that must not depend on how a run was carried out. */
const outcome = ({ population, fitnesses, recorder, state }: Trained) => ({
  members: statesOf(population),
  fitnesses,
  elite: state.elite,
  replay: state.replay,
  generations: timeless(recorder.generations),
});

/** A run's outcome, and how often it drew from the platform. */
async function drawing(options: TrainerOptions) {
  const sources = [vi.spyOn(crypto, "getRandomValues"), vi.spyOn(Math, "random")];
  const found = outcome(await trained(options));
  const draws = sources.map((source) => source.mock.calls.length);
  for (const source of sources) source.mockRestore();
  return { found, draws };
}

/** How a run is held and stopped is the loop's matter: one with a memory and one with rollouts show it. */
const LOOPS = ["DQN", "PPO-recurrent"];

describe.each(Object.entries(RUNS))("the bits of a %s run", (name, options) => {
  /** Three members, so that two workers have no equal shares. */
  const training = { pop_size: 3 };
  let here: Awaited<ReturnType<typeof drawing>>;
  beforeAll(async () => {
    here = await drawing(options({ training, seed: 7 }));
  });

  it("draw nothing from the platform, and follow from the seed", async () => {
    expect(here.draws).toEqual([0, 0]);
    const other = outcome(await trained(options({ training, seed: 8 })));
    expect(other.members[0]?.networks).not.toEqual(here.found.members[0]?.networks);
    expect(other.fitnesses).not.toEqual(here.found.fitnesses);
  });

  it("are the same in workers", async () => {
    const accelerator = new Accelerator({ workers: 2 });
    expect(outcome(await trained(options({ training, seed: 7, accelerator })))).toEqual(here.found);
  });

  if (!LOOPS.includes(name)) return;

  it("are the same again, when the run is held for a while", async () => {
    const held: string[] = [];
    const found = await trained(options({ training, seed: 7 }), {
      onRun: (run) => {
        run.pause();
        setTimeout(() => {
          held.push("resumed");
          run.resume();
        }, 30);
      },
      watch: ({ event }, run) => {
        if (event !== "generation") return;
        held.push("generation");
        run.pause();
        setTimeout(() => run.resume(), 5);
      },
    });
    expect(held[0]).toBe("resumed");
    expect(outcome(found)).toEqual(here.found);
  });

  // The seed of the runs above, whose networks are compiled.
  it("of a stopped run are those of its last generation boundary", async () => {
    const two = outcome(await trained(options({ training: { ...training, max_steps: 256 }, seed: 7 })));
    expect(two.generations).toHaveLength(2);
    const stopped = await trained(options({ training: { ...training, max_steps: 100_000 }, seed: 7 }), {
      watch: (event, run) => {
        // Lands in the midst of the next generation.
        if (event.event === "generation" && event.generation === 2) setImmediate(() => run.stop());
      },
    });
    expect(stopped.reason).toBe("stopped");
    expect(outcome(stopped)).toEqual(two);
  });
});

it("a run in an environment that JavaScript steps draws nothing from the platform", async () => {
  const environment = { env_type: "gym", name: "LunarLander-v3", num_envs: 2 } as const;
  const { draws } = await drawing(dqn({ environment, training: { max_steps: 160, eval_steps: 40 } }));
  expect(draws).toEqual([0, 0]);
});

describe("the seed of a run", () => {
  const seeded = async (seed: number | undefined, rand_seed: number | undefined) => {
    const mutation = { ...EVOLUTION.mutation, ...(rand_seed === undefined ? {} : { rand_seed }) };
    return outcome(await trained(dqn({ ...EVOLUTION, mutation, ...(seed === undefined ? {} : { seed }) })));
  };

  it("is the option, else the mutation section's, else 42", async () => {
    expect(await seeded(5, 9)).toEqual(await seeded(5, 1));
    expect(await seeded(undefined, 9)).toEqual(await seeded(9, undefined));
    expect(await seeded(undefined, undefined)).toEqual(await seeded(42, undefined));
    expect((await seeded(5, 9)).fitnesses).not.toEqual((await seeded(9, 9)).fitnesses);
  });

  it("is 42 without a mutation section", async () => {
    expect(outcome(await trained(dqn()))).toEqual(outcome(await trained(dqn({ seed: 42 }))));
  });

  it("is training.seed or an option of train() as well, without evolution", async () => {
    const seven = outcome(await trained(dqn({ seed: 7 })));
    const { training } = dqn();
    expect(outcome(await trained(dqn({ training: { ...training, seed: 7 } })))).toEqual(seven);
    expect(outcome(await trained(dqn(), { seed: 7 }))).toEqual(seven);
    expect(outcome(await trained(dqn({ training: { ...training, seed: 3 } })))).not.toEqual(seven);
  });

  it("must be an integer from 0, and the same wherever it is given", async () => {
    const wrong = /^seed: found .*, allowed integers from 0/;
    for (const seed of [-1, 1.5, Number.NaN, 2 ** 53]) {
      expect(() => new LocalTrainer(dqn({ seed }))).toThrow(wrong);
      await expect(new LocalTrainer(dqn()).train({ seed })).rejects.toThrow(wrong);
    }
    await expect(new LocalTrainer(dqn({ seed: 1 })).train({ seed: 2 })).rejects.toThrow(
      "seed: found 2, but the trainer was made with 1; give the seed once",
    );
  });
});

describe("a run that is stopped before it starts", () => {
  it("gives back what it had", async () => {
    const store = memoryFileStore();
    const run = await trained(dqn({ ...EVOLUTION, store }), {
      onRun: (r) => r.stop(),
      save_elite: true,
      checkpoint_steps: 1,
    });
    expect([run.reason, run.state.generation]).toEqual(["stopped", 0]);
    expect(run.fitnesses).toEqual([Number.NaN, Number.NaN]);
    expect(run.population.map(({ mut, steps }) => [mut, steps])).toEqual([
      ["None", 0],
      ["None", 0],
    ]);
    expect(await store.list("")).toEqual([]);
  });
});
