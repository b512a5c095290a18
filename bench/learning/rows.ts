import { type Template, templates } from "../../src/manifests/index.ts";
import { bodyOffPolicy, bodyPpo, hopperOffPolicy } from "../subjects/bodies.ts";
import { teamManifest } from "../subjects/teams.ts";

/** A learning benchmark: a template, the score that its agents must reach, and the step budget. */
export interface LearningRow {
  readonly name: string;
  /** ID of the template, or a name for `manifest`. */
  readonly template: string;
  /** The manifest to train, for a row without a template. */
  readonly manifest?: Template["manifest"];
  /** Required mean return of the best member's greedy episodes, summed over agents in multi-agent tasks. */
  readonly threshold: number;
  /** What must reach the threshold instead: the part of the episodes that reach their goal. */
  readonly measures?: "success_rate";
  /** Number of episodes. Default: 20. */
  readonly episodes?: number;
  /** Environment steps per member. */
  readonly max_steps: number;
  /** Trains one member without evolution. Default: the template's population. */
  readonly population?: 1;
  /** Ends a seed's training as soon as it has passed, for rows that would otherwise take hours. */
  readonly ends_when_passed?: true;
  /** Number of seeds, from 1 on. Default: 5. */
  readonly seeds?: number;
  /** Number of seeds that must pass. Default: 4. */
  readonly must_pass?: number;
}

/** @throws Error if there is none with that id. */
export function templateManifest(id: string): Template["manifest"] {
  const found = templates.find((template) => template.id === id);
  if (!found) throw new Error(`there is no template ${id}`);
  return found.manifest;
}

/** A template's manifest with transitions that keep their own goals. */
function withoutHindsight(id: string): Template["manifest"] {
  const { replay_buffer, ...manifest } = templateManifest(id);
  return { ...manifest, replay_buffer: { ...replay_buffer, her: undefined } } as Template["manifest"];
}

const singleRows: readonly LearningRow[] = [
  { name: "cartpole-dqn", template: "dqn-cartpole", threshold: 475, max_steps: 60_000 },
  { name: "cartpole-ppo", template: "ppo-cartpole", threshold: 475, max_steps: 50_000 },
  { name: "pendulum-ppo", template: "ppo-pendulum", threshold: -200, max_steps: 200_000 },
  { name: "acrobot-ppo", template: "ppo-acrobot", threshold: -100, max_steps: 150_000 },
  {
    name: "taxi-ppo",
    template: "ppo-taxi",
    threshold: 7.5,
    episodes: 100,
    max_steps: 400_000,
    population: 1,
    ends_when_passed: true,
  },
  { name: "cartpole-rainbow", template: "rainbow-cartpole", threshold: 475, max_steps: 60_000 },
  { name: "pendulum-td3", template: "td3-pendulum", threshold: -200, max_steps: 50_000 },
  { name: "pendulum-ddpg", template: "ddpg-pendulum", threshold: -200, max_steps: 50_000 },
  { name: "sac-pendulum", template: "sac-pendulum", threshold: -200, max_steps: 30_000, population: 1 },
  { name: "mountaincar-td3", template: "td3-mountaincar", threshold: 90, max_steps: 100_000 },
  { name: "mountaincar-dqn", template: "dqn-mountaincar", threshold: -120, max_steps: 150_000 },
  { name: "masked-ppo", template: "ppo-cartpole-masked", threshold: 400, max_steps: 500_000 },
  {
    name: "bitflip-dqn-her",
    template: "dqn-bitflip-her",
    threshold: -8,
    episodes: 100,
    max_steps: 100_000,
    population: 1,
    ends_when_passed: true,
  },
  {
    name: "bitflip-dqn",
    template: "dqn-bitflip-her without hindsight",
    manifest: withoutHindsight("dqn-bitflip-her"),
    threshold: -8,
    episodes: 100,
    max_steps: 100_000,
    // For comparison: it is not to pass.
    must_pass: 0,
    population: 1,
    ends_when_passed: true,
  },
  {
    name: "pointmaze-sac-her",
    template: "sac-pointmaze-her",
    threshold: 0.9,
    episodes: 100,
    max_steps: 40_000,
    population: 1,
    ends_when_passed: true,
  },
  {
    name: "reach-sac-her",
    template: "sac-reach-her",
    threshold: 0.95,
    measures: "success_rate",
    episodes: 100,
    max_steps: 30_000,
    population: 1,
    ends_when_passed: true,
  },
  {
    name: "push-sac-her",
    template: "sac-push-her",
    threshold: 0.6,
    measures: "success_rate",
    episodes: 100,
    max_steps: 800_000,
    population: 1,
    ends_when_passed: true,
  },
  {
    name: "breakout-ppo",
    template: "ppo-breakout",
    threshold: 8,
    max_steps: 2_000_000,
    ends_when_passed: true,
  },
  {
    name: "lander-ppo",
    template: "ppo-lunarlander",
    threshold: 200,
    max_steps: 1_000_000,
    ends_when_passed: true,
  },
  {
    name: "lander-dqn",
    template: "dqn-lunarlander",
    threshold: 200,
    max_steps: 500_000,
    ends_when_passed: true,
  },
  {
    name: "lander-td3",
    template: "td3-lunarlander",
    threshold: 200,
    max_steps: 300_000,
    ends_when_passed: true,
  },
  {
    name: "sac-lunarlander",
    template: "sac-lunarlander",
    threshold: 200,
    max_steps: 300_000,
    population: 1,
    ends_when_passed: true,
  },
  {
    name: "lander-ddpg",
    template: "ddpg-lunarlander",
    threshold: 200,
    max_steps: 300_000,
    ends_when_passed: true,
  },
];

