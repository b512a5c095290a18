/** Does it learn: templates, what their agents must reach, and within how many steps. */
export interface LearningRow {
  readonly name: string;
  readonly template: string;
  /** Mean return of 20 greedy episodes of the best member. */
  readonly threshold: number;
  /** Environment steps that each agent may take. */
  readonly max_steps: number;
  /** One agent, which learns without evolving; the template's population unless given. */
  readonly population?: 1;
  /** Ends a seed's training as soon as it has passed: for rows that would take hours else. */
  readonly ends_when_passed?: true;
}

export const learningRows: readonly LearningRow[] = [
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

export const SEEDS = [1, 2, 3, 4, 5] as const;
/** Seeds that must pass. */
export const MUST_PASS = 4;

/** @throws RangeError naming the rows there are. */
export function findLearningRow(name: string): LearningRow {
  const row = learningRows.find((r) => r.name === name);
  if (row) return row;
  throw new RangeError(`no row "${name}"; there are ${learningRows.map((r) => r.name).join(", ")}`);
}
