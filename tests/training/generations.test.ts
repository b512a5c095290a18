import { describe, expect, it } from "vitest";
import { Mutations } from "../../src/evolution/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import {
  decodeAgent,
  type GenerationReport,
  LocalTrainer,
  type MemberReport,
  OutputLostError,
} from "../../src/training/index.ts";
import { fitnessAt } from "./support/fitnessAt.ts";
import { LevelEnvironment } from "./support/levelEnvironment.ts";
import { dqn, EVOLUTION, NO_MUTATION, ppo, Recorder, statesOf, trained } from "./support/tiny.ts";

const CARTPOLE = { environment: "CartPole-v1", seed: 42, num_envs: 4 };

/** Specs whose mutations always change a member. */
const always = (probabilities: object) => ({
  ...EVOLUTION,
  mutation: { probabilities: { ...NO_MUTATION, no_mut: 0, ...probabilities } },
});

const mutationsOf = (report: GenerationReport | undefined) => report?.members.map(({ mutation }) => mutation);

describe("mutation before the first generation", () => {
  it("changes every member, whatever the weight of no mutation", async () => {
    const mostly = { probabilities: { ...NO_MUTATION, no_mut: 1, params_mut: 0.001 } };
    const run = await trained(dqn({ training: { pop_size: 4 }, ...EVOLUTION, mutation: mostly }));
    const [first, second] = run.recorder.generations;
    expect(mutationsOf(first)).toEqual(["param", "param", "param", "param"]);
    expect(mutationsOf(second)).toEqual(["None", "None", "None", "None"]);
  });

  it("is done without selection too, and only once", async () => {
    const run = await trained(dqn({ mutation: always({ params_mut: 1 }).mutation }));
    // Without selection nothing evolves, so the label stays.
    expect(run.recorder.generations.map(mutationsOf)).toEqual(Array(3).fill(["param", "param"]));
    const indices = run.recorder.generations.map(({ members }) => members.map(({ index }) => index));
    expect(indices).toEqual(Array(3).fill([0, 1]));
  });
});

/** The tiny run's values of what may mutate. */
const AT_THE_START: Readonly<Record<string, number>> = { lr: 0.001, batch_size: 8, learn_step: 4 };

describe("lineage", () => {
  it("says from the first generation on where each member came from and what changed", async () => {
    const run = await trained(dqn({ training: { pop_size: 3 }, ...always({ rl_hp_mut: 1 }) }));
    const reports = run.recorder.generations;
    expect(reports).toHaveLength(3);
    for (const [i, { lineage, members, generation }] of reports.entries()) {
      expect(lineage.map((event) => event.generation)).toEqual([i, i, i]);
      expect(generation).toBe(i + 1);
      for (const [slot, event] of lineage.entries()) {
        const { index, parent, mutation, hyperparameters } = members[slot] as MemberReport;
        expect(event).toMatchObject({ slot, index, parent, mutation });
        const source = reports[i - 1]?.members.find((member) => member.index === parent);
        expect(source === undefined).toBe(i === 0);
        const before = source?.hyperparameters ?? AT_THE_START;
        for (const [name, { from, to }] of Object.entries(event.hyperparameters)) {
          expect(to).toBe(hyperparameters[name]);
          expect(from).toBe(before[name]);
        }
        expect(Object.keys(event.hyperparameters)).toEqual(mutation === "None" ? [] : [mutation]);
      }
    }
    expect(
      reports[0]?.lineage.every(({ hyperparameters }) => Object.keys(hyperparameters).length === 1),
    ).toBe(true);
  });

  it("is empty where members go on unchanged", async () => {
    const run = await trained(dqn());
    expect(run.recorder.generations.map(({ lineage }) => lineage.length)).toEqual([2, 0, 0]);
  });
});

describe("generations", () => {
  it("follow each other by selection: the elite under its identity, copies under new ones", async () => {
    const run = await trained(dqn({ training: { pop_size: 4, max_steps: 640 }, ...EVOLUTION }));
    const reports = run.recorder.generations;
    expect(reports).toHaveLength(4);
    const seen = new Set<number>(reports[0]?.members.map(({ index }) => index));
    for (const [i, report] of reports.slice(1).entries()) {
      const before = reports[i] as GenerationReport;
      const parents = before.members.map(({ index }) => index);
      expect(report.members[0]?.index).toBe(before.members[before.elite]?.index);
      for (const { index, parent } of report.members.slice(1)) {
        expect(parents).toContain(parent);
        expect(seen.has(index)).toBe(false);
        seen.add(index);
      }
    }
  });

  it("end with evaluation: every fitness belongs to the member that is returned", async () => {
    for (const training of [{}, { target_score: 1, max_steps: 100_000 }]) {
      const run = await trained(dqn({ training, ...always({ arch_mut: 1 }) }));
      const { generation } = run.state;
      expect(run.population.map(({ fitness }) => fitness.at(-1))).toEqual(run.fitnesses);
      for (const [slot, agent] of statesOf(run.population).entries())
        expect(fitnessAt(agent, { ...CARTPOLE, slot, generation })).toBe(run.fitnesses[slot]);
      const last = run.recorder.generations.at(-1);
      expect(run.population.map(({ index, mut }) => [index, mut])).toEqual(
        last?.members.map(({ index, mutation }) => [index, mutation]),
      );
    }
  });

  it("stop at a target that every member exceeds", async () => {
    const run = await trained(dqn({ training: { target_score: 1, max_steps: 100_000 } }));
    expect([run.reason, run.state.generation]).toEqual(["target", 1]);
  });

  it("spare the first slot with mutate_elite false", async () => {
    const mutation = new Mutations({
      no_mutation: 0,
      architecture: 0,
      new_layer_prob: 0,
      parameters: 1,
      activation: 0,
      rl_hp: 0,
      mutate_elite: false,
    });
    const { recorder } = await trained(dqn({ ...EVOLUTION, mutation, training: { pop_size: 3 } }));
    for (const report of recorder.generations.slice(1))
      expect(mutationsOf(report)).toEqual(["None", "param", "param"]);
    const spec = await trained(dqn({ ...always({ params_mut: 1 }), training: { pop_size: 3 } }));
    for (const report of spec.recorder.generations)
      expect(mutationsOf(report)).toEqual(Array(3).fill("param"));
  });
});

