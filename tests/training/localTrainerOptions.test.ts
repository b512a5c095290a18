// @own-process: warnings are given once in a process.
import { describe, expect, it, vi } from "vitest";
import { Mutations, TournamentSelection } from "../../src/evolution/index.ts";
import { MutationSpec, TournamentSelectionSpec } from "../../src/manifests/index.ts";
import { vectorOf } from "../../src/rl/environments.ts";
import { Accelerator, LocalTrainer, type TrainerOptions } from "../../src/training/index.ts";
import { consoleWarnings } from "./support/consoleWarnings.ts";
import { LevelEnvironment } from "./support/levelEnvironment.ts";
import { refusal } from "./support/refusal.ts";
import { dqn, EVOLUTION, ppo, statesOf, trained } from "./support/tiny.ts";

const warned = consoleWarnings();

describe("options", () => {
  it("that are unknown are refused, all named", async () => {
    expect(refusal({ ...dqn(), sed: 1, popsize: 2 })).toThrow(
      /^LocalTrainer: unknown option sed \(did you mean "seed"\?\), popsize; allowed: algorithm, environment, .*seed, store$/,
    );
    await expect(new LocalTrainer(dqn()).train({ verbos: true } as object)).rejects.toThrow(
      /^LocalTrainer\.train: unknown option verbos \(did you mean "verbose"\?\); allowed: verbose, save_elite, .*onRun$/,
    );
  });

  it("that exclude each other are refused", () => {
    expect(refusal(dqn({ resume_from_checkpoint: "a", load_weights_from: "b" }))).toThrow(
      "resume_from_checkpoint and load_weights_from exclude each other: the first continues a run, the second starts a new one; give one of them",
    );
  });

  it.each<[object, string]>([
    [{ hpo: 1 }, 'LocalTrainer: hpo: found 1, allowed true, false or "search"'],
    [
      { resume_from_checkpoint: 7 },
      "LocalTrainer: resume_from_checkpoint: found 7, allowed text that is not empty",
    ],
    [{ load_weights_from: "" }, 'LocalTrainer: load_weights_from: found "", allowed text that is not empty'],
    [{ store: { write: 1 } }, "LocalTrainer: store: found a mapping, allowed a FileStore"],
    [{ accelerator: { workers: 2 } }, "LocalTrainer: accelerator: found a mapping, allowed an Accelerator"],
  ])("of the wrong kind are refused: %j", (options, message) => {
    expect(refusal({ ...dqn(), ...options })).toThrow(message);
  });

  it.each<[object, string]>([
    [{ checkpoint_steps: 0 }, "LocalTrainer.train: checkpoint_steps: found 0, allowed integers from 1"],
    [
      { checkpoint_steps: "100" },
      'LocalTrainer.train: checkpoint_steps: found "100", allowed integers from 1',
    ],
    [{ verbose: 0 }, "LocalTrainer.train: verbose: found 0, allowed true or false"],
    [{ elite_path: 3 }, "LocalTrainer.train: elite_path: found 3, allowed text that is not empty"],
    [
      { observer: { off: () => undefined } },
      "LocalTrainer.train: observer: found a mapping, allowed a function, or an object with a function on",
    ],
    [
      { wb: true, tracker_kwargs: { proyect: "x" } },
      'tracker_kwargs.proyect: unknown; did you mean "project"?',
    ],
    [{ csv: true }, "csv_log_dir: found nothing, allowed the path of a file, since csv is true"],
  ])("of train() that are wrong are refused: %j", async (options, message) => {
    await expect(new LocalTrainer(dqn()).train(options)).rejects.toThrow(message);
  });

  it("of loggers that are off are taken", async () => {
    const loggers = {
      wb: false,
      board: false,
      board_log_dir: "logs",
      tracker_api_key: "k",
      tracker_kwargs: {},
    };
    expect((await trained(dqn({ training: { max_steps: 160 } }), loggers)).reason).toBe("max_steps");
  });
});

