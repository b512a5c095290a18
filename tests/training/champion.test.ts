/** Runs that search: drawn starts, members that rest, and the champion that they deliver. */
// @apart: its programs and devices fill much memory.
import { describe, expect, it } from "vitest";
import {
  evolutionSections,
  exportWarnings,
  HPO_RECIPE,
  manifestToObject,
  manifestWarnings,
  parseManifest,
  validateManifest,
} from "../../src/manifests/index.ts";
import { memoryFileStore, readCheckpoint } from "../../src/storage/index.ts";
import { evolutionOf } from "../../src/tracking/history.ts";
import { decodeAgent } from "../../src/training/files.ts";
import { Accelerator, LocalTrainer, type TrainerOptions } from "../../src/training/index.ts";
import { decodeRun } from "../../src/training/workloads.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { timeless } from "./support/timeless.ts";
import { dqn, ippo, NO_MUTATION, ppo, statesOf, type Trained, trained } from "./support/tiny.ts";

keepThreads();

const SEARCH = { pop_size: 4, max_steps: 640 } as const;
/** Four members that race to two, which then explore. */
const race = {
  strategy: "halving",
  smallest: 2,
  rung: 2,
  followed_by: "truncation",
  quantile: 0.5,
} as const;
const racing = (training: object = {}): TrainerOptions =>
  dqn({ hpo: "search", selection_strategy: race, training: { ...SEARCH, ...training } });

