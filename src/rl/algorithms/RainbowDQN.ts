/**
 * Rainbow (Hessel et al. 2018): distributions over returns (C51, Bellemare et al. 2017), noisy dueling heads
 * and double targets. Multi-step returns and prioritised sampling depend on the replay buffer.
 */

import { z } from "zod";
import { atomReturns, logSoftmax, projectCategorical } from "../../kernels/functions.ts";
import {
  add,
  argmax,
  type Dim,
  equal,
  exp,
  iota,
  meanAll,
  mul,
  neg,
  reshape,
  select,
  stopGradient,
  sub,
  sum,
  type Tensor,
} from "../../kernels/index.ts";
import { defineAlgorithm, Q_LEARNING_SEARCH } from "../../specs/algorithms.ts";
import { atLeast, field, fraction, hpoRangeOf, integer, layers, real } from "../../specs/checks.ts";
import { legalValues } from "../contract/choices.ts";
import { flag, hyperparameter, type NumberIn, weightNoise } from "../contract/inputs.ts";
import type { Network, Networks } from "../contract/network.ts";
import { type Batch, defineOffPolicy, type Outcome } from "../contract/offPolicy.ts";
import { atomsOf, rainbowNetwork } from "../networks/index.ts";
import { SingleAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { VALUE_METRICS, valueMetrics } from "./metrics.ts";
import { qLearningShape } from "./qLearning.ts";

/**
 * Rainbow (Hessel et al. 2018): distributional Q-learning with noisy layers, dueling heads, double targets and,
 * depending on the replay buffer's settings, n-step returns and prioritised samples.
 */
export const RainbowDQNSpec = z
  .strictObject({
    name: field(z.literal("RainbowDQN").default("RainbowDQN"), "Rainbow."),
    ...SingleAgentAlgorithmSpec.shape,
    ...qLearningShape,
    beta: field(
      fraction().default(0.4),
      "Initial correction of the bias of prioritised sampling: 0 is none, 1 is full. It grows to 1 over the run.",
      { step: 0.05, hpo: hpoRangeOf(0.2, 0.6) },
    ),
    prior_eps: field(atLeast(0).default(1e-6), "Added to every new priority, so that none is zero.", {
      step: "log",
      advanced: true,
    }),
    num_atoms: field(integer(1).default(51), "Number of atoms of the return distribution.", {
      mutable: false,
    }),
    v_min: field(real().default(0), "Lowest return that the distribution holds.", { mutable: false }),
    v_max: field(real().default(200), "Highest return that the distribution holds.", { mutable: false }),
    noise_std: field(atLeast(0).default(0.5), "Initial scale of the noisy layers.", {
      mutable: false,
      step: 0.05,
    }),
    n_step: field(
      layers(1).default(3),
      "Steps of the n-step return; set by the manifest's replay_buffer.n_step_buffer_args. Without an n-step buffer, returns have one step, and a warning is given if a manifest sets another number.",
      { unit: "steps", mutable: false },
    ),
    combined_reward: field(
      z.boolean().default(false),
      "Adds the losses of one-step and n-step returns, instead of the n-step loss alone.",
      { mutable: true },
    ),
  })
  .superRefine(({ num_atoms, v_min, v_max }, context) => {
    if (num_atoms === 1) {
      const message = `found ${num_atoms}; the distribution of returns spans v_min to v_max, so it needs at least 2 points`;
      context.addIssue({ code: "custom", path: ["num_atoms"], message, params: { code: "range" } });
    }
    if (v_min < v_max) return;
    const message = `found ${v_min}; must be less than v_max (${v_max})`;
    context.addIssue({ code: "custom", path: ["v_min"], message, params: { code: "range" } });
  });
export type RainbowDQNSpec = z.output<typeof RainbowDQNSpec>;
export type RainbowDQNSpecInput = z.input<typeof RainbowDQNSpec>;

/** Reads a hyperparameter in a program. */
const read = hyperparameter<NumberIn<RainbowDQNSpec>>;

export const RAINBOW_DQN_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "RainbowDQN",
  title: "Rainbow",
  schema: RainbowDQNSpec,
  other_names: ["Rainbow DQN"],
  off_policy: true,
  search: Q_LEARNING_SEARCH,
  value_based: true,
  prioritised: true,
  n_step_field: "n_step",
});

/** Index of each network's weight noise. */
const NOISE = { actor: 0, actor_target: 1 } as const;
type Name = keyof typeof NOISE;
const noisy = <N extends Name>(networks: Networks<N>, name: N): Network =>
  networks[name].withNoise(weightNoise(NOISE[name]));

/** The return of each atom, [atoms]. */
const support = (atoms: number): Tensor => atomReturns(atoms, read("v_min"), read("v_max"));

