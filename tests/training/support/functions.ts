/** What the training functions are called with. */

import { createPopulation, DQN, ReplayBuffer } from "../../../src/agents/classes.ts";
import { isVectorEnvironment, PPO } from "../../../src/agents/index.ts";
import { Mutations, TournamentSelection } from "../../../src/evolution/index.ts";
import { MutationSpec, NetworkSection } from "../../../src/manifests/index.ts";
import { makeVector } from "../../../src/rl/environments.ts";
import type { HostEnvironment, VectorEnvironment } from "../../../src/rl/faces.ts";
import type { OffPolicyOptions, OnPolicyOptions } from "../../../src/training/index.ts";
import { EVOLUTION, NETWORK } from "./tiny.ts";

/** Weights of mutations that change nothing. */
export const UNCHANGING = {
  no_mutation: 1,
  architecture: 0,
  new_layer_prob: 0,
  parameters: 0,
  activation: 0,
  rl_hp: 0,
} as const;

type Environment = HostEnvironment | VectorEnvironment;

const net_config = NetworkSection.parse(NETWORK);

const spacesOf = (env: Environment) =>
  isVectorEnvironment(env)
    ? { observation_space: env.single_observation_space, action_space: env.single_action_space }
    : { observation_space: env.observation_space, action_space: env.action_space };

export function dqnPopulation(env: Environment, population_size = 2, fields: object = {}): DQN[] {
  const algorithm = { name: "DQN" as const, batch_size: 8, lr: 0.001, learn_step: 4, ...fields };
  const population = createPopulation({ algorithm, population_size, net_config, ...spacesOf(env) });
  return population.filter((agent) => agent instanceof DQN);
}

export function ppoPopulation(env: Environment, population_size = 2, fields: object = {}): PPO[] {
  const algorithm = {
    name: "PPO" as const,
    batch_size: 32,
    lr: 0.001,
    learn_step: 64,
    update_epochs: 2,
    ...fields,
  };
  const population = createPopulation({ algorithm, population_size, net_config, ...spacesOf(env) });
  return population.filter((agent) => agent instanceof PPO);
}

/** The run of `dqn()` in tiny.ts. */
export function offPolicy(changes: Partial<OffPolicyOptions> = {}): OffPolicyOptions {
  const env = changes.env ?? makeVector("CartPole-v1", 4);
  return {
    env,
    env_name: "CartPole-v1",
    algo: "DQN",
    pop: dqnPopulation(env),
    memory: new ReplayBuffer({ max_size: 400 }),
    max_steps: 480,
    evo_steps: 160,
    eps_decay: 0.98,
    verbose: false,
    observer: { on: () => undefined },
    ...changes,
  };
}

/** The run of `ppo()` in tiny.ts. */
export function onPolicy(changes: Partial<OnPolicyOptions> = {}): OnPolicyOptions {
  const env = changes.env ?? makeVector("Pendulum-v1", 4);
  return {
    env,
    env_name: "Pendulum-v1",
    algo: "PPO",
    pop: ppoPopulation(env),
    max_steps: 384,
    evo_steps: 128,
    eval_steps: 40,
    verbose: false,
    observer: { on: () => undefined },
    ...changes,
  };
}

export const tournament = (population_size = 2, tournament_size = 2): TournamentSelection =>
  new TournamentSelection({ tournament_size, elitism: true, population_size });

/** Selection and mutation of the tiny runs, as objects. */
export const evolution = (population_size = 2) => ({
  selection_strategy: tournament(population_size),
  mutation: Mutations.fromSpec(MutationSpec.parse(EVOLUTION.mutation)),
});
