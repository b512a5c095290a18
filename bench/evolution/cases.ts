/** Tasks that compare evolution with plain training, each from good and from poor learning rates. */
import { type TrainingManifestInput, templates } from "../../src/manifests/index.ts";

export interface EvolutionTask {
  readonly name: string;
  /** ID of the template for algorithm, environment and network. Mutation and selection are the defaults. */
  readonly template: string;
  readonly environment: string;
  /** Environment steps per member, for four members. */
  readonly max_steps: number;
  readonly evo_steps: number;
  /** Score of a good agent. */
  readonly threshold: number;
  /** Learning rates by field name. */
  readonly rates: Readonly<Record<"good" | "poor", Readonly<Record<string, number>>>>;
}

export const evolutionTasks: readonly EvolutionTask[] = [
  {
    name: "DQN, CartPole-v1",
    template: "dqn-cartpole",
    environment: "CartPole-v1",
    max_steps: 30_000,
    evo_steps: 2000,
    threshold: 475,
    rates: { good: { lr: 0.0023 }, poor: { lr: 0.0001 } },
  },
  {
    name: "PPO, CartPole-v1",
    template: "ppo-cartpole",
    environment: "CartPole-v1",
    max_steps: 40_960,
    evo_steps: 2048,
    threshold: 475,
    rates: { good: { lr: 0.0024 }, poor: { lr: 0.0001 } },
  },
  {
    name: "TD3, Pendulum-v1",
    template: "td3-pendulum",
    environment: "Pendulum-v1",
    max_steps: 20_000,
    evo_steps: 2000,
    threshold: -200,
    rates: {
      good: { lr_actor: 0.001, lr_critic: 0.001 },
      poor: { lr_actor: 0.00003, lr_critic: 0.00003 },
    },
  },
];

/** How the total number of environment steps is spent. */
export type Spending = "evolved" | "apart" | "alone";

export const spendings: Readonly<Record<Spending, string>> = {
  evolved: "4 members, evolved (`hpo: true`)",
  apart: "4 members, not evolved",
  alone: "1 member, 4 times the steps",
};

const POPULATION = 4;

export function manifestOf(
  { template: id, max_steps, evo_steps, rates }: EvolutionTask,
  rate: "good" | "poor",
  spending: Spending,
): TrainingManifestInput {
  const template = templates.find((t) => t.id === id);
  if (!template) throw new Error(`there is no template ${id}`);
  const { manifest } = template;
  const isAlone = spending === "alone";
  return {
    ...manifest,
    algorithm: { ...manifest.algorithm, ...rates[rate] } as TrainingManifestInput["algorithm"],
    training: {
      ...manifest.training,
      hpo: spending === "evolved",
      pop_size: isAlone ? 1 : POPULATION,
      max_steps: isAlone ? max_steps * POPULATION : max_steps,
      evo_steps,
      target_score: null,
    },
    mutation: null,
    selection_strategy: null,
  };
}