describe("devices", () => {
  it("have names of the interface, and of AgileRL", () => {
    for (const device of ["cpu", "wasm", "auto", "webgpu", "gpu", "cuda", "cuda:0"])
      expect(new LocalTrainer(dqn({ device }))).toBeDefined();
    expect(new LocalTrainer(dqn({ accelerator: new Accelerator({ device: "wasm" }) }))).toBeDefined();
  });

  it("are refused when their names are unknown", () => {
    const allowed = '"cpu", "wasm", "auto", "webgpu", "gpu", "cuda"';
    expect(refusal(dqn({ device: "tpu" }))).toThrow(`device: found "tpu"; allowed: ${allowed}`);
    const accelerator = new Accelerator({ device: "xpu" });
    expect(refusal(dqn({ accelerator }))).toThrow(/device: found "xpu"/);
  });

  it("have workers from 1", () => {
    for (const workers of [0, -1, 1.5, Number.NaN])
      expect(() => new Accelerator({ workers })).toThrow(
        `accelerator.workers: found ${workers}, allowed integers from 1`,
      );
  });
});

describe("the deprecated name tournament", () => {
  const tournament = { tournament_size: 2, elitism: true };

  it("means selection_strategy, and is warned of once", async () => {
    const expected = statesOf((await trained(dqn(EVOLUTION))).population);
    const { selection_strategy: _, ...rest } = EVOLUTION;
    const run = await trained(dqn({ ...rest, tournament }));
    expect(statesOf(run.population)).toEqual(expected);
    new LocalTrainer(dqn({ ...rest, tournament }));
    expect(warned.filter((w) => w.includes("tournament"))).toEqual([
      "rlkit: tournament is deprecated: use selection_strategy",
    ]);
  });

  it("may stand beside an equal selection_strategy, not beside another one", () => {
    const equal = TournamentSelectionSpec.parse({ elitism: true });
    expect(new LocalTrainer(dqn({ ...EVOLUTION, selection_strategy: equal, tournament }))).toBeDefined();
    const message =
      "tournament and selection_strategy are both given and differ; give selection_strategy alone";
    expect(refusal(dqn({ ...EVOLUTION, tournament: { tournament_size: 3 } }))).toThrow(message);
    const ready = () => new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 2 });
    expect(refusal(dqn({ ...EVOLUTION, selection_strategy: ready(), tournament: ready() }))).toThrow(message);
    const one = ready();
    expect(new LocalTrainer(dqn({ ...EVOLUTION, selection_strategy: one, tournament: one }))).toBeDefined();
  });
});

