import { openGpu } from "../../src/kernels/webgpu.ts";
import { algorithmDefinition, type TrainingManifestInput } from "../../src/manifests/index.ts";
import { GpuExecutor } from "../../src/training/executors.ts";
import type { Row } from "../harness/Row.ts";
import { runPopulation } from "../subjects/populationRun.ts";

const MEMBERS = [1, 4, 16] as const;
const GENERATIONS = 3;

const NETWORK = { latent_dim: 64, encoder_config: { hidden_size: [64] }, head_config: { hidden_size: [64] } };
const CARTPOLE = { name: "CartPole-v1", num_envs: 16 } as const;
const PENDULUM = { name: "Pendulum-v1", num_envs: 16 } as const;

type Task = Pick<TrainingManifestInput, "algorithm" | "environment" | "replay_buffer" | "network">;

const off = { batch_size: 64, learn_step: 4 } as const;
const prioritised = {
  max_size: 100_000,
  per_buffer: true,
  n_step_buffer: true,
  n_step_buffer_args: { n_step: 3 },
} as const;

const teamOff = { batch_size: 256, learn_step: 16 } as const;

/** One task per algorithm, without evolution, so that all members do equal work. */
const TASKS: Readonly<Record<string, Task>> = {
  dqn: { algorithm: { name: "DQN", ...off }, environment: CARTPOLE },
  rainbow: { algorithm: { name: "RainbowDQN", ...off }, environment: CARTPOLE, replay_buffer: prioritised },
  ddpg: { algorithm: { name: "DDPG", ...off }, environment: PENDULUM },
  td3: { algorithm: { name: "TD3", ...off }, environment: PENDULUM },
  ppo: { algorithm: { name: "PPO", batch_size: 128, learn_step: 2048 }, environment: CARTPOLE },
  "ppo-continuous": {
    algorithm: { name: "PPO", batch_size: 128, learn_step: 2048 },
    environment: PENDULUM,
  },
  "ppo-images": {
    algorithm: { name: "PPO", batch_size: 128, learn_step: 2048 },
    environment: { name: "MinAtar/Breakout-v1", num_envs: 16 },
    network: {
      latent_dim: 64,
      encoder_config: { arch: "cnn", channel_size: [16], kernel_size: [3], stride_size: [1] },
      head_config: { hidden_size: [64] },
    },
  },
  maddpg: {
    algorithm: { name: "MADDPG", ...teamOff },
    environment: { name: "simple_speaker_listener_v4", num_envs: 16 },
  },
  matd3: {
    algorithm: { name: "MATD3", ...teamOff },
    environment: {
      name: "simple_spread_v3",
      num_envs: 16,
      env_config: { continuous_actions: true },
    },
  },
  ippo: {
    algorithm: { name: "IPPO", batch_size: 128, learn_step: 2048 },
    environment: { name: "simple_spread_v3", num_envs: 16 },
  },
};

/** Environment and learning steps per second of all members. The time includes evaluation. */
async function rates(
  task: Task,
  pop_size: number,
  { seed, device }: { readonly seed: number; readonly device: "wasm" | "webgpu" },
): Promise<[number, number]> {
  const evo_steps = algorithmDefinition(task.algorithm.name ?? "").off_policy ? 4096 : 8192;
  const manifest: TrainingManifestInput = {
    network: NETWORK,
    ...task,
    // Multi-agent on-policy runs count the steps of the whole population.
    training: { max_steps: 10 * evo_steps * pop_size, pop_size, evo_steps, eval_steps: 200 },
  };
  const sums = { env_steps: 0, learn_steps: 0, seconds: 0 };
  await runPopulation(manifest, {
    seed,
    workers: 2,
    ...(device === "webgpu" ? { executor: new GpuExecutor({ open: openGpu }) } : {}),
    atBoundary: ({ report }) => {
      // The first generation includes compilation.
      if (report.generation === 1) return false;
      sums.seconds += report.seconds;
      sums.env_steps += report.steps_per_second * report.seconds;
      sums.learn_steps += report.learn_steps_per_second * report.seconds;
      return report.generation > GENERATIONS;
    },
  });
  return [sums.env_steps / sums.seconds, sums.learn_steps / sums.seconds];
}

/** Rows of one device, one per algorithm: training speed of populations of three sizes. */
const rowsOf = (device: "wasm" | "webgpu"): Row[] =>
  Object.entries(TASKS).map(([name, task]) => ({
    name: device === "wasm" ? `speed-${name}` : `speed-${name}-webgpu`,
    title: `${task.algorithm.name}, ${task.environment.name}, batch ${"batch_size" in task.algorithm ? task.algorithm.batch_size : 1}; ${device === "wasm" ? "2 workers" : "WebGPU"}`,
    processes: 3,
    ...(device === "webgpu" ? { device } : {}),
    figures: MEMBERS.flatMap((count) => [
      { name: `${count} members, environment`, unit: "steps/s", digits: 0 },
      { name: `${count} members, learning`, unit: "steps/s", digits: 0 },
    ]),
    measure: async (seed) => {
      const all: number[] = [];
      for (const count of MEMBERS) all.push(...(await rates(task, count, { seed, device })));
      return all;
    },
  }));

export const algorithmRows: readonly Row[] = [...rowsOf("wasm"), ...rowsOf("webgpu")];
