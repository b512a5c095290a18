import { describe, expect, it } from "vitest";
import {
  HalvingSelection,
  MultiFrequencySelection,
  Mutations,
  TournamentSelection,
} from "../../../src/evolution/index.ts";
import type { RunPlan } from "../../../src/training/index.ts";
import { jsonFiles } from "../../../src/training/loop/runFiles.ts";
import { bestOf, type RunParts } from "../../../src/training/loop/TrainingRun.ts";
import type { Kinds } from "../../../src/training/loop/Workload.ts";
import { TrainingRun } from "../../../src/training/loop.ts";
import { RlWorkload } from "../../../src/training/rl/RlWorkload.ts";
import type { RlKinds } from "../../../src/training/workloads.ts";
import { agentOf } from "../../rl/support/agents.ts";
import { type Script, ScriptedExecutor } from "../support/scriptedExecutor.ts";
import { Recorder } from "../support/tiny.ts";

const EVERY_MUTATION = {
  no_mutation: 0,
  architecture: 1,
  new_layer_prob: 0.5,
  parameters: 1,
  activation: 0,
  rl_hp: 0,
};

interface Options {
  readonly population?: number;
  readonly generations?: number;
  readonly target?: number | null;
  readonly early_stopping?: RunPlan["early_stopping"];
  readonly evolves?: boolean;
  readonly selection?: RunParts["selection"];
}

/** A run of PPO members whose fitness follows a script. */
function scripted(
  script: Script,
  {
    population = 3,
    generations = 4,
    target = null,
    early_stopping = null,
    evolves = false,
    selection,
  }: Options = {},
) {
  const executor = new ScriptedExecutor(script);
  const recorder = new Recorder();
  const members = Array.from({ length: population }, (_, index) => agentOf({ name: "PPO" }, { index }));
  const plan: RunPlan = {
    environment: "scripted",
    env_config: null,
    num_envs: 1,
    seed: 3,
    max_steps: 100 * generations,
    evo_steps: 100,
    eval_loop: 1,
    eval_steps: null,
    target,
    early_stopping,
    off_policy: null,
  };
  const run = new TrainingRun<RlKinds>(
    {
      generation: 0,
      members,
      elite: null,
      epsilon: 0,
      replay: null,
      evolution_due: false,
      gpu_workgroups: null,
      started: false,
      device: null,
    },
    {
      plan,
      workload: new RlWorkload({ plan, hp_config: null }),
      executor,
      observer: recorder,
      selection:
        selection ??
        (evolves
          ? new TournamentSelection({ tournament_size: 2, elitism: true, population_size: population })
          : null),
      mutation: evolves || selection ? new Mutations(EVERY_MUTATION) : null,
    },
  );
  return { run, executor, recorder };
}

describe("early stopping", () => {
  it.each([
    [[1, 2, 3, 3, 3, 9], 0, 5],
    [[1, 2, 1, 2.5, 2, 2.4, 9], 0, 6],
    // Small steps add up: each is measured against the last that counted.
    [[1, 1.4, 1.8, 2.2, 2.6, 2.6, 9], 0.5, 7],
    [[1, 1.4, 1.4, 9], 0.5, 3],
    [["out of memory", "out of memory", 1, 1, 1, 9], 0, 5],
  ])(
    "ends a run with the best fitnesses %j and a threshold of %d in generation %i",
    async (best, threshold, ended) => {
      const script = (slot: number, generation: number) => (slot === 0 ? (best[generation - 1] ?? 0) : -1);
      const early_stopping = { patience: 2, threshold };
      const { run } = scripted(script, { generations: best.length, evolves: true, early_stopping });
      const { reason } = await run.train();
      expect([reason, run.state.generation]).toEqual([
        ended < best.length ? "early_stopping" : "max_steps",
        ended,
      ]);
    },
  );
});

describe("target", () => {
  it("ends the run when the mean of every member's last ten evaluations exceeds it", async () => {
    // Means of ten: 7.5 at generation 12; of all: 6.5.
    const { run, recorder } = scripted((_slot, generation) => generation, { generations: 40, target: 7.4 });
    expect(await run.train()).toMatchObject({ reason: "target", fitnesses: [12, 12, 12] });
    expect(recorder.generations).toHaveLength(12);
  });

  it("needs no ten evaluations", async () => {
    const { run } = scripted(() => 5, { target: 4.9 });
    expect(await run.train()).toMatchObject({ reason: "target", global_step: 300 });
  });

  it("waits for the last member, and for more than the target itself", async () => {
    const behind = scripted((slot) => (slot === 1 ? 0 : 9), { target: 5 });
    expect(await behind.run.train()).toMatchObject({ reason: "max_steps" });
    const equal = scripted(() => 5, { target: 5 });
    expect(await equal.run.train()).toMatchObject({ reason: "max_steps" });
  });

  it("is not reached by a member that failed", async () => {
    const failing = (slot: number) => (slot === 0 ? "out of memory" : 9);
    const { run } = scripted(failing, { target: 5, evolves: true, generations: 2 });
    expect(await run.train()).toMatchObject({ reason: "max_steps", fitnesses: [Number.NaN, 9, 9] });
  });
});

