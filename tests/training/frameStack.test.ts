/** Runs whose agents observe stacks of frames: their bits, files and evaluations, and what is refused. */
// @apart: its programs and devices fill much memory.
import { describe, expect, it } from "vitest";
import { FRAME_STACK } from "../../src/rl/faces.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { Accelerator, decodeAgent, type TrainerOptions } from "../../src/training/index.ts";
import { keepThreads } from "../workers/inside/support/keptThreads.ts";
import { refusal } from "./support/refusal.ts";
import {
  type Changes,
  ippo,
  ppo,
  rainbow,
  recurrentPpo,
  statesOf,
  type Trained,
  trained,
} from "./support/tiny.ts";

keepThreads();

/** A run with other fields in its section of the environment. */
const within = (
  run: (changes?: Changes) => TrainerOptions,
  changes: Changes,
  fields: object,
): TrainerOptions => {
  const options = run({ seed: 7, ...changes });
  return { ...options, environment: { ...(options.environment as object), ...fields } } as TrainerOptions;
};

const end = ({ population, fitnesses, state }: Trained) => ({
  members: statesOf(population),
  fitnesses,
  replay: state.replay,
});

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
    expect(end(await trained(options({ accelerator })))).toEqual(end(whole));
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
    expect(end(resumed)).toEqual(end(whole));
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