const SPEAKER = "simple_speaker_listener_v4";
const SPREAD = "simple_spread_v3";

/** Multi-agent tasks, each with one member and without evolution. */
const TEAMS = [
  ["speaker-maddpg", "MADDPG", SPEAKER, { threshold: -21, max_steps: 400_000 }],
  ["speaker-matd3", "MATD3", SPEAKER, { threshold: -21, max_steps: 400_000 }],
  ["spread-maddpg", "MADDPG", SPREAD, { threshold: -42, max_steps: 400_000 }],
  ["spread-matd3", "MATD3", SPREAD, { threshold: -42, max_steps: 400_000 }],
  ["spread-ippo", "IPPO", SPREAD, { threshold: -42, max_steps: 1_000_000 }],
  // Measured on request, not required to pass.
  ["speaker-ippo", "IPPO", SPEAKER, { threshold: -21, max_steps: 5_000_000 }],
] as const;

const teamRows = TEAMS.map(
  ([name, algorithm, environment, budget]): LearningRow => ({
    name,
    template: `${algorithm} on ${environment}`,
    manifest: teamManifest(algorithm, environment),
    ...budget,
    episodes: 200,
    population: 1,
    ends_when_passed: true,
  }),
);

const alone = { population: 1, ends_when_passed: true } as const;

/** Tasks of bodies with PPO: name, environment, steps between evaluations, and what must be reached. */
const WALKERS = [
  ["inverted-pendulum-ppo", "InvertedPendulum-v5", 8192, { threshold: 950, max_steps: 100_000 }],
  ["reacher-ppo", "Reacher-v5", 32_768, { threshold: -6, max_steps: 500_000 }],
  ["hopper-ppo", "Hopper-v5", 51_200, { threshold: 2000, max_steps: 1_000_000 }],
  ["halfcheetah-ppo", "HalfCheetah-v5", 51_200, { threshold: 1800, max_steps: 1_000_000 }],
  ["walker-ppo", "Walker2d-v5", 51_200, { threshold: 1500, max_steps: 1_000_000 }],
] as const;

