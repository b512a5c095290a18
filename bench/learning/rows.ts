import type { Template } from "../../src/specs/index.ts";
import { teamManifest } from "../subjects/teams.ts";

/** Does it learn: templates, what their agents must reach, and within how many steps. */
export interface LearningRow {
  readonly name: string;
  /** The template's id, or a name for `manifest`. */
  readonly template: string;
  /** What is trained where there is no template. */
  readonly manifest?: Template["manifest"];
  /** Mean return of greedy episodes of the best member; of several agents the sum over them. */
  readonly threshold: number;
  /** How many episodes; 20 unless given. */
  readonly episodes?: number;
  /** Environment steps that each agent may take. */
  readonly max_steps: number;
  /** One agent, which learns without evolving; the template's population unless given. */
  readonly population?: 1;
  /** Ends a seed's training as soon as it has passed: for rows that would take hours else. */
  readonly ends_when_passed?: true;
}

const singleRows: readonly LearningRow[] = [
  { name: "cartpole-dqn", template: "dqn-cartpole", threshold: 475, max_steps: 60_000 },
  { name: "cartpole-ppo", template: "ppo-cartpole", threshold: 475, max_steps: 50_000 },
  { name: "pendulum-ppo", template: "ppo-pendulum", threshold: -200, max_steps: 200_000 },
  { name: "acrobot-ppo", template: "ppo-acrobot", threshold: -100, max_steps: 150_000 },
  { name: "cartpole-rainbow", template: "rainbow-cartpole", threshold: 475, max_steps: 60_000 },
  { name: "pendulum-td3", template: "td3-pendulum", threshold: -200, max_steps: 50_000 },
  { name: "pendulum-ddpg", template: "ddpg-pendulum", threshold: -200, max_steps: 50_000 },
  { name: "sac-pendulum", template: "sac-pendulum", threshold: -200, max_steps: 30_000, population: 1 },
  { name: "mountaincar-td3", template: "td3-mountaincar", threshold: 90, max_steps: 100_000 },
  { name: "mountaincar-dqn", template: "dqn-mountaincar", threshold: -120, max_steps: 150_000 },
  { name: "masked-ppo", template: "ppo-cartpole-masked", threshold: 400, max_steps: 500_000 },
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

/** Teams, one member of each without evolving. */
const TEAMS = [
  ["speaker-maddpg", "MADDPG", SPEAKER, { threshold: -21, max_steps: 400_000 }],
  ["speaker-matd3", "MATD3", SPEAKER, { threshold: -21, max_steps: 400_000 }],
  ["spread-maddpg", "MADDPG", SPREAD, { threshold: -42, max_steps: 400_000 }],
  ["spread-matd3", "MATD3", SPREAD, { threshold: -42, max_steps: 400_000 }],
  ["spread-ippo", "IPPO", SPREAD, { threshold: -42, max_steps: 1_000_000 }],
  // Asked for, not required.
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

export const learningRows: readonly LearningRow[] = [...singleRows, ...teamRows];

export const SEEDS = [1, 2, 3, 4, 5] as const;
/** Seeds that must pass. */
export const MUST_PASS = 4;

/** @throws RangeError naming the rows there are. */
export function findLearningRow(name: string): LearningRow {
  const row = learningRows.find((r) => r.name === name);
  if (row) return row;
  throw new RangeError(`no row "${name}"; there are ${learningRows.map((r) => r.name).join(", ")}`);
}
