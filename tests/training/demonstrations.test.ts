// @apart: it registers an environment, and its programs and devices fill much memory.
/** Runs that learn from demonstrations beside their environment. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  findCompiledEnvironment,
  loadEnvironment,
  make,
  registerEnvironment,
} from "../../src/rl/environments.ts";
import type { FileStore } from "../../src/storage/index.ts";
import { Accelerator, LocalTrainer, type TrainerOptions } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import {
  type Changes,
  dqn,
  EVOLUTION,
  endOf,
  ippo,
  ppo,
  rainbow,
  recurrentPpo,
  td3,
  trained,
} from "./support/tiny.ts";
import { cqn, dataStore, STEPS } from "./support/tinyData.ts";

keepThreads();

let store: FileStore;
beforeAll(async () => {
  store = await dataStore();
});

type Run = (changes: Changes) => TrainerOptions;
/** The same run with demonstrations. */
const shown =
  (run: Run, demonstrations: string, fields: object = {}): Run =>
  ({ training, ...changes }) =>
    run({ store, ...changes, training: { demonstrations, ...fields, ...training } });

/** Over before the second generation, so that a run has both kinds of turns. */
const FADING = { demonstration_coef: 0.5, demonstration_steps: 120 };
const choosing: Run = (changes) => ({
  ...ppo(changes),
  environment: { env_type: "gym", name: "CartPole-v1", num_envs: 4 },
});
const CASES: readonly [string, Run][] = [
  ["DQN", shown(dqn, "data-v0")],
  ["RainbowDQN, by priority", shown(rainbow, "flat.hdf5", { demonstration_share: 0.3 })],
  ["TD3", shown(td3, "torques.hdf5")],
  ["PPO of numbers", shown(ppo, "torques.hdf5", FADING)],
  ["PPO of choices", shown(choosing, "data-v0", { demonstration_coef: 1 })],
];
/** CartPole as JavaScript steps it, in this thread alone. */
const HOSTED = "test/ShownCartPole-v1";
const hosted =
  (run: Run): Run =>
  (changes) => ({ ...run(changes), environment: { env_type: "gym", name: HOSTED, num_envs: 4 } });
const ON_HOST: readonly [string, Run][] = [
  ["DQN", hosted(shown(dqn, "flat.hdf5"))],
  ["PPO", hosted(shown(ppo, "data-v0", FADING))],
];
beforeAll(async () => {
  const { observation_space, action_space, max_episode_steps } = findCompiledEnvironment("CartPole-v1");
  const facts = { observation_space, action_space, max_episode_steps, reward_threshold: null };
  registerEnvironment({ id: HOSTED, ...facts, load: async () => () => make("CartPole-v1") });
  await loadEnvironment(HOSTED);
});

/** The run again, killed after its first generation and resumed. */
async function resumedOf(options: Run) {
  const { recorder } = await trained(options({ seed: 7 }), {
    checkpoint_steps: 1,
    checkpoint_path: "c",
    watch: (event, training) => {
      if (event.event === "generation" && event.generation === 1) setImmediate(() => training.stop());
    },
  });
  return trained(options({ resume_from_checkpoint: recorder.checkpoints.at(-1) as string }));
}

describe.each(CASES)("%s with demonstrations", (_name, run) => {
  const options = (changes: Changes) => run({ ...EVOLUTION, ...changes });
  let here: Awaited<ReturnType<typeof trained>>;
  beforeAll(async () => {
    here = await trained(options({ seed: 7 }));
  });

  it("learns otherwise than without", async () => {
    const without = await trained(options({ seed: 7, training: { demonstrations: null, ...NONE } }));
    expect(endOf(without).members).not.toEqual(endOf(here).members);
  });

  it("has the same bits in two workers", async () => {
    const accelerator = new Accelerator({ workers: 2 });
    expect(endOf(await trained(options({ seed: 7, accelerator })))).toEqual(endOf(here));
  });

  it("has the same bits when it is killed and resumed", async () => {
    expect(endOf(await resumedOf(options))).toEqual(endOf(here));
  });
});

