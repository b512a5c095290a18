/** Runs whose agents observe stacks of frames: their bits, files and evaluations, and what is refused. */
// @apart: its programs and devices fill much memory.
import { describe, expect, it } from "vitest";
import { parseManifest } from "../../src/manifests/index.ts";
import { FRAME_STACK } from "../../src/rl/faces.ts";
import { type FileStore, memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, decodeAgent, LocalTrainer, type TrainerOptions } from "../../src/training/index.ts";
import { estimateRun } from "../../src/training/plan.ts";
import { hdf5Bytes, table } from "../datasets/support/hdf5Files.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { refusal } from "./support/refusal.ts";
import { type Changes, endOf, ippo, ppo, rainbow, recurrentPpo, trained, within } from "./support/tiny.ts";
import { ARRAYS, cqn, dataStore, EPISODES, STEPS } from "./support/tinyData.ts";

keepThreads();

const pictures = (changes: Changes = {}): TrainerOptions => ({
  ...ppo({ training: { max_steps: 256 }, ...changes }),
  network: {
    encoder_config: { channel_size: [4], kernel_size: [3], stride_size: [2], min_channel_size: 2 },
    head_config: { hidden_size: [8], min_mlp_nodes: 4 },
  },
});

const landers = (changes: Changes = {}): TrainerOptions =>
  rainbow({ training: { max_steps: 320, eval_steps: 20 }, ...changes });

const NORMALIZED = { normalize: { observations: true, rewards: true } };
const RUNS: [string, (changes?: Changes) => TrainerOptions, object][] = [
  ["RainbowDQN in a host environment", landers, { name: "LunarLander-v3", frame_stack: 3, ...NORMALIZED }],
  ["recurrent PPO", recurrentPpo, { frame_stack: 2, ...NORMALIZED }],
  ["IPPO", ippo, { env_wrappers: [["FrameStack", { num_stack: 2 }]] }],
  ["PPO on images", pictures, { name: "MinAtar/Breakout-v1", frame_stack: 4, max_episode_steps: 30 }],
];

describe.each(RUNS)("a run of %s with stacks", (_name, run, fields) => {
  it("has the same bits in two workers, and after it was killed and resumed", async () => {
    const store = memoryFileStore();
    const options = (changes: Changes = {}) => within(run, { store, ...changes }, fields);
    const whole = await trained(options());
    const accelerator = new Accelerator({ workers: 2 });
    expect(endOf(await trained(options({ accelerator })))).toEqual(endOf(whole));
    const killed = await trained(options(), {
      checkpoint_steps: 1,
      checkpoint_path: "c",
      watch: (event, running) => {
        if (event.event === "generation" && event.generation === 1) setImmediate(() => running.stop());
      },
    });
    const path = killed.recorder.checkpoints.at(-1) as string;
    const resumed = await trained(options({ resume_from_checkpoint: path }));
    expect(resumed.recorder.generations[0]?.generation).toBeGreaterThan(0);
    expect(endOf(resumed)).toEqual(endOf(whole));
  });
});

describe("an agent that observes stacks", () => {
  it("is saved with their space, and does not fit single observations", async () => {
    const store = memoryFileStore();
    const short = { store, training: { max_steps: 128 } };
    const { fitnesses } = await trained(within(ppo, short, { frame_stack: 3 }), {
      save_elite: true,
      elite_path: "agent.safetensors",
    });
    const { agent, observation_space, env_config } = decodeAgent(
      await store.read("agent.safetensors"),
      "agent.safetensors",
    );
    expect(observation_space).toMatchObject({ shape: [3, 3], stacked: true });
    expect(env_config).toEqual({ [FRAME_STACK]: 3 });
    expect(fitnesses).toHaveLength(2);
    expect(agent.algorithm).toBe("PPO");
    const resumed = within(ppo, { ...short, resume_from_checkpoint: "agent.safetensors" }, {});
    await expect(trained(resumed)).rejects.toThrow(/does not fit the environment/);
  });
});

