/** AlphaZero (Silver et al. 2018): self-play by tree search, whose policies and results the networks learn. */
import { z } from "zod";
import { categorical } from "../../kernels/functions.ts";
import {
  add,
  type Dim,
  div,
  log,
  maximum,
  mul,
  neg,
  reshape,
  square,
  sub,
  sum,
  sumAll,
  type Tensor,
  tanh,
} from "../../kernels/index.ts";
import { defineAlgorithm, learningRate } from "../../specs/algorithms.ts";
import { atLeast, count, field, fraction, hpoRangeOf, integer } from "../../specs/checks.ts";
import { flag, hyperparameter, type NumberIn } from "../contract/inputs.ts";
import type { Latents, Networks } from "../contract/network.ts";
import { defineOnPolicy } from "../contract/onPolicy.ts";
import { stochasticActor, valueNetwork } from "../networks/index.ts";
import { SingleAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { appliedSample, policyOf, policyRows } from "./actionDistribution.ts";

/** A setting of the search: part of the program, so that it does not mutate. */
const ofSearch = { mutable: false } as const;

const { gamma: _gamma, ...shared } = SingleAgentAlgorithmSpec.shape;

/** AlphaZero (Silver et al. 2018) for games of two players without chance. */
export const AlphaZeroSpec = z.strictObject({
  name: field(
    z.literal("AlphaZero").default("AlphaZero"),
    "Self-play by tree search, whose policies and results the networks learn.",
  ),
  ...shared,
  num_envs: field(
    integer(1).default(1),
    "Games that each agent plays in parallel; set by the manifest's environment section.",
    { unit: "environments", mutable: false, advanced: true },
  ),
  learn_step: field(
    count(1).default(2048),
    "Moves of self-play for each learning phase, rounded up to whole steps of all games.",
    { unit: "steps", hpo: hpoRangeOf(512, 8192) },
  ),
  batch_size: field(integer(1).default(128), "Positions in one learning step.", {
    unit: "samples",
    hpo: hpoRangeOf(32, 512),
  }),
  update_epochs: field(
    count(1).default(2),
    "Learning steps of a phase: as many as passes over its moves would be.",
    { hpo: hpoRangeOf(1, 6, 1.5, 0.75) },
  ),
  replay_size: field(
    integer(1).default(32_768),
    "Latest positions that learning steps draw from; at least those of one learning phase.",
    { unit: "positions", mutable: false },
  ),
  lr: learningRate(1e-3, "Learning rate of Adam."),
  weight_decay: field(
    atLeast(0).default(1e-4),
    "Share of each weight, times the learning rate, that a learning step takes away.",
    { step: "log", advanced: true },
  ),
  vf_coef: field(fraction().default(1), "Weight of the value loss.", {
    step: 0.05,
    hpo: hpoRangeOf(0.25, 1, 1.15, 0.85),
  }),
  search_value: field(
    fraction().default(0),
    "Share of the search's value in what the value learns; the rest is the game's result.",
    { step: 0.05, advanced: true },
  ),
  max_grad_norm: field(atLeast(0).default(1), "Largest L2 norm of a gradient; larger ones are scaled down.", {
    step: 0.05,
    hpo: hpoRangeOf(0.35, 2, 1.15, 0.85),
  }),
  search: field(
    z.enum(["puct", "gumbel"]).default("puct"),
    "How the search selects: upper confidence bounds with Dirichlet noise, or sequential halving with Gumbel noise.",
    ofSearch,
  ),
  simulations: field(
    integer(2).default(32),
    "Positions that the search of a move adds to its tree.",
    ofSearch,
  ),
  max_considered: field(integer(1).default(16), "Gumbel: most actions that are tried at the root.", {
    ...ofSearch,
    advanced: true,
  }),
  c_scale: field(atLeast(0).default(0.1), "Gumbel: how much the values count against the policy.", {
    ...ofSearch,
    advanced: true,
  }),
  c_puct: field(atLeast(0).default(1.25), "PUCT: how much the policy counts against the values.", {
    ...ofSearch,
    advanced: true,
  }),
  dirichlet_alpha: field(
    atLeast(0.01).default(0.3),
    "PUCT: concentration of the noise in the root's policy; less for games with more moves.",
    { ...ofSearch, advanced: true },
  ),
  dirichlet_fraction: field(fraction().default(0.25), "PUCT: share of the noise in the root's policy.", {
    ...ofSearch,
    advanced: true,
  }),
  sampled_moves: field(
    integer(0).default(30),
    "First moves of a game that are drawn in proportion to their visits; later ones are the best by the search.",
    { ...ofSearch, unit: "moves", advanced: true },
  ),
  share_encoders: field(z.boolean().default(true), "Policy and value network share the policy's encoder."),
});
export type AlphaZeroSpec = z.output<typeof AlphaZeroSpec>;
export type AlphaZeroSpecInput = z.input<typeof AlphaZeroSpec>;

const read = hyperparameter<NumberIn<AlphaZeroSpec>>;

export const ALPHAZERO_DEFINITION = /* @__PURE__ */ defineAlgorithm({
  name: "AlphaZero",
  title: "AlphaZero",
  schema: AlphaZeroSpec,
  rlkit_only: true,
  on_policy: true,
  stochastic_actor: true,
  num_envs_field: "num_envs",
  critic_head: [16],
});

/** Values from -1 to 1 for the player whose turn it is, [n]. */
function valueOf({ critic }: Networks<"critic">, latents: Latents<"critic">): Tensor {
  const value = critic.head(latents("critic"));
  return tanh(reshape(value, [value.shape[0] as Dim]));
}

const average = (x: Tensor, weight: Tensor): Tensor =>
  div(sumAll(mul(x, weight)), maximum(sumAll(weight), 1));

export const AlphaZero = /* @__PURE__ */ defineOnPolicy({
  spec: ALPHAZERO_DEFINITION,
  actions: ["Discrete"],
  networks: ({ observation_space, action_space, network, hyperparameters }) => {
    const share_encoder = flag(hyperparameters, "share_encoders");
    return {
      actor: stochasticActor(observation_space, action_space, network, { action_std_init: 0 }),
      critic: valueNetwork(observation_space, network, { share_encoder }),
    };
  },
  targets: {},
  sharesEncoder: { critic: "actor" },
  policy: "actor",
  optimizers: {
    optimizer: {
      networks: ["actor", "critic"],
      lr: "lr",
      weight_decay: "weight_decay",
      max_grad_norm: "max_grad_norm",
      grad_norm: "grad_norm",
    },
  },
  metrics: ["loss", "policy_loss", "value_loss", "search_kl"],
  activationMutation: false,
  structural: [
    "share_encoders",
    "normalize_images",
    "search",
    "simulations",
    "max_considered",
    "c_scale",
    "c_puct",
    "dirichlet_alpha",
    "dirichlet_fraction",
    "sampled_moves",
  ],
  counts: ["update_epochs"],
  policyOutputs: ({ actor }, latent) => policyRows(actor, latent),

  act: (networks, latents, draws, { action_space }, mask) => {
    const policy = policyOf(networks.actor, latents("actor"), mask);
    const action = policy.sample(draws);
    const applied = appliedSample(action, action_space, policy, networks.actor);
    return { action, applied, log_prob: policy.logProb(action) };
  },
  greedy: (networks, latents, { action_space }, mask) => {
    const policy = policyOf(networks.actor, latents("actor"), mask);
    return appliedSample(policy.mode(), action_space, policy, networks.actor);
  },
  value: valueOf,
  selfPlay: (hyperparameters) => ({
    search: hyperparameters.search === "gumbel" ? "gumbel" : "puct",
    simulations: Number(hyperparameters.simulations),
    max_considered: Number(hyperparameters.max_considered),
    c_scale: Number(hyperparameters.c_scale),
    c_puct: Number(hyperparameters.c_puct),
    dirichlet_alpha: Number(hyperparameters.dirichlet_alpha),
    dirichlet_fraction: Number(hyperparameters.dirichlet_fraction),
    sampled_moves: Number(hyperparameters.sampled_moves),
  }),
  learn: (networks, { latents, returns, weight, mask, searched }) => {
    if (!searched) throw new TypeError("AlphaZero: learns from positions that a search has judged only");
    const { policy, value, known } = searched;
    const { log_probs } = categorical(networks.actor.head(latents("actor")), mask);
    const policy_loss = average(neg(sum(mul(policy, log_probs))), weight);
    const target = add(returns, mul(read("search_value"), sub(value, returns)));
    const value_loss = average(square(sub(valueOf(networks, latents), target)), mul(weight, known));
    const entropy = average(neg(sum(mul(policy, log(maximum(policy, 1e-30))))), weight);
    const kl = sub(policy_loss, entropy);
    const loss = add(policy_loss, mul(read("vf_coef"), value_loss));
    return { losses: { optimizer: loss }, metrics: { loss, policy_loss, value_loss, search_kl: kl }, kl };
  },
});