describe("a search", () => {
  it.each([
    ["DQN", dqn],
    ["PPO", ppo],
    ["IPPO", ippo],
  ] as const)("starts at drawn values, but for the first member: %s", async (_name, run) => {
    const options = run({ hpo: "search", training: { pop_size: 4 } });
    const first = await trained({ ...options, seed: 1 });
    const { members } = first.recorder.generations[0] ?? { members: [] };
    const given = new LocalTrainer(options).manifest.algorithm;
    const rates = members.map(({ hyperparameters: { lr } }) => lr);
    expect(rates[0]).toBe("lr" in given && given.lr);
    expect(new Set(rates).size).toBe(4);
    const again = await trained({ ...options, seed: 1 });
    expect(again.recorder.generations[0]?.members.map(({ hyperparameters: { lr } }) => lr)).toEqual(rates);
  });

  it("lets losers rest, which take no more steps, and crowns the best of all", async () => {
    const trainer = new LocalTrainer(racing());
    expect(trainer.champion).toBeNull();
    const { recorder } = await trained(trainer);
    const [, second, third, fourth] = recorder.generations;
    const active = (report = second) =>
      report?.fitnesses.flatMap((f, slot) => (Number.isNaN(f) ? [] : [slot]));
    expect(active(second)).toHaveLength(4);
    expect(active(third)).toHaveLength(2);
    expect(active(fourth)).toEqual(active(third));
    const steps = (report = third) => report?.members.map((member) => member.steps);
    expect(steps(third)?.toSorted()).toEqual([320, 320, 480, 480]);
    expect(steps(fourth)?.toSorted()).toEqual([320, 320, 640, 640]);
    const [champion] = recorder.of("champion");
    expect(champion?.episodes).toBe(30);
    expect(trainer.champion?.state).toMatchObject({ index: champion?.index, steps: champion?.steps });
  });

  it("tells with each report, and at its end, what its evolution was", async () => {
    const trainer = new LocalTrainer(racing({ max_steps: 960 }));
    expect(trainer.evolution).toBeNull();
    const { recorder } = await trained(trainer);
    const { generations } = recorder;
    const ranges = { lr: { min: 1e-5, max: 1e-2, scale: "log" } } as const;
    for (const [row, { evolution }] of generations.entries()) {
      const { mutations, total_episodes, ancestors } = evolutionOf(generations.slice(0, row + 1), ranges);
      expect(evolution).toMatchObject({ mutations, total_episodes, ancestors, since: 1 });
    }
    const [first, last] = [generations[0], generations.at(-1)];
    expect(first?.evolution).toMatchObject({ episodes: 16, members: 4, ancestors: 4 });
    expect(first?.evolution?.hyperparameters.lr?.distinct).toBe(4);
    expect(last?.evolution).toMatchObject({ total_episodes: 64, members: 2, ancestors: 1 });
    expect(last?.evolution?.mutations.map(({ kind }) => kind)).toEqual(["none", "explore"]);
    const [champion] = recorder.of("champion");
    const [end] = recorder.of("end");
    expect(end?.evolution?.total_episodes).toBe(64 + (champion?.played ?? 0));
    expect(trainer.evolution).toEqual(end?.evolution);
  });

  it("gives the same bits in workers, and when resumed between and after cuts", async () => {
    const whole = await trained(racing());
    const inWorkers = await trained({ ...racing(), accelerator: new Accelerator({ workers: 2 }) });
    const told = ({ events }: Trained) => timeless(events.filter(({ event }) => event !== "progress"));
    expect(told(inWorkers)).toEqual(told(whole));
    for (const max_steps of [320, 480]) {
      const store = memoryFileStore();
      await trained({ ...racing({ max_steps }), store }, { checkpoint_steps: 160, checkpoint_path: "run" });
      const taken = (await store.list("")).map(({ name }) => name).filter((name) => name.startsWith("run_"));
      const [newest = ""] = taken.toSorted((a, b) => Number(b.slice(4)) - Number(a.slice(4)));
      const rest = await trained({ ...racing(), store, resume_from_checkpoint: newest } as TrainerOptions);
      expect(statesOf(rest.population)).toEqual(statesOf(whole.population));
      expect(rest.state.champion).toEqual(whole.state.champion);
    }
  });

  it("draws and moves categories, whose members have programs of their own, exactly and resumably", async () => {
    const selection_strategy = { strategy: "truncation", quantile: 0.5, resample: 0.5 } as const;
    const choices = { choices: [true, false], initial: "uniform" };
    const options = (training: object = {}): TrainerOptions =>
      dqn({
        mutation: { probabilities: NO_MUTATION, rl_hp_selection: { double: choices } } as object,
        selection_strategy,
        seed: 2,
        training: { ...SEARCH, ...training },
      });
    const whole = await trained(options());
    const { generations } = whole.recorder;
    const found = generations.flatMap(({ members }) => members.map((m) => m.hyperparameters.double));
    expect(new Set(found)).toEqual(new Set([0, 1]));
    const moved = generations.flatMap(({ lineage }) =>
      lineage.filter((event) => event.mutation === "explore"),
    );
    expect(moved.length).toBeGreaterThan(0);
    for (const { hyperparameters } of moved)
      expect(hyperparameters.double?.to).toBe(!hyperparameters.double?.from);
    const last = whole.state.members.map(({ hyperparameters }) => Number(hyperparameters.double));
    expect(generations.at(-1)?.members.map(({ hyperparameters }) => hyperparameters.double)).toEqual(last);
    const inWorkers = await trained({ ...options(), accelerator: new Accelerator({ workers: 2 }) });
    expect(statesOf(inWorkers.population)).toEqual(statesOf(whole.population));
    const store = memoryFileStore();
    await trained(
      { ...options({ max_steps: 320 }), store },
      { checkpoint_steps: 320, checkpoint_path: "run" },
    );
    const [dir] = (await store.list("")).filter(({ name }) => name.startsWith("run_"));
    const rest = await trained({ ...options(), store, resume_from_checkpoint: dir?.name } as TrainerOptions);
    expect(statesOf(rest.population)).toEqual(statesOf(whole.population));
  });

  it("refuses a checkpoint whose champion's file is gone", async () => {
    const store = memoryFileStore();
    await trained({ ...racing(), store }, { checkpoint_steps: 160, checkpoint_path: "run" });
    const names = (await store.list("")).map(({ name }) => name).filter((name) => name.startsWith("run_"));
    const kept: string[] = [];
    for (const name of names)
      if ((await readCheckpoint(store, name)).files.has("champion.safetensors")) kept.push(name);
    const [dir = ""] = kept;
    await store.remove(`${dir}/champion.safetensors`);
    const resumed = trained({ ...racing(), store, resume_from_checkpoint: dir } as TrainerOptions);
    await expect(resumed).rejects.toThrow(/champion\.safetensors/);
  });

  it.each([
    ["a race", race],
    ["truncation", { strategy: "truncation", quantile: 0.25 }],
  ] as const)("ends with the first error when all members diverge: %s", async (_name, selection_strategy) => {
    const run = trained(dqn({ algorithm: { lr: 1e38 }, selection_strategy, training: SEARCH }));
    await expect(run).rejects.toThrow(/^member 0: a weight of network actor is no longer a finite number/);
  });

  it("saves the champion as the elite", async () => {
    const store = memoryFileStore();
    const { state: last } = await trained(
      { ...racing(), store },
      { checkpoint_steps: 640, checkpoint_path: "run", save_elite: true, elite_path: "best" },
    );
    expect(decodeAgent(await store.read("best.safetensors"), "best").agent).toEqual(last.champion);
    const [dir] = (await store.list("")).filter(({ name }) => name.startsWith("run_"));
    const { state } = decodeRun((await readCheckpoint(store, dir?.name ?? "")).files, "run");
    expect(state.elite).toEqual(last.champion);
    expect(state.resting).toHaveLength(2);
  });

  it("delivers the champion so far when it is stopped, and resumes as if it had not been", async () => {
    const store = memoryFileStore();
    const options = { ...racing({ max_steps: 1600 }), store };
    const trainer = new LocalTrainer(options);
    const { state, reason, recorder } = await trained(trainer, {
      checkpoint_steps: 160,
      checkpoint_path: "run",
      save_elite: true,
      elite_path: "best",
      watch: ({ event }, run) => {
        if (event === "generation" && run.state.champion !== run.state.elite) run.stop();
      },
    });
    expect(reason).toBe("stopped");
    expect(state.champion).not.toEqual(state.elite);
    expect(decodeAgent(await store.read("best.safetensors"), "best").agent).toEqual(state.champion);
    expect(trainer.champion?.state).toEqual(state.champion);
    const resume_from_checkpoint = recorder.checkpoints.at(-1) as string;
    const rest = await trained({ ...options, resume_from_checkpoint } as TrainerOptions);
    const whole = await trained(racing({ max_steps: 1600 }));
    expect(statesOf(rest.population)).toEqual(statesOf(whole.population));
    expect(rest.state.champion).toEqual(whole.state.champion);
  });

  it("delivers the last generation's elite without a final evaluation", async () => {
    const store = memoryFileStore();
    const { state, reason } = await trained(
      { ...racing({ max_steps: 1600, final_episodes: 0 }), store },
      {
        save_elite: true,
        elite_path: "best",
        watch: ({ event }, run) => {
          if (event === "generation" && run.state.champion !== run.state.elite) run.stop();
        },
      },
    );
    expect(reason).toBe("stopped");
    expect(decodeAgent(await store.read("best.safetensors"), "best").agent).toEqual(state.elite);
  });

  it("goes on with the evolution that a checkpoint of an earlier version began with", async () => {
    const store = memoryFileStore();
    await trained({ ...dqn({ hpo: true }), store }, { checkpoint_steps: 480, checkpoint_path: "run" });
    const [dir] = (await store.list("")).filter(({ name }) => name.startsWith("run_"));
    const { files } = await readCheckpoint(store, dir?.name ?? "");
    const record = JSON.parse(new TextDecoder().decode(files.get("run.json"))) as { recipe?: number };
    expect(record.recipe).toBe(HPO_RECIPE);
    delete record.recipe;
    const older = new Map(files).set("run.json", new TextEncoder().encode(JSON.stringify(record)));
    expect(decodeRun(older, "run").state.recipe).toBe(1);
    const manifest = parseManifest({
      algorithm: { name: "DQN", lr: 0.001 },
      environment: { name: "CartPole-v1" },
      training: { hpo: true },
    });
    const { mutation, final_episodes } = evolutionSections(manifest, 1);
    expect(final_episodes).toBe(0);
    expect(mutation).toMatchObject({ mutate_elite: true, probabilities: { params_mut: 0.2 } });
    expect(mutation?.rl_hp_selection.lr).toMatchObject({ min: 0.0001, max: 0.01 });
    expect(evolutionSections(manifest).mutation).toMatchObject({
      mutate_elite: false,
      probabilities: { params_mut: 0 },
    });
    expect(evolutionSections(manifest, 2).learn_from).toBe("own");
  });

  it("starts at drawn values and shares experience with hpo, unless the manifest writes its own evolution", () => {
    const sections = (more: object) =>
      evolutionSections(
        parseManifest({
          algorithm: { name: "DQN", lr: 0.001 },
          environment: { name: "CartPole-v1" },
          training: { hpo: true },
          ...more,
        }),
      );
    const { mutation, learn_from } = sections({});
    expect(learn_from).toBe("population");
    expect(Object.keys(mutation?.rl_hp_selection ?? {}).sort()).toEqual(["batch_size", "learn_step", "lr"]);
    expect(mutation?.rl_hp_selection.lr).toMatchObject({ min: 1e-5, max: 1e-2, initial: "log_uniform" });
    expect(sections({ selection_strategy: { strategy: "tournament" } }).learn_from).toBe("own");
    expect(sections({ mutation: { mutation_sd: 0.2 } }).learn_from).toBe("own");
    expect(sections({ training: { hpo: true, pop_size: 1 } }).learn_from).toBe("own");
  });
});

