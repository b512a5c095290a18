/** Tasks of the evolution bench: what is learnt, which hyperparameters are unknown, and what a good agent scores. */

/** A hyperparameter that contenders know only the range of. */
export interface Searched {
  /** The value of a tuned agent. */
  readonly good: number;
  readonly min: number;
  readonly max: number;
  readonly scale: "linear" | "log" | "one_minus";
  readonly integer?: true;
}

export interface EvolutionTask {
  readonly name: string;
  /** Groups tasks in tables. */
  readonly family: "PPO" | "DQN" | "SAC and TD3" | "multi-agent" | "language models" | "bodies";
  /** Name and fields that are not searched. */
  readonly algorithm: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly searched: Readonly<Record<string, Searched>>;
  readonly environment: string;
  /** Absent for language models, whose steps are turns and whose quantum is an iteration. */
  readonly num_envs?: number;
  /** Whether observations and rewards are normalised. */
  readonly normalized?: true;
  readonly network: Readonly<Record<string, unknown>>;
  /** Fields of `replay_buffer` besides its size. */
  readonly replay?: Readonly<Record<string, unknown>>;
  /** Fields of `training` other than those that recipes set. */
  readonly training: Readonly<Record<string, unknown>>;
  /** Total environment steps over the whole population. */
  readonly budget: number;
  /** Steps of a member that are trained as a whole: a generation is a multiple of it. */
  readonly quantum: number;
  /** Wanted number of generations of a run. */
  readonly generations: number;
  /** Mean return with score 0. */
  readonly floor: number;
  /** Mean return with score 1. */
  readonly target: number;
  /** Greedy episodes of a score (default: 50). */
  readonly episodes?: number;
}

const log = (good: number, min: number, max: number): Searched => ({ good, min, max, scale: "log" });
const logInteger = (good: number, min: number, max: number): Searched => ({
  ...log(good, min, max),
  integer: true,
});
/** A learning rate that is only known to three decades. */
const rate = (good: number): Searched => log(good, 1e-5, 1e-2);

const width = (size: number, extra: Readonly<Record<string, unknown>> = {}) => ({
  latent_dim: size,
  encoder_config: { hidden_size: [size], ...extra },
  head_config: { hidden_size: [size], ...extra },
});
const TANH = { activation: "Tanh", layer_norm: false };
const PLAIN = { layer_norm: false };
const IMAGES = {
  latent_dim: 32,
  encoder_config: { arch: "cnn", channel_size: [8], kernel_size: [3], stride_size: [1] },
  head_config: { hidden_size: [32] },
};

/** PPO's unknown hyperparameters; learning rates and entropy differ between tasks. */
const ppo = (lr: number, ent_coef: number, batch_size: number, update_epochs: number) => ({
  lr: rate(lr),
  ent_coef: log(ent_coef, 1e-4, 1e-1),
  clip_coef: log(0.2, 0.05, 0.5),
  batch_size: logInteger(batch_size, 16, 512),
  update_epochs: logInteger(update_epochs, 2, 32),
});
const dqn = (lr: number, batch_size: number, learn_step: number, tau: number) => ({
  lr: rate(lr),
  batch_size: logInteger(batch_size, 16, 256),
  learn_step: logInteger(learn_step, 2, 32),
  tau: log(tau, 1e-3, 1e-1),
});
const actorCritic = (
  actor: number,
  critic: number,
  batch_size: number,
  learn_step: readonly [number, number, number],
) => ({
  lr_actor: rate(actor),
  lr_critic: rate(critic),
  batch_size: logInteger(batch_size, 32, 256),
  learn_step: logInteger(...learn_step),
});

const SHARED_PPO = { name: "PPO", gamma: 0.99, gae_lambda: 0.95 } as const;