describe("the elite's file", () => {
  it("is the best member as it was evaluated, before selection and mutation", async () => {
    const store = memoryFileStore();
    const files: Promise<Uint8Array | null>[] = [];
    const run = await trained(dqn({ ...always({ arch_mut: 1, params_mut: 1 }), store }), {
      save_elite: true,
      elite_path: "best.pt",
      // At a generation's report, the file is still that of the one before.
      watch: ({ event }) => {
        if (event === "generation" || event === "end")
          files.push(store.read("best.safetensors").catch(() => null));
      },
    });
    const saved = await Promise.all(files);
    expect(saved[0]).toBeNull();
    for (const [i, { generation, elite, fitnesses }] of run.recorder.generations.entries()) {
      const { agent, environment, num_envs } = decodeAgent(saved[i + 1] as Uint8Array, "best");
      expect([environment, num_envs]).toEqual(["CartPole-v1", 4]);
      expect(agent.fitness.at(-1)).toBe(fitnesses[elite]);
      expect(fitnessAt(agent, { ...CARTPOLE, slot: elite, generation })).toBe(fitnesses[elite]);
    }
    const { elite } = run.recorder.generations.at(-1) as GenerationReport;
    const [last] = saved.slice(-1);
    expect(decodeAgent(last as Uint8Array, "best").agent).toEqual(run.population[elite]?.state);
  });

  it("has a name of its own, and a full disk does not end the run before its end", async () => {
    const store = memoryFileStore();
    await trained(dqn({ store }), { save_elite: true });
    expect(await store.exists("CartPole-v1-elite_DQN.safetensors")).toBe(true);

    const recorder = new Recorder();
    const full = new LocalTrainer(dqn({ store: memoryFileStore({ capacity: 100 }) }));
    const end = full.train({ verbose: false, save_elite: true, observer: recorder });
    await expect(end).rejects.toThrow(OutputLostError);
    expect(recorder.of("end").map(({ reason }) => reason)).toEqual(["max_steps"]);
    const messages = recorder.warnings.filter((message) => message.includes("elite"));
    expect(messages).toHaveLength(3);
    expect(messages[0]).toMatch(
      /^the elite was not saved to CartPole-v1-elite_DQN\.safetensors: .*no room to write \d+ bytes.* Training continues\.$/,
    );
  });
});

describe("evaluation", () => {
  it("is cut by eval_steps, and is the mean over eval_loop passes of all environments", async () => {
    const cut = await trained(dqn({ training: { eval_steps: 3 } }));
    expect(cut.fitnesses).toEqual([3, 3]);

    const run = await trained(ppo({ training: { eval_loop: 3, max_steps: 128 } }));
    for (const [slot, agent] of statesOf(run.population).entries()) {
      const turn = { environment: "Pendulum-v1", seed: 42, num_envs: 4, eval_steps: 40, slot, generation: 1 };
      expect(fitnessAt(agent, { ...turn, eval_loop: 3 })).toBe(run.fitnesses[slot]);
      expect(fitnessAt(agent, { ...turn, eval_loop: 1 })).not.toBe(run.fitnesses[slot]);
    }
  });

  /** Episodes that begin and end with generations are easily told apart. */
  const EACH = { pop_size: 1, reset_each_generation: true };

  it("runs one greedy episode in every pass, from a seed of its own", async () => {
    const environment = new LevelEnvironment(() => 1, { length: 8 });
    const run = await trained(
      dqn({
        environment,
        training: { ...EACH, evo_steps: 32, max_steps: 64, eval_loop: 3, eps_start: 1, eps_end: 1 },
      }),
    );
    expect(run.fitnesses).toEqual([1]);
    const seeded = environment.episodes.filter(({ seed }) => seed !== undefined);
    // A generation resets once to train and once for each pass.
    expect(seeded).toHaveLength(2 * 4);
    expect(new Set(seeded.map(({ seed }) => seed)).size).toBe(2 * 4);
    for (const start of [1, 5]) {
      const [first, ...more] = seeded.slice(start, start + 3).map(({ actions }) => actions);
      expect(first).toHaveLength(8);
      expect(more).toEqual([first, first]);
    }
    // Training acts at random all the while.
    const explored = environment.episodes.slice(0, 4).map(({ actions }) => actions.join(""));
    expect(new Set(explored).size).toBeGreaterThan(1);
  });

  it("comes between the generations of an episode, which goes on, or begins anew where that is asked for", async () => {
    const lengths = async (reset_each_generation: boolean) => {
      const environment = new LevelEnvironment(() => 1, { length: 10 });
      const training = { pop_size: 1, evo_steps: 15, max_steps: 30, reset_each_generation };
      await trained(dqn({ environment, training }));
      return environment.episodes.map(({ actions }) => actions.length);
    };
    expect(await lengths(true)).toEqual([10, 5, 10, 0, 10, 5, 10, 0]);
    // Its five steps are taken again before the others.
    expect(await lengths(false)).toEqual([10, 5, 10, 0, 10, 10, 0, 10, 0]);
  });
});
