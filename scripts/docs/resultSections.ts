/** Sections of the page of results, and the rows of each, in their order. */

export interface ResultSection {
  readonly title: string;
  readonly text?: string;
  /** End of titles that the text says for all rows. */
  readonly common?: string;
  readonly rows: readonly string[];
}

const speed = (device: string, ...names: string[]): string[] => names.map((name) => `speed-${name}${device}`);

export const resultSections: readonly ResultSection[] = [
  {
    title: "Learning",
    text: `The best member's mean return in 20 greedy episodes (Taxi: 100) reaches the score twice running. Steps: each
agent's until then.`,
    rows: [
      ...["cartpole-dqn", "cartpole-ppo", "cartpole-rainbow", "masked-ppo", "acrobot-ppo", "mountaincar-dqn"],
      ...["pendulum-ppo", "pendulum-ddpg", "pendulum-td3", "sac-pendulum", "breakout-ppo", "taxi-ppo"],
      ...["lander-dqn", "lander-ppo", "lander-ddpg", "lander-td3", "sac-lunarlander"],
      ...["cartpole-es", "acrobot-es", "breakout-es", "cheetah-es"],
    ],
  },
  {
    title: "Bodies",
    text: "One member alone. PPO normalises observations and rewards.",
    rows: [
      ...[
        "inverted-pendulum-ppo",
        "inverted-pendulum-sac",
        "inverted-pendulum-td3",
        "inverted-pendulum-ddpg",
      ],
      ...[
        "reacher-ppo",
        "hopper-ppo",
        "halfcheetah-ppo",
        "walker-ppo",
        "hopper-sac",
        "hopper-td3",
        "bipedal-ppo",
      ],
      ...["bodies", "cheetah-population"],
    ],
  },
  {
    title: "Teams",
    text: "One member alone. Scores: sums over agents, means of 200 greedy episodes.",
    rows: [
      ...["speaker-maddpg", "speaker-matd3", "speaker-ippo", "spread-maddpg", "spread-matd3", "spread-ippo"],
      ...["speaker-maddpg-goal", "speaker-matd3-goal", "tag-ippo"],
    ],
  },
  {
    title: "Data sets and bandits",
    rows: [
      ...["offline-cqn-good", "offline-q-learning-good", "offline-cqn-random"],
      ...["bandits-neuralucb", "bandits-neuralts", "large-data"],
    ],
  },
  {
    title: "Language models",
    text: "One member alone. Built-in models are whole unless rows say adapter.",
    rows: [
      ...["grpo-constant", "grpo-conditional", "grpo-conditional-adapter", "grpo-grid", "llmppo-conditional"],
      ...[
        "llmppo-multi-input",
        "llmppo-value",
        "llmppo-grid",
        "llmreinforce-conditional",
        "llmes-conditional",
      ],
      ...["llmes-conditional-adapter", "sft-backwards", "dpo-polite", "chat-stages"],
      ...["llm-parity", "llm-memory", "llm-learn"],
    ],
  },
  {
    title: "Evolution",
    text: "An untrained agent scores 0, a tuned one 1 ([tables](evolution.md#what-was-measured)).",
    rows: ["evolution-search", "evolution-cost", "evolution-bodies"],
  },
  {
    title: "Kernels",
    text: "One core.",
    common: "; one core",
    rows: [
      ...["dqn-step", "dqn-step-tfjs", "dqn-step-layered", "td3-step", "maddpg-step", "matmul", "conv-step"],
      ...["lstm-step", "lunar-lander", "perturbed-copies", "reemission"],
    ],
  },
  {
    title: "Populations",
    common: "; 2 workers",
    text: `Two workers. \`speed\`: environment and learning steps a second, with 1, 4 and 16 members.`,
    rows: [
      ...["time-to-475", "ppo-population", "dqn-population", "dqn-population-shipped", "ippo-population"],
      ...speed("", "dqn", "rainbow", "ddpg", "td3", "ppo", "ppo-continuous", "ppo-images"),
      ...["memory", "trackers", "trackers-memory"],
    ],
  },
  {
    title: "WebGPU",
    common: "; WebGPU",
    rows: [
      ...["dqn-step-webgpu", "ppo-webgpu", "perturbed-copies-webgpu", "encoding-webgpu"],
      ...speed("-webgpu", "dqn", "rainbow", "ddpg", "td3", "ppo", "ppo-continuous", "ppo-images"),
      ...speed("-webgpu", "maddpg", "matd3", "ippo"),
    ],
  },
  {
    title: "Workbench and sandbox",
    rows: [
      ...[
        "workbench-first-run",
        "workbench-wall",
        "workbench-wall-bodies",
        "workbench-long-run",
        "theatre",
        "soak-heap",
        "soak-faults",
      ],
      ...["own-environment", "own-environment-chromium"],
    ],
  },
  { title: "Platform", rows: ["platform", "platform-nodes"] },
];