const ppoTasks: readonly EvolutionTask[] = [
  {
    name: "ppo-cartpole",
    family: "PPO",
    algorithm: { ...SHARED_PPO, learn_step: 256, vf_coef: 1, max_grad_norm: 5, target_kl: 0.02 },
    searched: ppo(0.0024, 0.001, 64, 20),
    environment: "CartPole-v1",
    num_envs: 4,
    network: width(32, TANH),
    training: { eval_loop: 1 },
    budget: 61_440,
    quantum: 256,
    generations: 12,
    floor: 20,
    target: 475,
  },
  {
    name: "ppo-acrobot",
    family: "PPO",
    algorithm: { ...SHARED_PPO, learn_step: 256, vf_coef: 1, max_grad_norm: 5, target_kl: 0.02 },
    searched: ppo(0.001, 0.01, 64, 10),
    environment: "Acrobot-v1",
    num_envs: 8,
    network: width(32, TANH),
    training: { eval_loop: 1 },
    budget: 184_320,
    quantum: 256,
    generations: 12,
    floor: -500,
    target: -90,
  },
  {
    name: "ppo-pendulum",
    family: "PPO",
    algorithm: { ...SHARED_PPO, gamma: 0.9, learn_step: 1024, vf_coef: 0.5, max_grad_norm: 0.5 },
    searched: ppo(0.0005, 0.0001, 64, 10),
    environment: "Pendulum-v1",
    num_envs: 4,
    network: width(64, TANH),
    training: { eval_loop: 2 },
    budget: 245_760,
    quantum: 1024,
    generations: 12,
    floor: -1300,
    target: -200,
  },
  {
    name: "ppo-breakout",
    family: "PPO",
    algorithm: { ...SHARED_PPO, learn_step: 1024, vf_coef: 0.5, max_grad_norm: 0.5, share_encoders: true },
    searched: ppo(0.001, 0.01, 256, 4),
    environment: "MinAtar/Breakout-v1",
    num_envs: 16,
    network: IMAGES,
    training: { eval_loop: 1, eval_steps: 1000 },
    budget: 491_520,
    quantum: 1024,
    generations: 12,
    floor: 0.5,
    target: 8,
  },
  {
    name: "ppo-masked-cartpole",
    family: "PPO",
    algorithm: {
      ...SHARED_PPO,
      recurrent: true,
      max_seq_len: 16,
      bptt_sequence_type: "chunked",
      learn_step: 1024,
      vf_coef: 0.5,
      max_grad_norm: 0.5,
      share_encoders: true,
    },
    searched: { ...ppo(0.001, 0.001, 16, 4), batch_size: logInteger(16, 8, 64) },
    environment: "rlkit/CartPole-masked-v1",
    num_envs: 8,
    network: {
      latent_dim: 32,
      encoder_config: { arch: "lstm", hidden_state_size: 32, num_layers: 1 },
      head_config: { hidden_size: [32] },
    },
    training: { eval_loop: 1 },
    budget: 368_640,
    quantum: 1024,
    generations: 12,
    floor: 20,
    target: 400,
  },
];

const dqnTasks: readonly EvolutionTask[] = [
  {
    name: "dqn-cartpole",
    family: "DQN",
    algorithm: { name: "DQN", gamma: 0.99, double: false },
    searched: dqn(0.0023, 64, 2, 0.05),
    environment: "CartPole-v1",
    num_envs: 4,
    network: width(32, PLAIN),
    training: { eval_loop: 1, eps_start: 1, eps_end: 0.04, eps_decay: 0.998 },
    budget: 61_440,
    quantum: 16,
    generations: 12,
    floor: 20,
    target: 475,
  },
  {
    name: "dqn-acrobot",
    family: "DQN",
    algorithm: { name: "DQN", gamma: 0.99, double: true },
    searched: dqn(0.00063, 128, 4, 0.01),
    environment: "Acrobot-v1",
    num_envs: 8,
    network: width(32),
    training: { eval_loop: 1, learning_delay: 500, eps_start: 1, eps_end: 0.1, eps_decay: 0.997 },
    budget: 92_160,
    quantum: 16,
    generations: 12,
    floor: -500,
    target: -85,
  },
  {
    name: "dqn-mountaincar",
    family: "DQN",
    algorithm: { name: "DQN", gamma: 0.99, double: false },
    searched: dqn(0.001, 128, 2, 0.005),
    environment: "MountainCar-v0",
    num_envs: 8,
    network: width(32),
    training: { eval_loop: 1, learning_delay: 500, eps_start: 1, eps_end: 0.07, eps_decay: 0.9985 },
    budget: 245_760,
    quantum: 16,
    generations: 12,
    floor: -200,
    target: -115,
  },
  {
    name: "dqn-freeway",
    family: "DQN",
    algorithm: { name: "DQN", gamma: 0.97, double: true },
    searched: dqn(0.001, 32, 4, 0.01),
    environment: "MinAtar/Freeway-v1",
    num_envs: 4,
    network: IMAGES,
    training: {
      eval_loop: 1,
      eval_steps: 1000,
      learning_delay: 1000,
      eps_start: 1,
      eps_end: 0.05,
      eps_decay: 0.9995,
    },
    budget: 184_320,
    quantum: 16,
    generations: 12,
    floor: 0,
    target: 35,
    episodes: 16,
  },
];