const bodyRows: readonly LearningRow[] = [
  ...WALKERS.map(
    ([name, environment, evo_steps, bar]): LearningRow => ({
      name,
      template: `PPO on ${environment}`,
      manifest: bodyPpo(environment, evo_steps),
      ...bar,
      ...alone,
    }),
  ),
  ...(["SAC", "TD3", "DDPG"] as const).map(
    (algorithm): LearningRow => ({
      name: `inverted-pendulum-${algorithm.toLowerCase()}`,
      template: `${algorithm} on InvertedPendulum-v5`,
      manifest: bodyOffPolicy(algorithm, "InvertedPendulum-v5"),
      threshold: 950,
      max_steps: 30_000,
      ...alone,
    }),
  ),
  ...(["SAC", "TD3"] as const).map(
    (algorithm): LearningRow => ({
      name: `hopper-${algorithm.toLowerCase()}`,
      template: `${algorithm} on Hopper-v5`,
      manifest: hopperOffPolicy(algorithm),
      threshold: 2000,
      // In seed 11 TD3 first reached the threshold after 260,000 steps. Its paper trains for 1,000,000.
      max_steps: algorithm === "TD3" ? 600_000 : 300_000,
      ...(algorithm === "SAC" ? { seeds: 3, must_pass: 2 } : { ends_when_passed: true }),
      ...alone,
    }),
  ),
  {
    name: "bipedal-ppo",
    template: "ppo-bipedalwalker",
    threshold: 250,
    max_steps: 2_000_000,
    must_pass: 3,
    ...alone,
  },
];

const SMALL = { hidden_size: [32], activation: "Tanh" as const, layer_norm: false };

/** Tasks of evolution strategies without a template. */
const strategyRows: readonly LearningRow[] = [
  { name: "cartpole-es", template: "es-cartpole", threshold: 475, max_steps: 1_000_000 },
  {
    name: "acrobot-es",
    template: "ES on Acrobot-v1",
    manifest: {
      algorithm: { name: "ES", perturbations: 128, sigma: 0.1, lr: 0.05 },
      environment: { env_type: "gym", name: "Acrobot-v1", num_envs: 16 },
      training: { pop_size: 1, max_steps: 2_000_000, evo_steps: 50_000 },
      network: { latent_dim: 32, encoder_config: SMALL, head_config: SMALL },
    },
    threshold: -100,
    max_steps: 2_000_000,
    ...alone,
  },
  {
    name: "breakout-es",
    template: "ES on MinAtar/Breakout-v1",
    manifest: {
      algorithm: { name: "ES", perturbations: 256, episodes: 4, sigma: 0.1, lr: 0.05 },
      environment: {
        env_type: "gym",
        name: "MinAtar/Breakout-v1",
        num_envs: 16,
        max_episode_steps: 1000,
      },
      training: { pop_size: 1, max_steps: 16_000_000, evo_steps: 300_000 },
      network: {
        latent_dim: 32,
        // Without normalisation, four of five seeds stayed near 4 for 8 million steps.
        encoder_config: {
          arch: "cnn",
          channel_size: [8],
          kernel_size: [3],
          stride_size: [1],
          layer_norm: true,
        },
        head_config: { ...SMALL, layer_norm: true },
      },
    },
    threshold: 5,
    max_steps: 16_000_000,
    ...alone,
  },
  { name: "cheetah-es", template: "es-halfcheetah", threshold: 2000, max_steps: 10_000_000, ...alone },
];

export const learningRows: readonly LearningRow[] = [
  ...singleRows,
  ...teamRows,
  ...bodyRows,
  ...strategyRows,
];

export const SEEDS = [1, 2, 3, 4, 5] as const;
/** Number of seeds that must pass. */
export const MUST_PASS = 4;

/** @throws RangeError listing the valid names. */
export function findLearningRow(name: string): LearningRow {
  const row = learningRows.find((r) => r.name === name);
  if (row) return row;
  throw new RangeError(`no row "${name}"; there are ${learningRows.map((r) => r.name).join(", ")}`);
}