describe.each(ON_HOST)("%s with demonstrations, beside an environment of the host", (_name, run) => {
  it("learns otherwise than without, and has the same bits when it is killed and resumed", async () => {
    const options = (changes: Changes) => run({ ...EVOLUTION, ...changes });
    const here = await trained(options({ seed: 7 }));
    const without = await trained(options({ seed: 7, training: { demonstrations: null, ...NONE } }));
    expect(endOf(without).members).not.toEqual(endOf(here).members);
    expect(endOf(await resumedOf(options))).toEqual(endOf(here));
  });
});

const NONE = { demonstration_coef: null, demonstration_steps: null, demonstration_share: null };

describe("PPO", () => {
  it("does not read demonstrations whose loss has no weight", async () => {
    const without = await trained(ppo({ seed: 7 }));
    const fields = { demonstrations: "nowhere.hdf5", demonstration_coef: 0 };
    expect(endOf(await trained(ppo({ seed: 7, store, training: fields })))).toEqual(endOf(without));
  });
});

describe("what is refused", () => {
  const refused: readonly [string, TrainerOptions, string][] = [
    [
      "another data set",
      dqn({ training: { demonstrations: "torques.hdf5" } }),
      "training.demonstrations: torques.hdf5",
    ],
    [
      "a missing one",
      dqn({ training: { demonstrations: "no.hdf5" } }),
      "training.demonstrations: no.hdf5: no such file",
    ],
    [
      "a share of all",
      dqn({ training: { demonstrations: "data-v0", demonstration_share: 1 } }),
      "training.demonstration_share",
    ],
    [
      "a share of nothing",
      dqn({ training: { demonstration_share: 0.5 } }),
      "training.demonstration_share: found 0.5; needs demonstrations",
    ],
    [
      "a team",
      ippo({ training: { demonstrations: "data-v0" } }),
      "IPPO cannot learn from demonstrations; allowed with",
    ],
    [
      "data alone",
      cqn({ training: { demonstrations: "data-v0" } }),
      "CQN learns from environment.dataset_path alone",
    ],
    ["memory", recurrentPpo({ training: { demonstrations: "torques.hdf5" } }), "recurrent is true"],
    [
      "hindsight",
      {
        ...dqn({ training: { demonstrations: "data-v0" } }),
        replay_buffer: { kind: "classic", max_size: 400, her: {} },
      },
      "replay_buffer.her",
    ],
  ];
  it.each(refused)("%s", async (_name, options, message) => {
    await expect((async () => trained({ ...options, store }))()).rejects.toThrow(message);
  });

  it("a checkpoint's run with other demonstrations", async () => {
    const run = (demonstrations: string, more: object = {}) =>
      trained(dqn({ store, training: { demonstrations }, ...more }), {
        checkpoint_steps: 160,
        checkpoint_path: "d",
      });
    const { recorder, state } = await run("data-v0");
    expect(state.demonstrations?.identity).toMatchObject({ source: "data-v0", rows: STEPS });
    const resume_from_checkpoint = recorder.checkpoints[0] as string;
    await expect(run("rlkit/cartpole-rule", { resume_from_checkpoint })).rejects.toThrow(
      "give it the same demonstrations",
    );
  });
});

it("a GPU that was asked for is not used, and the run says so", async () => {
  const trainer = new LocalTrainer(
    dqn({
      store,
      training: { demonstrations: "data-v0" },
      accelerator: new Accelerator({ device: "webgpu" }),
    }),
  );
  expect(trainer.device).toBe("wasm");
  const { recorder } = await trained(trainer);
  expect(recorder.warnings).toContain(
    "demonstrations are learnt from on wasm, so its members train on wasm, not on webgpu",
  );
});
