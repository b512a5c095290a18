import { describe, expect, it } from "vitest";
import { DQN } from "../../src/agents/classes.ts";
import { Mutations, TournamentSelection } from "../../src/evolution/index.ts";
import { type FileStore, memoryFileStore, StorageError } from "../../src/storage/index.ts";
import {
  LocalTrainer,
  OutputLostError,
  type TrainOptions,
  trainOffPolicy,
} from "../../src/training/index.ts";
import { consoleWarnings } from "./support/consoleWarnings.ts";
import { dqnPopulation, evolution, offPolicy, UNCHANGING } from "./support/functions.ts";
import { LevelEnvironment } from "./support/levelEnvironment.ts";
import { dqn, EVOLUTION, trained } from "./support/tiny.ts";

const warned = consoleWarnings();

/** A store in which the first `failures` writes of files with such names fail. */
function failing(pattern: RegExp, failures = Number.POSITIVE_INFINITY): FileStore {
  const store = memoryFileStore();
  let left = failures;
  return {
    ...store,
    async write(path, bytes) {
      if (pattern.test(path) && left-- > 0) throw new StorageError("full", path, "no room to write");
      await store.write(path, bytes);
    },
  };
}

const CALM = { max_steps: 1000, evo_steps: 500 };
const quiet = { verbose: false } as const;
const train = (store: FileStore, options: TrainOptions) =>
  new LocalTrainer(dqn({ training: CALM, store })).train({ ...quiet, ...options });

const lost = async (work: Promise<unknown>): Promise<OutputLostError> => {
  const error = await work.catch((e: unknown) => e);
  if (!(error instanceof OutputLostError)) throw new Error(`no output was lost: ${String(error)}`);
  return error;
};

describe("an output that cannot be written, where nobody listens", () => {
  it("is a warning on the console each time, and an error with the population when it never was", async () => {
    const error = await lost(train(failing(/e\.safetensors/), { save_elite: true, elite_path: "e" }));
    expect(warned).toEqual(
      Array.from(
        { length: 2 },
        () =>
          "rlkit: the elite was not saved to e.safetensors: e.safetensors: no room to write. Training continues.",
      ),
    );
    expect(error.message).toBe(
      "the run finished training but was not saved: the elite was not written to e.safetensors: e.safetensors: no room to write; this error has its population and fitnesses, so save them elsewhere",
    );
    expect(error.cause).toMatchObject({ code: "full" });
    const [population, fitnesses] = await new LocalTrainer(dqn({ training: CALM })).train(quiet);
    expect(error.fitnesses).toEqual(fitnesses);
    expect(error.population.map(({ state }) => state)).toEqual(population.map(({ state }) => state));
    expect(error.population[0]).toBeInstanceOf(DQN);
  });

  it("is the same for checkpoints", async () => {
    const options = { checkpoint_steps: 500, checkpoint_path: "c" };
    const error = await lost(train(failing(/^c_/), options));
    expect(warned).toHaveLength(2);
    expect(warned[0]).toMatch(/^rlkit: the checkpoint at step 1000 was not saved: .*Training continues/);
    expect(error.message).toMatch(/not saved: no checkpoint was written to c_2000: /);
  });

  it("is an error for each output that was never written, though another was", async () => {
    const both = { save_elite: true, elite_path: "e", checkpoint_steps: 500, checkpoint_path: "c" };
    const error = await lost(train(failing(/^c_|^e/), both));
    expect(error.message).toMatch(/the elite was not written to .*; no checkpoint was written to /);
    await expect(train(failing(/^c_/), both)).rejects.toThrow(OutputLostError);
  });

  it("is no error when a later try was written, or none came due", async () => {
    await train(failing(/^e/, 1), { save_elite: true, elite_path: "e" });
    await train(failing(/^c_/, 1), { checkpoint_steps: 500, checkpoint_path: "c" });
    expect(warned).toHaveLength(2);
    await train(failing(/^c_/), { checkpoint_steps: 5000, checkpoint_path: "c" });
    expect(warned).toHaveLength(2);
  });

  it("is an error of training functions too", async () => {
    const { observer: _observer, ...options } = offPolicy({ max_steps: 480, evo_steps: 480 });
    const error = await lost(
      trainOffPolicy({ ...options, store: failing(/^e/), save_elite: true, elite_path: "e" }),
    );
    expect(error.population).toHaveLength(2);
    expect(error.fitnesses).toHaveLength(2);
    expect(warned).toContain(
      "rlkit: the elite was not saved to e.safetensors: e.safetensors: no room to write. Training continues.",
    );
  });
});

describe("an output that cannot be written, where somebody listens", () => {
  it("is told to them, and is an error at the end all the same", async () => {
    const run = trained(dqn({ ...EVOLUTION, training: CALM, store: failing(/^e/) }), {
      save_elite: true,
      elite_path: "e",
    });
    await expect(run).rejects.toThrow(OutputLostError);
    expect(warned).toEqual([]);
  });
});

describe("a member that is replaced, where nobody listens", () => {
  it("is a warning on the console", async () => {
    let failures = 1;
    class FailsOnce extends LevelEnvironment {
      override step(action: Parameters<LevelEnvironment["step"]>[0]) {
        if (failures-- > 0) throw new Error("the socket is closed");
        return super.step(action);
      }
    }
    const env = new FailsOnce(() => 1);
    const { observer: _observer, ...options } = offPolicy({
      env,
      pop: dqnPopulation(env),
      max_steps: 8,
      evo_steps: 8,
      ...evolution(),
    });
    await trainOffPolicy(options);
    expect(warned).toEqual([
      expect.stringMatching(
        /^rlkit: member 0 could not be trained: .*the socket is closed.* It does not take part in this generation's selection and is replaced by a copy of a better member\.$/,
      ),
    ]);
  });

  it("is one for a member that diverged", async () => {
    const mutation = new Mutations(UNCHANGING);
    const selection_strategy = new TournamentSelection({
      tournament_size: 2,
      elitism: true,
      population_size: 2,
    });
    const { observer: _observer, ...options } = offPolicy({ max_steps: 160, mutation, selection_strategy });
    const [first, second] = options.pop;
    if (!first || !second) throw new Error("no agents");
    second.setHyperparameter("lr", 1e38);
    await trainOffPolicy(options);
    expect(
      warned.filter((message) => message.startsWith("rlkit: member 1: a weight of network actor")),
    ).toHaveLength(1);
  });
});

describe("warnings before the start, where nobody listens", () => {
  it("are said once for the same text", async () => {
    const run = () => train(memoryFileStore(), { elite_path: "once", onRun: (it) => it.stop() });
    await run();
    await run();
    expect(warned).toEqual(["rlkit: elite_path is given without save_elite: the elite is not saved"]);
  });
});
