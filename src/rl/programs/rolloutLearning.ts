/** Learning from a rollout, for on-policy members: advantages, then epochs of minibatches. */
import { generalisedAdvantages, randomBits } from "../../kernels/functions.ts";
import {
  add,
  cast,
  constant,
  type Dim,
  dimValue,
  div,
  equal,
  greater,
  iota,
  max,
  maxAll,
  maximum,
  mean,
  minimum,
  mul,
  neg,
  or,
  permutation,
  reshape,
  type Shape,
  scan,
  sqrt,
  square,
  sub,
  sumAll,
  type Tensor,
  takeRows,
  zeros,
} from "../../kernels/index.ts";
import { counter, countHyperparameter, hyperparameter, randomKey } from "../contract/inputs.ts";
import type { OnPolicyAlgorithm } from "../contract/onPolicy.ts";
import type { AgentSpaces } from "../spaces.ts";
import { withImitation } from "./imitation.ts";
import { type AgentStructure, applyLearning, type Learner, readLearner, readNetworks } from "./learning.ts";
import { encodeStep, mapMemory } from "./memory.ts";
import { LEARNED_ROLLOUTS, sumMetrics } from "./metrics.ts";
import { cutRollout, type Encodable, type Minibatch, minibatches, pieceAt } from "./minibatches.ts";
import { learnReturns, learnRolloutObservations, learntRewards } from "./normalization.ts";
import { observationField } from "./replayFields.ts";
import { flat, horizon, type Rollout } from "./rollout.ts";
import { rolloutInputs, storedInput } from "./rolloutInputs.ts";
import { followSchedules } from "./schedules.ts";
import { learntForms } from "./symmetries.ts";

export interface OnPolicyStructure extends AgentStructure {
  readonly algorithm: OnPolicyAlgorithm;
}

/**
 * V of each step's true successor, [horizon, num_envs]. Where the episode goes on, this is the value of the
 * next row. The network is evaluated only in steps where a lane was truncated, and in the last step.
 */
function successorValues(
  structure: OnPolicyStructure,
  layout: AgentSpaces,
  rollout: Rollout,
  values: Tensor,
): Tensor {
  const { algorithm } = structure;
  const last = sub(dimValue(horizon, "i32"), 1);
  const following = takeRows(values, minimum(add(iota(horizon), 1), last));
  // With several agents, it is enough that one of them goes on.
  const going = sub(1, rollout.present ? neg(max(neg(rollout.terminated))) : rollout.terminated);
  const cut = mul(rollout.done, going);
  const names = Object.keys(rollout.memory);
  // The recurrent state after a step that ended an episode is not stored, so the step is encoded again to get
  // it.
  const past = names.length === 0 ? [] : [rollout.obs, ...Object.values(rollout.memory)];
  const { ys } = scan(
    { count: horizon, carry: [], xs: [rollout.next_obs, following, cut, ...past] },
    (_carry, [next_obs, next, ended, obs, ...before], t) => {
      const asked = or(greater(maxAll(ended as Tensor), 0), equal(t, last));
      const { carry } = scan({ count: cast(asked, "i32"), carry: [next as Tensor] }, () => {
        const networks = readNetworks(structure);
        const encode = (seen: Tensor, memory = {}) =>
          encodeStep(
            algorithm,
            networks,
            storedInput(structure, layout.observation_space, seen),
            layout,
            memory,
          );
        const memory = Object.fromEntries(names.map((name, i) => [name, before[i] as Tensor]));
        const after = obs ? encode(obs, memory).after() : {};
        return { carry: [algorithm.value(networks, encode(next_obs as Tensor, after).latents, layout)] };
      });
      return { carry: [], ys: [carry[0] as Tensor] };
    },
  );
  return ys[0] as Tensor;
}

/** The columns that minibatches are taken from, with a row for each environment step. */
export interface Columns extends Encodable {
  readonly action: Tensor;
  readonly log_prob: Tensor;
  readonly advantage: Tensor;
  readonly returns: Tensor;
  readonly mask?: Tensor;
  readonly present?: Tensor;
}

/**
 * 1 where returns end, [horizon, num_envs]; for several agents also where an agent's own task ends, [horizon,
 * num_envs, agents].
 */
function eachAgentsEnd({ done, terminated, present }: Rollout): Tensor {
  if (!present) return done;
  const [steps, n] = done.shape as [Dim, Dim];
  return maximum(reshape(done, [steps, n, 1]), terminated);
}

/** Updates the statistics that observations and rewards are scaled by, before they are learnt from. */
function learnStatistics(
  { normalization }: OnPolicyStructure,
  { observation_space }: AgentSpaces,
  rollout: Rollout,
): void {
  const present = rollout.present && flat(rollout.present);
  learnRolloutObservations(
    normalization,
    observation_space,
    observationField(observation_space),
    flat(rollout.obs),
    present,
  );
  learnReturns(normalization, rollout);
}

/**
 * Advantages and returns of a rollout, with the other columns that learning needs. Adds the rollout's
 * metrics to their sums, and updates the statistics of observations and rewards. Sets scheduled values as of the
 * rollout's start.
 */