describe("a manifest that searches", () => {
  const issues = (sections: object) => {
    const base = { algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" } };
    const result = validateManifest({ ...base, ...sections });
    return result.success ? [] : result.issues.map(({ path, message }) => `${path}: ${message}`);
  };

  it.each([
    [
      { training: { pop_size: 6 }, selection_strategy: { strategy: "halving" } },
      "training.pop_size: found 6; halving needs smallest (1) times a power of factor (2)",
    ],
    [
      { training: { pop_size: 3 }, selection_strategy: { strategy: "truncation" } },
      "selection_strategy.quantile: found 0.25, which selects none of 3 agents; must be at least 0.333, or more agents",
    ],
    [
      { mutation: { rl_hp_selection: { lr: { min: 0.1, max: 0.01 } } } },
      "mutation.rl_hp_selection.lr.min: found 0.1; must be at most max (0.01)",
    ],
    [
      { mutation: { rl_hp_selection: { lr: { min: 0, max: 1, scale: "log" } } } },
      "mutation.rl_hp_selection.lr.min: found 0; must be above 0 on a logarithmic scale",
    ],
    [
      { mutation: { rl_hp_selection: { gamma: { min: 0.9, max: 1, scale: "one_minus" } } } },
      "mutation.rl_hp_selection.gamma.max: found 1; must be below 1 on the scale one_minus",
    ],
    [
      { mutation: { rl_hp_selection: { lr: { choices: ["slow", "fast"] } } } },
      "mutation.rl_hp_selection.lr.choices: found slow, fast; lr is a number",
    ],
    [
      { mutation: { rl_hp_selection: { double: { min: 0, max: 1 } } } },
      "mutation.rl_hp_selection.double: double has no range of numbers; allowed are choices among false, true",
    ],
    [
      { mutation: { rl_hp_selection: { double: { choices: [true, "maybe"] } } } },
      'mutation.rl_hp_selection.double.choices: found "maybe"; allowed are choices among false, true',
    ],
    [
      { mutation: { rl_hp_selection: { double: { choices: [true, 1] } } } },
      "mutation.rl_hp_selection.double.choices: found 1, true; must be all numbers, or none",
    ],
    [
      { mutation: { rl_hp_selection: { double: { choices: [true, false], initial: "log_uniform" } } } },
      'mutation.rl_hp_selection.double.initial: found "log_uniform"; must be value or uniform: names have no scale',
    ],
    [
      { mutation: { rl_hp_selection: { cudagraphs: { choices: [true, false] } } } },
      expect.stringContaining('"cudagraphs" of DQN cannot mutate; allowed: '),
    ],
    [{ training: { final_episodes: -1 } }, "training.final_episodes: found -1; must be at least 0"],
  ])("is refused: %o", (sections, message) => {
    expect(issues(sections)).toEqual([message]);
  });

  it("gets the rest of the recipe where its mutation section has ranges only", () => {
    const { mutation } = parseManifest({
      algorithm: { name: "DQN" },
      environment: { name: "CartPole-v1" },
      training: { hpo: "search" },
      mutation: { rl_hp_selection: { lr: { min: 1e-5, max: 1e-2 } } },
    });
    expect(mutation).toMatchObject({
      probabilities: { no_mut: 1, params_mut: 0, rl_hp_mut: 0 },
      rl_hp_selection: { lr: { scale: "log", initial: "log_uniform" } },
    });
  });

  it("keeps its choices when it is written and read again", () => {
    const manifest = parseManifest({
      algorithm: { name: "CQN" },
      environment: { name: "CartPole-v1", dataset_path: "data" },
      training: { hpo: "search" },
      mutation: {
        rl_hp_selection: {
          conservative: { choices: ["all_actions", "dataset"] },
          double: { choices: [true, false] },
          batch_size: { choices: [128, 32] },
        },
      },
    });
    expect(manifest.mutation?.rl_hp_selection).toMatchObject({
      conservative: { min: 0, max: 1, choices: ["all_actions", "dataset"], initial: "uniform" },
      double: { choices: [false, true] },
      batch_size: { min: 32, max: 128, choices: [32, 128], scale: "linear" },
    });
    expect(parseManifest(manifestToObject(manifest))).toEqual(manifest);
    expect(exportWarnings(manifest, []).map(({ path }) => path)).toContain(
      "mutation.rl_hp_selection.double.choices",
    );
  });

  it.each([
    [{ name: "PPO", ent_coef: 0 }, "ent_coef", { min: 1e-4, max: 0.1 }],
    [{ name: "PPO", ent_coef: 0.5 }, "ent_coef", { min: 1e-4, max: 0.5 }],
    [{ name: "DQN", lr: 1e-7 }, "lr", { min: 1e-7, max: 0.01 }],
  ] as const)(
    "searches ranges that given values widen, as far as a logarithm does: %o",
    (algorithm, name, range) => {
      const manifest = parseManifest({
        algorithm,
        environment: { name: "CartPole-v1" },
        training: { hpo: "search" },
      });
      expect(evolutionSections(manifest).mutation?.rl_hp_selection[name]).toMatchObject(range);
    },
  );

  it("needs no mutation section to evolve", () => {
    const warned = (strategy: string) =>
      manifestWarnings(
        parseManifest({
          algorithm: { name: "DQN" },
          environment: { name: "CartPole-v1" },
          training: { pop_size: 4 },
          selection_strategy: { strategy } as { strategy: "truncation" },
        }),
      ).map(({ path }) => path);
    expect(warned("tournament")).toEqual(["mutation"]);
    for (const strategy of ["truncation", "halving", "none"]) expect(warned(strategy)).toEqual([]);
  });
});
