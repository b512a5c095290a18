/** Populations whose members take learning steps for the transitions of all of them. */
// @apart: its programs and devices fill much memory.
import { describe, expect, it } from "vitest";
import { parseManifest, validateManifest } from "../../src/manifests/index.ts";
import { memoryFileStore, readCheckpoint } from "../../src/storage/index.ts";
import { Accelerator, type TrainerOptions } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { timeless } from "./support/timeless.ts";
import {
  type Changes,
  dqn,
  EVOLUTION,
  maddpg,
  rainbow,
  statesOf,
  type Trained,
  td3,
  trained,
} from "./support/tiny.ts";

keepThreads();

const population = { learn_from: "population", pop_size: 3 } as const;
/** Three members, 40 vector steps of four lanes in a generation, four transitions for a learning step. */
const sharing = (training: object = {}, more: Changes = {}): TrainerOptions =>
  dqn({ ...more, training: { ...population, ...training } });

const learned = ({ recorder }: Trained): number[][] =>
  recorder.generations.map(({ members }) => members.map(({ learn_steps }) => learn_steps));

describe("a population that learns from what all its members collect", () => {
  it("takes a learning step for every learn_step transitions of all, from the second generation on", async () => {
    // The first vector step has no batch of 8 yet.
    expect(learned(await trained(sharing()))).toEqual([
      [39, 39, 39],
      [120, 120, 120],
      [120, 120, 120],
    ]);
    expect(learned(await trained(sharing({ learn_from: "own" })))).toEqual([
      [39, 39, 39],
      [40, 40, 40],
      [40, 40, 40],
    ]);
  });

  it("takes at most max_replay_ratio learning steps per transition of its own", async () => {
    const ratio = async (max_replay_ratio: number) => learned(await trained(sharing({ max_replay_ratio })));
    expect((await ratio(0.75)).at(-1)).toEqual([120, 120, 120]);
    expect((await ratio(0.5)).at(-1)).toEqual([80, 80, 80]);
    // Less than alone.
    expect((await ratio(0.125)).at(-1)).toEqual([20, 20, 20]);
    // 2.4 learning steps in a vector step, rounded down to 1/1024 of a transition.
    const each = Math.floor(0.6 * 4 * 4 * 1024) / 1024 / 4;
    const [first = [], ...later] = await ratio(0.6);
    for (let generation = 1; generation <= later.length; generation++) {
      const total = (first[0] as number) + later.slice(0, generation).reduce((sum, [n = 0]) => sum + n, 0);
      expect(total).toBe(39 + Math.floor(40 * generation * each));
    }
  });

  it("says so for several agents, and in environments that JavaScript steps", async () => {
    const team = await trained(maddpg({ training: population }));
    expect(learned(team).slice(1)).toEqual([
      [120, 120, 120],
      [120, 120, 120],
    ]);
    const environment = { env_type: "gym", name: "LunarLander-v3", num_envs: 4 } as const;
    const lander = await trained(sharing({ eval_steps: 20 }, { environment }));
    expect(learned(lander)).toEqual([
      [39, 39, 39],
      [120, 120, 120],
      [120, 120, 120],
    ]);
  });

  it("has no effect on one agent, and says so", async () => {
    const training = { pop_size: 1 };
    const alone = await trained(dqn({ training }));
    const found = await trained(
      dqn({ training: { ...training, learn_from: "population", max_replay_ratio: 0.1 } }),
    );
    expect(statesOf(found.population)).toEqual(statesOf(alone.population));
    expect(found.state.replay).toEqual(alone.state.replay);
    expect(found.recorder.warnings.filter((warning) => !warning.includes("evo_steps"))).toEqual([
      'training.learn_from is "population", which has no effect: there is one agent',
    ]);
  });
});

const end = ({ population: members, fitnesses, recorder, state }: Trained) => ({
  members: statesOf(members),
  fitnesses,
  elite: state.elite,
  replay: state.replay,
  generation: state.generation,
  // A resumed run has no reports of its first generations, so it counts others.
  last: timeless(recorder.generations.slice(-1).map((report) => ({ ...report, evolution: null }))),
});

/** All of it mutates, learn_step too; the bound of one gives fractions of credit. */
const RUNS: readonly [string, (changes: Changes) => TrainerOptions, object][] = [
  ["DQN", dqn, { max_replay_ratio: 0.6 }],
  ["RainbowDQN", rainbow, {}],
  ["TD3", td3, {}],
  ["MADDPG", maddpg, { max_replay_ratio: 0.7 }],
  [
    "DQN in an environment that JavaScript steps",
    (changes) => dqn({ ...changes, environment: { env_type: "gym", name: "LunarLander-v3", num_envs: 4 } }),
    { eval_steps: 20 },
  ],
];