it("needs memory for its stacks, and for the statistics of their numbers", () => {
  const estimateOf = (fields: object) => estimateRun(new LocalTrainer(within(rainbow, {}, fields)).manifest);
  const [plain, stacked] = [estimateOf({}), estimateOf({ frame_stack: 4 })];
  // Two observations of 4 numbers become two of 16 in each of the 400 transitions.
  expect(stacked.replay_bytes - plain.replay_bytes).toBe(400 * 2 * 12 * 4);
  // Five rather than four copies in each of the four lanes.
  expect(stacked.environment_bytes - plain.environment_bytes).toBe(4 * 4 * (5 * 16 - 4 * 4));
  const normalized = estimateOf({ frame_stack: 4, ...NORMALIZED });
  // Count, mean and variance of 16 numbers and of the return, for two members.
  expect(normalized.population_bytes - stacked.population_bytes).toBe(2 * 3 * 17 * 4);
  const ofPictures = (frame_stack: number) =>
    estimateRun(
      parseManifest({
        algorithm: { name: "DQN" },
        environment: { name: "MinAtar/Breakout-v1", frame_stack },
        replay_buffer: { kind: "classic", max_size: 1000 },
      }),
    ).replay_bytes;
  // A byte for each of 400 pixels.
  expect(ofPictures(4) - ofPictures(1)).toBe(1000 * 2 * 3 * 400);
});

describe("a run from a data set", () => {
  /** Each observation after the one before it, as pairs. */
  const pairs = EPISODES.flatMap(({ observations }) =>
    observations.map((own, t) => [...(observations[t - 1] ?? own), ...own]),
  );
  const rows = (skipped: number): Float32Array => {
    let start = 0;
    return Float32Array.from(
      EPISODES.flatMap(({ observations: { length } }) => {
        const own = pairs.slice(start + skipped, start + length - 1 + skipped);
        start += length;
        return own.flat();
      }),
    );
  };
  const stored = async () => {
    const store = await dataStore();
    const flat = await hdf5Bytes((root) => {
      table(root, "observations", { data: rows(0), shape: [STEPS, 2, 4] });
      table(root, "next_observations", { data: rows(1), shape: [STEPS, 2, 4] });
      table(root, "actions", { data: Int32Array.from(ARRAYS.actions), shape: [STEPS] });
      table(root, "rewards", { data: Float32Array.from(ARRAYS.rewards), shape: [STEPS] });
      table(root, "terminals", { data: Uint8Array.from(ARRAYS.terminals), shape: [STEPS] });
    });
    await store.write("pairs.hdf5", flat);
    return store;
  };
  const run = (store: FileStore, fields: object): TrainerOptions => {
    const options = cqn({ store });
    return {
      ...options,
      environment: { ...(options.environment as object), frame_stack: 2, ...fields },
    } as TrainerOptions;
  };

  it("learns from rows that are stacks, and is evaluated on stacks", async () => {
    const { population } = await trained(run(await stored(), { dataset_path: "pairs.hdf5" }));
    expect(population.map(({ observation_space }) => observation_space.shape)).toEqual([
      [2, 4],
      [2, 4],
    ]);
  });

  it("does not stack rows that are none", async () => {
    await expect(trained(run(await stored(), { dataset_path: "flat.hdf5" }))).rejects.toThrow(
      /found rows of shape \[4\], allowed \[2, 4\] .*rows are not stacked: .*leave frame_stack out/,
    );
  });
});

describe("a stack of frames", () => {
  const refused: [string, (changes?: Changes) => TrainerOptions, object, RegExp][] = [
    [
      "of single choices",
      ppo,
      { name: "FrozenLake-v1", frame_stack: 2 },
      /environment\.frame_stack: FrozenLake-v1: .*found observations that are single choices/,
    ],
    ["of no frames", ppo, { frame_stack: 0 }, /environment\.frame_stack/],
    ["of too many", ppo, { frame_stack: 257 }, /environment\.frame_stack/],
    [
      "beside its wrapper",
      ppo,
      { frame_stack: 2, env_wrappers: [["FrameStackObservation", { stack_size: 2 }]] },
      /environment\.frame_stack: is also set by the wrapper FrameStackObservation/,
    ],
    [
      "of zeros at first",
      ppo,
      { env_wrappers: [["FrameStackObservation", { stack_size: 2, padding_type: "zero" }]] },
      /found "FrameStackObservation"/,
    ],
    ["without a size", ppo, { env_wrappers: ["FrameStack"] }, /found "FrameStack"; allowed: /],
    [
      "of a size out of range",
      ppo,
      { env_wrappers: [["FrameStack", { num_stack: 0 }]] },
      /env_wrappers: .*frame_stack/,
    ],
  ];

  it.each(refused)("is refused: %s", (_what, run, fields, message) => {
    expect(refusal(within(run, {}, fields))).toThrow(message);
  });

  it("leaves an option of that name to the environment", () => {
    expect(refusal(within(ppo, {}, { env_config: { frame_stack: 2 } }))).toThrow(/env_config.*frame_stack/);
  });
});