describe("members that fail", () => {
  it("are told of, keep their place for the generation, and give it to a copy of a better one", async () => {
    const { run, executor, recorder } = scripted(
      (slot, generation) => (slot === 1 && generation === 1 ? "member 1: a weight is not finite" : slot),
      { evolves: true, generations: 2 },
    );
    await run.train();
    const [first, second] = recorder.generations;
    expect(first?.fitnesses).toEqual([0, Number.NaN, 2]);
    expect(first).toMatchObject({
      elite: 2,
      global_step: 300,
      members: [{ steps: 100 }, { steps: 100 }, {}],
    });
    expect(recorder.warnings).toEqual([
      "member 1: a weight is not finite. It does not take part in this generation's selection and is replaced by a copy of a better member.",
    ]);
    expect(second?.members.map(({ parent }) => parent)).not.toContain(1);
    expect(executor.trained[1]?.map(({ agent }) => agent.fitness.at(-1))).not.toContain(Number.NaN);
  });

  it("go on from where they were while their subpopulation does not evolve", async () => {
    const { run, recorder } = scripted(
      (slot, generation) => (slot === 5 && generation === 1 ? "member 5: gone" : slot),
      { population: 6, generations: 2, selection: new MultiFrequencySelection({ population_size: 6 }) },
    );
    await run.train();
    expect(recorder.warnings).toEqual([
      "member 5: gone. It does not take part in this generation's selection and continues from its previous state until its subpopulation evolves.",
    ]);
    expect(recorder.generations[1]?.members[5]).toMatchObject({ index: 5, fitness: 5, subpopulation: 1 });
  });

  it("end the run when nothing can replace them, and when all failed", async () => {
    const one = scripted((slot) => (slot === 0 ? "member 0: gone" : 1));
    await expect(one.run.train()).rejects.toThrow("member 0: gone");
    const all = scripted((slot) => `member ${slot}: gone`, { evolves: true });
    await expect(all.run.train()).rejects.toThrow("member 0: gone");
    expect(one.recorder.generations).toEqual([]);
    expect(all.run.state.generation).toBe(0);
  });

  it("keep a history of at most a hundred evaluations", async () => {
    const { run } = scripted((slot) => (slot === 0 ? "gone" : 1), {
      population: 2,
      generations: 103,
      selection: {
        select: (population) => ({ elite: population[0] as never, population: [...population], indices: [] }),
      },
    });
    await run.train();
    expect(run.state.members[0]?.fitness).toHaveLength(100);
  });
});

describe("selection of another size", () => {
  it("is refused before the generation it would be for", async () => {
    const { run } = scripted(() => 1, {
      selection: new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 2 }),
    });
    await expect(run.train()).rejects.toThrow("selection_strategy: chose 2 members, allowed 3");
    expect(run.state.generation).toBe(1);
  });
});

describe("bestOf", () => {
  it("is the first of the largest numbers; NaN only when there is nothing else", () => {
    expect(bestOf([1, 3, 3])).toBe(1);
    expect(bestOf([Number.NaN, -5, -7])).toBe(1);
    expect(bestOf([Number.NaN, Number.NaN])).toBe(0);
  });
});

describe("the elite and the champion", () => {
  const of = async (fitnesses: readonly (readonly number[])[]) => {
    const { run, recorder } = scripted(
      (slot, generation) => fitnesses[generation - 1]?.[slot] ?? Number.NaN,
      {
        population: 4,
        generations: fitnesses.length,
        selection: new HalvingSelection({ population_size: 4, rung: 1 }),
      },
    );
    await run.train();
    const { elite, champion } = run.state;
    const last = recorder.generations.at(-1);
    return { last, elite: elite?.fitness.at(-1), champion: champion?.fitness.at(-1) };
  };

  it("are found among numbers of any size, and never among those that rest", async () => {
    expect(await of([[-Infinity, -1e308, 1e308, 5]])).toMatchObject({ elite: 1e308, champion: 1e308 });
    const { last, ...best } = await of([
      [2, 1, 8, 9],
      [Number.NaN, Number.NaN, -Infinity, 3],
    ]);
    expect([last?.elite, best]).toEqual([3, { elite: 3, champion: 9 }]);
  });

  it("stay where no fitness is a number", async () => {
    const { last, ...best } = await of([
      [2, 1, 8, 9],
      [0, 0, Number.NaN, Number.NaN],
    ]);
    expect([last?.elite, best]).toEqual([2, { elite: 9, champion: 9 }]);
    expect(await of([[-Infinity, -Infinity, -Infinity, -Infinity]])).toMatchObject({ champion: -Infinity });
  });
});

it("files of members that are plain JSON keep a fitness that is no number", () => {
  const files = jsonFiles<Kinds>("plain");
  const agent = { fitness: [1e308, Number.NaN, 2] } as unknown as Kinds["agent"]; // What the files change.
  expect(files.decodeAgent(files.encodeAgent(agent, {}), "agent.json").fitness).toEqual([
    1e308,
    Number.NaN,
    2,
  ]);
});