export function columnsOf(structure: OnPolicyStructure, layout: AgentSpaces, rollout: Rollout): Columns {
  const { algorithm } = structure;
  followSchedules(structure, () => sub(counter("vector_step").read(), dimValue(horizon, "i32")));
  learnStatistics(structure, layout, rollout);
  const before = readNetworks(structure);
  const inputs = rolloutInputs(structure, layout, rollout);
  const values = inputs.each(algorithm, before, (latents) => algorithm.value(before, latents, layout));
  const { advantages, returns } = generalisedAdvantages({
    rewards: learntRewards(structure, layout, rollout.reward),
    values,
    next_values: successorValues(structure, layout, rollout, values),
    terminated: rollout.terminated,
    done: eachAgentsEnd(rollout),
    gamma: hyperparameter("gamma"),
    lambda: hyperparameter("gae_lambda"),
  });
  const advantage = flat(advantages);
  const present = rollout.present && flat(rollout.present);
  if (algorithm.rollout)
    sumMetrics(algorithm.rollout.of(flat(values), flat(returns), layout, present), LEARNED_ROLLOUTS);
  return {
    inputs: inputs.at,
    done: flat(rollout.done),
    memory: mapMemory(rollout.memory, flat),
    action: flat(rollout.action),
    log_prob: flat(rollout.log_prob),
    advantage: algorithm.normalised?.(advantage, layout, present) ?? normalise(advantage),
    returns: flat(returns),
    ...(rollout.mask ? { mask: flat(rollout.mask) } : {}),
    ...(present && { present }),
  };
}

/** The losses and metrics of a minibatch. */
export function learnFrom(
  { algorithm, hyperparameters }: OnPolicyStructure,
  { networks, values }: Learner,
  layout: AgentSpaces,
  columns: Columns,
  { index, weight, encode }: Minibatch,
): ReturnType<OnPolicyStructure["algorithm"]["learn"]> {
  const at = (x: Tensor) => takeRows(x, index);
  const forms = learntForms(layout, cast(index, "u32"));
  return algorithm.learn(
    networks,
    {
      latents: encode(networks),
      action: forms.action(at(columns.action)),
      log_prob: at(columns.log_prob),
      advantage: at(columns.advantage),
      returns: at(columns.returns),
      ...(columns.mask ? { mask: forms.actions(at(columns.mask)) } : {}),
      ...(columns.present && { present: at(columns.present) }),
      weight,
    },
    hyperparameters,
    values,
    layout,
  );
}

/** A shuffled order of the pieces for the turn's next epoch. */
export function shuffled(pieces: Dim): Tensor {
  const epochs = counter("epoch");
  const epoch = epochs.read();
  const [word] = randomBits(randomKey("shuffle", epoch), 1);
  const order = permutation(pieces, reshape(word, []));
  epochs.write(add(epoch, 1));
  return order;
}

/** Shape of the divergences summed over an epoch: a single one, or one per key for several agents. */
export const divergenceShape = ({ algorithm }: OnPolicyStructure): Shape =>
  algorithm.multi_agent ? [algorithm.policies.length] : [];

/**
 * Whether a policy's mean divergence exceeds `target_kl`; `divergence` is the sum over an epoch's
 * minibatches.
 */
export function movedFar(divergence: Tensor): Tensor {
  const farthest = divergence.rank === 0 ? divergence : maxAll(divergence);
  return greater(div(farthest, dimValue(minibatches)), hyperparameter("target_kl"));
}

/**
 * Epochs of minibatches over a rollout, until the policy has moved too far.
 * @param shown The layout of demonstrations, which are imitated too (default: none).
 */
export function learnRollout(
  structure: OnPolicyStructure,
  layout: AgentSpaces,
  rollout: Rollout,
  shown: AgentSpaces | null = null,
): void {
  const columns = columnsOf(structure, layout, rollout);
  const cut = cutRollout(structure.algorithm, layout, columns);
  const several = divergenceShape(structure);
  scan({ count: countHyperparameter("update_epochs"), carry: [] }, () => {
    const order = shuffled(cut.pieces);
    const still = several.length === 0 ? constant(0) : zeros(several);
    const { carry } = scan({ count: minibatches, carry: [still] }, ([divergence], _x, m) => {
      const learner = readLearner(structure);
      const minibatch = cut.minibatch(pieceAt(order, m));
      const { kl, ...learned } = learnFrom(structure, learner, layout, columns, minibatch);
      applyLearning(structure, learner, shown ? withImitation(structure, learner, shown, learned) : learned);
      return { carry: [add(divergence as Tensor, kl)] };
    });
    return { carry: [], until: movedFar(carry[0] as Tensor) };
  });
}

/** Scales to mean 0 and standard deviation 1 over the whole rollout (unbiased variance). */
function normalise(x: Tensor): Tensor {
  const centred = sub(x, mean(x, 0));
  const variance = div(sumAll(square(centred)), sub(dimValue(x.shape[0] as Dim), 1));
  return div(centred, add(sqrt(variance), 1e-8));
}