/** A network's outputs as logits of every action's return, [n, actions, atoms]. */
function byAction(network: Network, flat: Tensor): Tensor {
  const atoms = atomsOf(network.data);
  return reshape(flat, [flat.shape[0] as Dim, (flat.shape[1] as number) / atoms, atoms]);
}

/** Logits of every action's return, [n, actions, atoms]. */
const logitsOf = (network: Network, obs: Tensor): Tensor => byAction(network, network.forward(obs));

/** Expected return of distributions: probabilities [..., atoms] -> [...]. */
const expectation = (network: Network, probabilities: Tensor): Tensor =>
  sum(mul(probabilities, support(atomsOf(network.data))));

/** Expected return of every action, [n, actions], from the network's outputs. */
const expectedReturns = (network: Network, flat: Tensor): Tensor =>
  expectation(network, exp(logSoftmax(byAction(network, flat))));

/** Expected return of every action: [n, width] -> [n, actions]. */
export const actionValues = (network: Network, obs: Tensor): Tensor =>
  expectedReturns(network, network.forward(obs));

/** The chosen action's logits: [n, actions, atoms], i32 [n] -> [n, atoms]. */
function chosen(logits: Tensor, action: Tensor): Tensor {
  const [n, actions] = logits.shape as [Dim, number, number];
  const isChosen = equal(reshape(iota(actions), [1, actions, 1]), reshape(action, [n, 1, 1]));
  return sum(select(isChosen, logits, 0), 1);
}

/** The distribution of r + discount Z' on the support, [batch, atoms]. */
function projected({ reward, done, discount }: Outcome, next: Tensor): Tensor {
  const [n, atoms] = next.shape as [Dim, number];
  const column = (x: Tensor) => reshape(x, [n, 1]);
  const returns = add(column(reward), mul(column(mul(discount, sub(1, done))), support(atoms)));
  return projectCategorical(next, returns, read("v_min"), read("v_max"));
}

/** Target distributions [batch, atoms], and the cross entropy with them [batch]. */
function errors(online: Network, target: Network, logProbs: Tensor, outcome: Outcome) {
  const { next_obs, next_mask } = outcome;
  const best = argmax(legalValues(actionValues(online, next_obs), next_mask));
  const next = exp(logSoftmax(chosen(logitsOf(target, next_obs), best)));
  const wanted = projected(outcome, next);
  return { wanted, each: neg(sum(mul(stopGradient(wanted), logProbs))) };
}

/** Loss of each transition [batch], and metrics of the expected returns. */
function losses(networks: Networks<Name>, batch: Batch, combined: boolean) {
  const [online, target] = [noisy(networks, "actor"), noisy(networks, "actor_target")];
  const logProbs = logSoftmax(chosen(logitsOf(online, batch.obs), batch.action));
  const { wanted, each: main } = errors(online, target, logProbs, batch);
  const isBoth = combined && batch.one_step;
  const each = isBoth ? add(main, errors(online, target, logProbs, batch.one_step).each) : main;
  const value = expectation(online, exp(logProbs));
  return { each, metrics: valueMetrics([value], expectation(online, wanted)) };
}

export const RainbowDQN = /* @__PURE__ */ defineOffPolicy({
  spec: RAINBOW_DQN_DEFINITION,
  actions: ["Discrete"],
  networks: ({ observation_space, action_space, network, hyperparameters }) => {
    const { num_atoms, noise_std } = hyperparameters;
    const head = { num_atoms: Number(num_atoms), noise_std: Number(noise_std) };
    const actor = rainbowNetwork(observation_space, action_space.n, network, head);
    return { actor, actor_target: actor };
  },
  targets: { actor_target: "actor" },
  sharesEncoder: {},
  policy: "actor",
  optimizers: {
    // The maximum of the norm is that of Wang et al. 2016.
    optimizer: { networks: ["actor"], lr: "lr", max_grad_norm: 10, grad_norm: "grad_norm" },
  },
  metrics: ["loss", ...VALUE_METRICS],
  countsActions: true,
  activationMutation: true,
  structural: ["combined_reward", "normalize_images"],
  counts: ["learn_step"],
  policyOutputs: ({ actor }, latent) => ({ q_values: expectedReturns(actor, actor.head(latent)) }),

  act: (networks, obs, { mask }) => argmax(legalValues(actionValues(noisy(networks, "actor"), obs), mask)),
  greedy: ({ actor }, obs, mask) => argmax(legalValues(actionValues(actor, obs), mask)),

  learn: (networks, batch, hyperparameters) => {
    const { each, metrics } = losses(networks, batch, flag(hyperparameters, "combined_reward"));
    const loss = meanAll(batch.weight ? mul(each, batch.weight) : each);
    return { losses: { optimizer: loss }, metrics: { loss, ...metrics }, priority: stopGradient(each) };
  },
  result: ({ metrics, priorities }, { prior_eps }) => ({
    loss: metrics.loss as number,
    priorities: (priorities as Float32Array).map((error) => error + Number(prior_eps)),
  }),
});