describe.each(RUNS)("a run of %s", (_name, run, fields) => {
  const options = (more: Changes = {}): TrainerOptions =>
    run({ ...EVOLUTION, seed: 7, training: { ...population, max_steps: 800, ...fields }, ...more });

  it("ends with the same bits in workers, and when it is resumed", async () => {
    const expected = end(await trained(options()));
    expect(expected.replay?.collected).toEqual([160, 160, 160]);
    expect(end(await trained(options({ accelerator: new Accelerator({ workers: 2 }) })))).toEqual(expected);

    const store = memoryFileStore();
    const stopped = await trained(options({ store }), {
      checkpoint_steps: 1,
      checkpoint_path: "c",
      overwrite_checkpoints: true,
      watch: (event, training) => {
        if (event.event === "generation" && event.generation === 3) setImmediate(() => training.stop());
      },
    });
    expect(stopped.reason).toBe("stopped");
    const resume_from_checkpoint = stopped.recorder.checkpoints.at(-1) as string;
    const resumed = await trained(options({ store, resume_from_checkpoint }));
    expect(resumed.recorder.generations[0]?.generation).toBe(4);
    expect(end(resumed)).toEqual(expected);
  });
});

describe("the checkpoint of a run", () => {
  const saved = async (learn_from: string): Promise<{ readonly replay: object }> => {
    const store = memoryFileStore();
    await trained(sharing({ learn_from }, { store }), {
      checkpoint_steps: 1,
      checkpoint_path: "c",
      overwrite_checkpoints: true,
    });
    const { files } = await readCheckpoint(store, "c_1440");
    return JSON.parse(new TextDecoder().decode(files.get("run.json")));
  };

  it("says what each slot collected, only if others learn by it", async () => {
    expect((await saved("population")).replay).toMatchObject({ collected: [160, 160, 160] });
    expect((await saved("own")).replay).not.toHaveProperty("collected");
  });

  it("without that counts others from its second generation on", async () => {
    const store = memoryFileStore();
    const own = await trained(sharing({ learn_from: "own", max_steps: 160 }, { store }), {
      checkpoint_steps: 1,
      checkpoint_path: "c",
    });
    const resume_from_checkpoint = own.recorder.checkpoints[0] as string;
    const resumed = await trained(sharing({}, { store, resume_from_checkpoint }));
    expect(learned(resumed)).toEqual([
      [40, 40, 40],
      [120, 120, 120],
    ]);
  });
});

describe("learn_from: population", () => {
  it.each([
    ["PPO", {}],
    ["IPPO", { environment: { name: "simple_speaker_listener_v4" } }],
    ["CQN", { environment: { env_type: "offline", name: "CartPole-v1", dataset_path: "data.hdf5" } }],
    ["NeuralUCB", { environment: { env_type: "bandit", features: "x.csv", targets: "y.csv" } }],
    [
      "GRPO",
      {
        network: { pretrained_model_name_or_path: "model", max_context_length: 64 },
        environment: { env_type: "rollout", entrypoint: "ConditionalTarget" },
      },
    ],
  ])("is refused for %s, with the algorithms that take it", (name, sections) => {
    const result = validateManifest({
      algorithm: { name },
      environment: { name: "CartPole-v1" },
      training: { learn_from: "population", pop_size: 2 },
      ...sections,
    });
    const issues = result.success ? [] : result.issues;
    expect(issues.map(({ path, message }) => [path, message])).toEqual([
      [
        "training.learn_from",
        `found "population"; only off-policy algorithms (DQN, RainbowDQN, DDPG, TD3, SAC, MADDPG, MATD3) learn from what others collect, not ${name}; leave this key out`,
      ],
    ]);
  });

  it.each([0, -1, Number.POSITIVE_INFINITY])("takes no max_replay_ratio of %d", (max_replay_ratio) => {
    const training = { learn_from: "population", max_replay_ratio };
    expect(() =>
      parseManifest({ algorithm: { name: "DQN" }, environment: { name: "CartPole-v1" }, training }),
    ).toThrow("training.max_replay_ratio");
  });

  it("gives max_replay_ratio no effect when absent, and a warning", async () => {
    const run = await trained(dqn({ training: { max_replay_ratio: 2 } }), { onRun: (it) => it.stop() });
    expect(run.recorder.warnings[0]).toBe(
      "training.max_replay_ratio has no effect without learn_from: population",
    );
  });
});