describe("warnings", () => {
  const warningsOf = async (options: TrainerOptions, train: object = {}) =>
    (await trained(options, { onRun: (run) => run.stop(), ...train })).recorder.warnings;
  // Long enough for episodes of 500 steps.
  const calm = (changes: object = {}) => dqn({ training: { evo_steps: 2000, max_steps: 4000 }, ...changes });

  it("are none for a plain run", async () => {
    expect(await warningsOf(calm())).toEqual([]);
    expect(warned).toEqual([]);
  });

  it("tell of paths that nothing is written to", async () => {
    expect(await warningsOf(calm(), { elite_path: "e" })).toEqual([
      "elite_path is given without save_elite: the elite is not saved",
    ]);
    expect(await warningsOf(calm(), { checkpoint_path: "c" })).toEqual([
      "checkpoint_path is given without checkpoint_steps: no checkpoints are written",
    ]);
    const training = { evo_steps: 2000, max_steps: 4000, checkpoint_path: "c" };
    expect(await warningsOf(dqn({ training }))).toEqual([
      "training.checkpoint_path has no effect without checkpoint_steps",
    ]);
    expect(await warningsOf(dqn({ training }), { checkpoint_steps: 9000 })).toEqual([]);
  });

  it("tell of half an evolution and of settings without effect, and not of a buffer that is the default one", async () => {
    expect(await warningsOf(calm({ mutation: EVOLUTION.mutation }))).toEqual([
      "selection_strategy is absent: agents evolve only with both mutation and selection_strategy",
    ]);
    const ready = Mutations.fromSpec(MutationSpec.parse({}));
    expect(await warningsOf(calm({ mutation: ready }))).toEqual([
      "selection_strategy is absent: agents evolve only with both mutation and selection_strategy",
    ]);
    expect(await warningsOf(calm({ replay_buffer: null }))).toEqual([]);
    const training = { evo_steps: 2000, max_steps: 4000, num_epochs: 5 };
    expect(await warningsOf(dqn({ training }))).toEqual([
      "training.num_epochs has no effect: DQN does not train language models",
    ]);
    expect(
      await warningsOf(dqn({ training: { evo_steps: 2000, max_steps: 4000, learning_delay: 400 } })),
    ).toEqual([
      "training.learning_delay is 400: the replay buffer holds 400 transitions, so agents never learn",
    ]);
    expect(await warningsOf(calm({ algorithm: { batch_size: 500 } }))).toEqual([
      "algorithm.batch_size is 500: the replay buffer holds 400 transitions, so agents never learn",
    ]);
    const on = ppo({
      replay_buffer: { max_size: 100 },
      training: { evo_steps: 1000, max_steps: 1000, eps_start: 1 },
    });
    expect(await warningsOf(on)).toEqual([
      "replay_buffer has no effect: PPO keeps no replay buffer",
      "training.eps_start has no effect: PPO is not epsilon-greedy",
    ]);
  });

  it("tell of generations that cut far longer episodes", async () => {
    const training = { reset_each_generation: true };
    const message =
      "training.evo_steps 160 over 4 environments is 40 steps each, less than an episode of up to 500: environments reset at each generation's start here, so long episodes are cut short in training";
    expect(await warningsOf(dqn({ training }))).toEqual([message]);
    expect(await warningsOf(dqn())).toEqual([]);
    const level = (length: number) => new LevelEnvironment(() => 1, { length });
    const short = message.replace("4 environments is 40", "1 environments is 160").replace("500", "800");
    expect(await warningsOf(dqn({ training, environment: level(800) }))).toEqual([short]);
    expect(await warningsOf(dqn({ training, environment: level(640) }))).toEqual([]);
    expect(await warningsOf(dqn({ environment: level(800) }))).toEqual([]);
    // A caller's own lanes, which nothing but a reset can place.
    const lanes = vectorOf(level(800));
    const own = {
      num_envs: 1,
      spec: lanes.spec,
      reset: lanes.reset.bind(lanes),
      step: lanes.step.bind(lanes),
    };
    const { single_observation_space, single_action_space } = lanes;
    const environment = { ...own, single_observation_space, single_action_space, close: () => undefined };
    expect(await warningsOf(dqn({ environment } as never))).toEqual([short]);
  });

  it("go to the console when nobody listens", async () => {
    await new LocalTrainer(dqn({ training: { reset_each_generation: true } })).train({
      verbose: false,
      onRun: (run) => run.stop(),
    });
    expect(warned).toHaveLength(1);
    expect(warned[0]).toMatch(/^rlkit: training\.evo_steps 160/);
  });
});

describe("verbose", () => {
  it("prints a table for each generation unless it is turned off", async () => {
    const written: string[] = [];
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const printed: string[] = [];
    vi.spyOn(console, "log").mockImplementation((...text) => {
      printed.push(text.join(" "));
    });
    const quiet = dqn({ training: { max_steps: 320 } });
    await new LocalTrainer(quiet).train({ verbose: false });
    expect([...written, ...printed]).toEqual([]);
    await new LocalTrainer(quiet).train();
    const all = [...written, ...printed].join("");
    expect(all.match(/Global Steps: \d+/g)).toEqual(["Global Steps: 320", "Global Steps: 640"]);
    expect(all).toMatch(/fitness .* learn_step .*Training finished: 640 steps/s);
  });
});
