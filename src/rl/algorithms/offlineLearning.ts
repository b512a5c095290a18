/** What algorithms that learn from a data set share: facts, fields, a policy for choices or numbers, and twin critics. */

import { normal } from "../../kernels/functions.ts";
import {
  add,
  clip,
  exp,
  minimum,
  mul,
  neg,
  reshape,
  stackColumns,
  stopGradient,
  sub,
  type Tensor,
} from "../../kernels/index.ts";
import { ACTOR_CRITIC_SEARCH, actorCriticRates, targetRate } from "../../specs/algorithms.ts";
import { atLeast, count, field, hpoRangeOf, integer } from "../../specs/checks.ts";
import type { Draws, NetworkContext } from "../contract/definition.ts";
import { normals } from "../contract/inputs.ts";
import type { Network, Networks } from "../contract/network.ts";
import type { Batch, LearnedBatch } from "../contract/offPolicy.ts";
import { boundedGaussianActor, continuousQNetwork, qNetwork, stochasticActor } from "../networks/index.ts";
import { SingleAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { flatSize, OFFLINE_RANGE, type Space } from "../spaces.ts";
import { appliedSample, type Policy, policyOf, policyRows } from "./actionDistribution.ts";
import { squaredError } from "./continuousControl.ts";
import { valueMetrics } from "./metrics.ts";
import { valueOf } from "./qLearning.ts";

/** Facts of these algorithms. */
export const OFFLINE_FACTS = { offline: true, env_types: ["offline"], evo_steps: 5_000 } as const;

/** Fields of all of them. */
export const offlineShape = {
  ...SingleAgentAlgorithmSpec.shape,
  learn_step: field(count(1).default(5), "Environment steps for each learning step.", {
    unit: "steps",
    advanced: true,
    effect: false,
  }),
};

/** The size of batches that the papers use. */
export const LARGE_BATCH = {
  batch_size: field(integer(1).default(256), "Samples in one learning step.", {
    unit: "samples",
    hpo: hpoRangeOf(8, 512),
  }),
};

/** Fields of those with a policy and twin critics. */
export const offlineCriticShape = {
  ...offlineShape,
  ...LARGE_BATCH,
  ...actorCriticRates(3e-4, 3e-4),
  tau: targetRate(0.005),
};

const { lr_actor, lr_critic, batch_size, tau } = ACTOR_CRITIC_SEARCH;
/** Their ranges of `hpo`. */
export const CRITIC_SEARCH = { lr_actor, lr_critic, batch_size, tau };

/** The field that limits the weights of advantages. */
export const maxWeight = field(
  atLeast(1).default(100),
  "Largest weight of a transition in the policy's loss.",
  {
    step: "log",
  },
);

/** Bounds of a Gaussian's log standard deviation: near 0, its density would grow without limit on repeated actions. */
const LOG_STD = [-5, 2] as const;

/** A policy of the data's actions, in any form that it may have. */
export function dataPolicy(actor: Network, obs: Tensor, mask?: Tensor): Policy {
  const latent = actor.encode(obs);
  if (actor.data.distribution?.kind !== "normal") return policyOf(actor, latent, mask);
  const { size } = actor.data.distribution;
  const gaussian = normal(actor.head(latent), clip(actor.parameter("log_std"), ...LOG_STD));
  const sample = (draws: Draws) =>
    clip(gaussian.sample(stackColumns(normals(draws, size))), ...OFFLINE_RANGE);
  return { ...gaussian, sample, squashed: true };
}

const greedy = ({ actor }: Networks<"actor">, obs: Tensor, mask?: Tensor): Tensor =>
  dataPolicy(actor, obs, mask).mode();

/** The parts of a definition with such a policy, which acts by its most probable actions: nothing explores. */
export const POLICY_OF_DATA = {
  actions: ["Discrete", "Box"],
  policy: "actor",
  activationMutation: false,
  counts: ["learn_step"],
  policyOutputs: ({ actor }: Networks<"actor">, latent: Tensor) => policyRows(actor, latent),
  act: (networks: Networks<"actor">, obs: Tensor, { mask }: { readonly mask?: Tensor }) =>
    greedy(networks, obs, mask),
  greedy,
  applied: ({ actor }: Networks<"actor">, action: Tensor, space: Space) =>
    appliedSample(action, space, { squashed: true }, actor),
  actionRange: () => OFFLINE_RANGE,
} as const;

type DataContext = NetworkContext<"Discrete" | "Box">;

/** A softmax over choices, or a Gaussian whose means are bounded. */
export const policyNetwork = ({ observation_space, action_space, network }: DataContext) =>
  action_space.kind === "Discrete"
    ? stochasticActor(observation_space, action_space, network)
    : boundedGaussianActor(observation_space, action_space, network);

/** A policy, twin critics and their targets. */
export function actorAndCritics(context: DataContext) {
  const { observation_space, action_space, network } = context;
  const critic =
    action_space.kind === "Discrete"
      ? qNetwork(observation_space, action_space.n, network)
      : continuousQNetwork(observation_space, flatSize(action_space), network);
  const critics = { critic_1: critic, critic_target_1: critic, critic_2: critic, critic_target_2: critic };
  return { actor: policyNetwork(context), ...critics };
}

export const CRITIC_TARGETS = { critic_target_1: "critic_1", critic_target_2: "critic_2" } as const;

/** Optimisers of {@link actorAndCritics}. */
export const ACTOR_AND_CRITICS = {
  actor_optimizer: { networks: ["actor"], lr: "lr_actor", grad_norm: "actor_grad_norm" },
  critic_1_optimizer: { networks: ["critic_1"], lr: "lr_critic", grad_norm: "critic_grad_norm" },
  critic_2_optimizer: { networks: ["critic_2"], lr: "lr_critic", grad_norm: "critic_grad_norm" },
} as const;

/** Q(s, a) of given actions, [batch]. */
export const valueAt = (critic: Network, obs: Tensor, action: Tensor): Tensor =>
  critic.data.kind === "q"
    ? valueOf(critic.forward(obs), action)
    : reshape(critic.value(obs, action), [obs.shape[0] ?? 1]);

type Critics = readonly [Network, Network];

/** The smaller of two critics' values, [batch]. */
export const leastAt = ([first, second]: Critics, obs: Tensor, action: Tensor): Tensor =>
  minimum(valueAt(first, obs, action), valueAt(second, obs, action));

/** r + discount (1 - d) V(s'), from values of the next observations. */
export const bootstrapped = ({ reward, discount, done }: Batch, next: Tensor): Tensor =>
  stopGradient(add(reward, mul(discount, mul(sub(1, done), next))));

/** Losses and metrics of twin critics that learn the same target. */
export function criticLosses([first, second]: Critics, { obs, action }: Batch, target: Tensor) {
  const values = [valueAt(first, obs, action), valueAt(second, obs, action)] as const;
  const [critic_1_optimizer, critic_2_optimizer] = values.map((value) => squaredError(value, target)) as [
    Tensor,
    Tensor,
  ];
  return {
    values,
    losses: { critic_1_optimizer, critic_2_optimizer },
    metrics: { critic_loss: add(critic_1_optimizer, critic_2_optimizer), ...valueMetrics(values, target) },
  };
}

/**
 * Minus the log-probabilities of the data's actions, weighted by exp(scale times advantage) up to `most`, [batch].
 * @param scale Of the advantages, [batch].
 */
export function weightedImitation(policy: Policy, action: Tensor, scaled: Tensor, most: Tensor): Tensor {
  const weight = minimum(exp(minimum(scaled, LARGEST_EXPONENT)), most);
  return neg(mul(stopGradient(weight), policy.logProb(action)));
}

/** exp of it is finite in f32. */
const LARGEST_EXPONENT = 80;

/** The results of learning, by name. */
export const resultOf =
  <const Names extends readonly string[]>(names: Names) =>
  ({ metrics }: LearnedBatch) =>
    Object.fromEntries(names.map((name) => [name, metrics[name]])) as Record<Names[number], number>;
