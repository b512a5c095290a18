/**
 * Code shared by MADDPG and MATD3: critics that read all agents' observations and actions, and the losses.
 */

import { gumbelSoftmax, sigmoid } from "../../kernels/functions.ts";
import {
  add,
  argmax,
  cast,
  clip,
  column,
  concat,
  type Dim,
  equal,
  greater,
  iota,
  log,
  meanAll,
  mul,
  neg,
  reshape,
  slice,
  square,
  stackColumns,
  stopGradient,
  sub,
  type Tensor,
} from "../../kernels/index.ts";
import { actorCriticRates, explorationNoiseShape, targetRate } from "../../specs/algorithms.ts";
import { field, fraction, hpoRangeOf, integer } from "../../specs/checks.ts";
import { legalValues } from "../contract/choices.ts";
import type { NetworkContext } from "../contract/definition.ts";
import { learningUniforms, normals } from "../contract/inputs.ts";
import type { Network, Networks } from "../contract/network.ts";
import type { Batch, LearnedBatch } from "../contract/offPolicy.ts";
import { memberOf, numbersOf, rowsOf, type TeamKey, teamOf } from "../contract/team.ts";
import { jointQNetwork, type NetworkData } from "../networks/index.ts";
import { MultiAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { type AgentSpaces, flatSize } from "../spaces.ts";
import { policyRows } from "./actionDistribution.ts";
import { NOISE_CLIP, outputRange, POLICY_NOISE } from "./continuousControl.ts";
import * as deterministic from "./deterministicPolicy.ts";
import { keyMetrics, meanOf, VALUE_METRICS, valueMetrics } from "./metrics.ts";
import {
  choiceDraws,
  choicesIn,
  dealer,
  forRows,
  jointActions,
  networkFor,
  teamActor,
  teamApplied,
  teamEnded,
  teamExplored,
  teamGreedy,
} from "./teamActions.ts";

/** Fields of multi-agent algorithms with deterministic policies and central critics. */
export const centralCriticShape = {
  ...MultiAgentAlgorithmSpec.shape,
  learn_step: field(integer(1).default(5), "Environment steps for each learning step.", {
    unit: "steps",
    hpo: hpoRangeOf(1, 10, 1.5, 0.75),
  }),
  gamma: field(fraction().default(0.95), "Discount of future rewards.", {
    step: 0.001,
    hpo: hpoRangeOf(0.9, 0.9999, 1.001, 0.999),
  }),
  ...actorCriticRates(1e-3, 0.01),
  tau: targetRate(0.01),
  ...explorationNoiseShape,
};

/** Maximum norm of each network's gradient. */
const MAX_GRAD_NORM = 0.5;
/** Optimiser settings of policies and critics. */
export const ACTOR_STEP = { ...deterministic.ACTOR_STEP, max_grad_norm: MAX_GRAD_NORM } as const;
export const CRITIC_STEP = { ...deterministic.CRITIC_STEP, max_grad_norm: MAX_GRAD_NORM } as const;
/** Weight of the mean squared logit in a policy's loss; keeps policies from early determinism. */
const LOGIT_PENALTY = 1e-3;

/** The parts of a definition that do not depend on the critics. */
export const teamPolicy = {
  actions: ["Agents"],
  sharesEncoder: {},
  policy: "actors",
  metrics: ["actor_loss", "critic_loss", ...VALUE_METRICS],
  activationMutation: false,
  structural: ["O_U_noise", "normalize_images"],
  policyOutputs: ({ actors }: Networks<"actors">, latent: Tensor) => policyRows(actors, latent),
  act: teamExplored,
  greedy: teamGreedy,
  applied: teamApplied,
  ended: teamEnded,
  result: ({ metrics }: LearnedBatch) => metrics,
} as const;

/** For each key, an actor and one critic of each given family, with their target networks. */
export function teamNetworks(
  { observation_space, action_space, networkFor: settingsFor }: NetworkContext<"Agents">,
  critics: Readonly<Record<string, string>>,
): Record<string, NetworkData> {
  const networks: Record<string, NetworkData> = {};
  for (const { key, ...own } of teamOf({ observation_space, action_space })) {
    const actor = teamActor(own, settingsFor(key, own.observation_space));
    networks[memberOf("actors", key)] = actor;
    networks[memberOf("actor_targets", key)] = actor;
    const central = settingsFor(key, observation_space);
    const critic = jointQNetwork(observation_space, flatSize(action_space), central);
    for (const [family, target] of Object.entries(critics)) {
      networks[memberOf(family, key)] = critic;
      networks[memberOf(target, key)] = critic;
    }
  }
  return networks;
}

/** Joint actions [n, numbers] in the form that critics read: choices one-hot, agents concatenated. */
export function oneHotActions(team: readonly TeamKey[], action: Tensor): Tensor {
  const n = action.shape[0] as Dim;
  const parts: Tensor[] = [];
  for (const { agents, action_space } of team) {
    for (const { index, action: own } of agents) {
      const sizes = choicesIn(action_space);
      const numbers = slice(action, own.start, own.size);
      const choices = sizes.map((k, i) =>
        cast(equal(iota(k), reshape(cast(column(numbers, i), "i32"), [n, 1])), "f32"),
      );
      parts[index] = sizes.length === 0 ? numbers : sideBySide(choices);
    }
  }
  return sideBySide(parts);
}

const sideBySide = (parts: readonly Tensor[]): Tensor =>
  parts.length === 1 ? (parts[0] as Tensor) : concat([...parts]);

/** Returns a function from joint actions to Q values [batch] at fixed joint observations. */
const valuesAt = (critic: Network, obs: Tensor): ((action: Tensor) => Tensor) => {
  const values = critic.valuesAt(obs);
  return (action) => reshape(values(action), [obs.shape[0] as Dim]);
};

/** How many uniform vectors the target actions of a batch need. */
const targetDraws = (team: readonly TeamKey[], smoothed: boolean): number =>
  team.reduce((sum, key) => sum + key.agents.length * drawsOf(key, smoothed), 0);

function drawsOf({ action_space }: TeamKey, smoothed: boolean): number {
  if (action_space.kind !== "Box") return choiceDraws(action_space);
  const size = flatSize(action_space);
  return smoothed ? size + (size % 2) : 0;
}

/**
 * The target actors' actions at the next observations, in the form that critics read; choices are sampled.
 */
function targetActions(
  team: readonly TeamKey[],
  networks: Networks,
  { next_obs, next_mask, row }: Batch,
  smoothed: boolean,
): Tensor {
  const deal = dealer(learningUniforms(row, 0, targetDraws(team, smoothed)));
  const drawn = (key: TeamKey, count: number) => forRows(key, deal(count * key.agents.length));
  const action = jointActions(team, [networks, "actor_targets"], next_obs, {
    mask: next_mask,
    choose: (policy, key) => policy.sample((count) => drawn(key, count)),
    number: (numbers, actor, key) => {
      if (!smoothed) return numbers;
      const size = numbers.shape[1] as number;
      const noise = mul(stackColumns(normals((count) => drawn(key, count), size)), POLICY_NOISE);
      return clip(add(numbers, clip(noise, -NOISE_CLIP, NOISE_CLIP)), ...outputRange(actor.data));
    },
  });
  return oneHotActions(team, action);
}

/** Losses by optimiser, and metrics by name, of all keys. */
export interface TeamLosses {
  readonly losses: Record<string, Tensor>;
  readonly metrics: Record<string, Tensor>;
}

/**
 * Squared errors of critics that read all agents' observations and actions (Lowe et al. 2017, eq. 6),
 * averaged over the agents of each key. With several critics, targets use the smallest value (Ackermann et
 * al. 2019).
 * @param critics Families of target networks and of optimisers for each family of critics.
 */
export function criticLosses(
  networks: Networks,
  batch: Batch,
  spaces: AgentSpaces,
  {
    critics,
    smoothed,
    least,
  }: {
    readonly critics: Readonly<Record<string, { readonly target: string; readonly optimizer: string }>>;
    readonly smoothed: boolean;
    readonly least: (values: readonly Tensor[]) => Tensor;
  },
): TeamLosses {
  const team = teamOf(spaces);
  const next_action = targetActions(team, networks, batch, smoothed);
  const action = oneHotActions(team, batch.action);
  const losses: Record<string, Tensor> = {};
  const sums = new Map<string, Tensor>();
  const found = { q_mean: new Map<string, Tensor>(), td_error: new Map<string, Tensor>() } as const;
  for (const key of team) {
    const next = least(
      Object.values(critics).map(({ target }) => {
        const critic = networkFor(networks, target, key);
        return valuesAt(critic, batch.next_obs)(next_action);
      }),
    );
    const n = next.shape[0] as Dim;
    const targets = key.agents.map(({ index }) => {
      const at = (x: Tensor) => column(x, index);
      const going = mul(batch.discount, sub(1, at(batch.done)));
      return stopGradient(add(at(batch.reward), mul(going, next)));
    });
    const values: Tensor[] = [];
    for (const [family, { optimizer }] of Object.entries(critics)) {
      const critic = networkFor(networks, family, key);
      const value = valuesAt(critic, batch.obs)(action);
      values.push(value);
      const errors = key.agents.map(({ index }, i) => {
        const error = square(sub(value, targets[i] as Tensor));
        return meanAll(batch.present ? mul(column(batch.present, index), error) : reshape(error, [n]));
      });
      const loss = meanOf(errors);
      losses[memberOf(optimizer, key.key)] = loss;
      const before = sums.get(key.key);
      sums.set(key.key, before ? add(before, loss) : loss);
    }
    const ofAgents = key.agents.map(({ index }, i) =>
      valueMetrics(values, targets[i] as Tensor, batch.present && column(batch.present, index)),
    );
    for (const name of VALUE_METRICS) found[name].set(key.key, meanOf(ofAgents.map((each) => each[name])));
  }
  const metrics = keyMetrics("critic_loss", sums);
  for (const name of VALUE_METRICS) Object.assign(metrics, keyMetrics(name, found[name]));
  return { losses, metrics };
}

/** Gumbel(0, 1) noise from uniform numbers, which may be 0 (Jang et al. 2017). */
const gumbel = (uniform: Tensor): Tensor => neg(log(neg(log(clip(uniform, 1e-7, 1 - 1e-7)))));

/** One-hot choices with the gradient of Gumbel-softmax at temperature 1 (straight-through), [rows, k]. */
function straightThrough(logits: Tensor, noise: Tensor): Tensor {
  const soft = gumbelSoftmax(logits, noise);
  const k = soft.shape[1] as number;
  const hard = cast(equal(iota(k), reshape(argmax(soft), [soft.shape[0] as Dim, 1])), "f32");
  return add(stopGradient(sub(hard, soft)), soft);
}

/** Bits with the gradient of a relaxed Bernoulli at temperature 1 (Maddison et al. 2017), [rows, bits]. */
function straightBits(logits: Tensor, uniform: Tensor): Tensor {
  const u = clip(uniform, 1e-7, 1 - 1e-7);
  const soft = sigmoid(add(logits, sub(log(u), log(sub(1, u)))));
  return add(stopGradient(sub(cast(greater(soft, 0.5), "f32"), soft)), soft);
}

/** The policy's differentiable actions in the form that critics read [rows, one-hot], and its logits. */
function ownActions(
  key: TeamKey,
  actor: Network,
  seen: Tensor,
  mask: Tensor | undefined,
  draws: readonly Tensor[],
) {
  const output = actor.forward(seen);
  if (key.action_space.kind === "Box") return { own: output, logits: null };
  const uniform = stackColumns(forRows(key, draws));
  const legal = mask ? legalValues(output, mask) : output;
  if (key.action_space.kind === "MultiBinary") return { own: straightBits(legal, uniform), logits: output };
  const sizes = choicesIn(key.action_space);
  const noise = gumbel(uniform);
  let at = 0;
  const parts = sizes.map((k) => {
    const part = straightThrough(slice(legal, at, k), slice(noise, at, k));
    at += k;
    return part;
  });
  return { own: sideBySide(parts), logits: output };
}

/** Mean squared logit of a key, from logits [rows, k]; rows of agents that had left count as 0. */
function meanSquare(key: TeamKey, logits: Tensor, present: Tensor | undefined): Tensor {
  const squares = square(logits);
  if (!present) return meanAll(squares);
  const counts = numbersOf(key, present);
  return meanAll(mul(reshape(counts, [counts.shape[0] as Dim, 1]), squares));
}

/** How many uniform vectors a key's own choices need. */
const ownDraws = ({ agents, action_space }: TeamKey): number =>
  action_space.kind === "Box" ? 0 : agents.length * flatSize(action_space);

/**
 * Losses of the policies: minus the value of each agent's own action combined with the others' actions from
 * the batch (Lowe et al. 2017, eq. 5), averaged over the agents of each key. Choices are straight-through.
 * @param critic Family of the critics that evaluate the actions.
 */
export function policyLosses(
  networks: Networks,
  { obs, action, mask, present, row }: Batch,
  spaces: AgentSpaces,
  { critic: family, smoothed }: { readonly critic: string; readonly smoothed: boolean },
): TeamLosses {
  const team = teamOf(spaces);
  const taken = oneHotActions(team, action);
  const n = obs.shape[0] as Dim;
  const count = team.reduce((sum, key) => sum + ownDraws(key), 0);
  // Indices after those of the target actions, which are drawn in the same learning step.
  const deal = dealer(learningUniforms(row, targetDraws(team, smoothed), count));
  const mates = team.flatMap(({ agents }) => agents).sort((a, b) => a.index - b.index);
  const losses: Record<string, Tensor> = {};
  const byKey = new Map<string, Tensor>();
  for (const key of team) {
    const actor = networkFor(networks, "actors", key);
    const judged = valuesAt(networkFor(networks, family, key), obs);
    const legal = mask && rowsOf(key, mask, (mate) => mate.mask);
    const seen = rowsOf(key, obs, (mate) => mate.obs);
    const { own, logits } = ownActions(key, actor, seen, legal, deal(ownDraws(key)));
    const width = own.shape[1] as number;
    const side = reshape(own, [n, key.agents.length * width]);
    const terms = key.agents.map(({ index }, i) => {
      const acted = mates.map(({ index: other, one_hot }) =>
        other === index ? slice(side, i * width, width) : slice(taken, one_hot.start, one_hot.size),
      );
      const value = judged(sideBySide(acted));
      return neg(meanAll(present ? mul(column(present, index), value) : value));
    });
    const gain = meanOf(terms);
    const loss = logits ? add(gain, mul(meanSquare(key, logits, present), LOGIT_PENALTY)) : gain;
    losses[memberOf("actor_optimizers", key.key)] = loss;
    byKey.set(key.key, gain);
  }
  return { losses, metrics: keyMetrics("actor_loss", byKey) };
}