const continuousTasks: readonly EvolutionTask[] = (["SAC", "TD3"] as const).flatMap((name) => {
  const own = name === "SAC" ? {} : { policy_freq: 2, O_U_noise: false };
  const family = "SAC and TD3" as const;
  return [
    {
      name: `${name.toLowerCase()}-pendulum`,
      family,
      algorithm: { name, gamma: 0.98, ...own, ...(name === "TD3" && { expl_noise: 0.1 }) },
      searched: {
        ...actorCritic(0.001, 0.001, 128, [1, 1, 8]),
        tau: log(name === "SAC" ? 0.01 : 0.005, 1e-3, 1e-1),
      },
      environment: "Pendulum-v1",
      num_envs: 2,
      network: width(32, PLAIN),
      training: { eval_loop: 4, learning_delay: 500 },
      budget: 30_720,
      quantum: 16,
      generations: 12,
      floor: -1300,
      target: -180,
    },
    {
      name: `${name.toLowerCase()}-lander`,
      family,
      algorithm: { name, gamma: 0.99, ...own, ...(name === "TD3" && { O_U_noise: true, expl_noise: 0.3 }) },
      searched: {
        ...actorCritic(0.0003, 0.001, 64, [2, 2, 32]),
        // Larger batches would take minutes.
        batch_size: logInteger(64, 32, 128),
        tau: log(name === "SAC" ? 0.005 : 0.002, 1e-3, 1e-1),
      },
      environment: "LunarLanderContinuous-v3",
      num_envs: 8,
      network: width(64, PLAIN),
      replay: { n_step_buffer: true, n_step_buffer_args: { n_step: 6 } },
      training: { eval_loop: 1, learning_delay: 2000 },
      budget: 245_760,
      quantum: 16,
      generations: 12,
      floor: -200,
      target: 170,
    },
  ];
});

const teamTasks: readonly EvolutionTask[] = [
  {
    name: "ippo-spread",
    family: "multi-agent",
    algorithm: { name: "IPPO", gamma: 0.95, gae_lambda: 0.95, learn_step: 2048 },
    searched: { ...ppo(0.001, 0.01, 128, 4), batch_size: logInteger(128, 32, 512) },
    environment: "simple_spread_v3",
    num_envs: 16,
    network: width(64),
    training: { eval_loop: 1 },
    budget: 983_040,
    quantum: 2048,
    generations: 12,
    floor: -75,
    target: -42,
  },
  {
    name: "maddpg-speaker",
    family: "multi-agent",
    algorithm: { name: "MADDPG", gamma: 0.95 },
    searched: {
      ...actorCritic(0.001, 0.001, 128, [16, 8, 64]),
      tau: log(0.01, 1e-3, 1e-1),
    },
    environment: "simple_speaker_listener_v4",
    num_envs: 16,
    network: width(64, PLAIN),
    training: { eval_loop: 1 },
    budget: 245_760,
    quantum: 16,
    generations: 12,
    floor: -80,
    target: -21,
  },
];

const languageTasks: readonly EvolutionTask[] = [
  {
    name: "grpo-conditional",
    family: "language models",
    algorithm: {
      name: "GRPO",
      group_size: 4,
      batch_size: 1,
      micro_batch_size_per_gpu: 4,
      temperature: 0.7,
      max_output_tokens: 1,
      max_model_len: 32,
    },
    searched: {
      lr: rate(3e-4),
      beta: log(1e-3, 1e-4, 1e-1),
      max_grad_norm: log(1, 0.1, 10),
      update_epochs: logInteger(2, 1, 8),
    },
    environment: "rlkit/ConditionalTarget",
    network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 32 },
    training: { eval_loop: 64 },
    budget: 1440,
    quantum: 4,
    generations: 12,
    // A random digit is right once in nine times, and wrong ones cost 1.
    floor: -0.8,
    target: 0.95,
    episodes: 512,
  },
];

const bodyTasks: readonly EvolutionTask[] = (
  [
    ["cheetah", "rlkit/HalfCheetah-v0", { num_envs: 32, learn_step: 4096, budget: 3_145_728, target: 1500 }],
    ["hopper", "Hopper-v5", { num_envs: 8, learn_step: 2048, budget: 737_280, target: 2000 }],
  ] as const
).map(([name, environment, { learn_step, target, ...rest }]) => ({
  name: `ppo-${name}`,
  family: "bodies",
  algorithm: { ...SHARED_PPO, learn_step, vf_coef: 0.5, max_grad_norm: 0.5, share_encoders: false },
  searched: ppo(0.0005, 0.0001, 256, 8),
  environment,
  ...rest,
  normalized: true,
  network: width(64, TANH),
  training: { eval_loop: 1 },
  quantum: learn_step,
  generations: 12,
  floor: 0,
  target,
  episodes: 20,
}));

export const evolutionTasks: readonly EvolutionTask[] = [
  ...ppoTasks,
  ...dqnTasks,
  ...continuousTasks,
  ...teamTasks,
  ...languageTasks,
  ...bodyTasks,
];

/** @throws RangeError listing the valid names. */
export function findTask(name: string): EvolutionTask {
  const task = evolutionTasks.find((t) => t.name === name);
  if (task) return task;
  throw new RangeError(`no task "${name}"; there are ${evolutionTasks.map((t) => t.name).join(", ")}`);
}

/** 0 at the floor and below, 1 at the target, at most 1.05. */
export const scoreOf = ({ floor, target }: Pick<EvolutionTask, "floor" | "target">, mean: number): number =>
  Number.isFinite(mean) ? Math.min(1.05, Math.max(0, (mean - floor) / (target - floor))) : 0;
