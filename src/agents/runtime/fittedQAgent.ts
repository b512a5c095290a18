/** An agent reduced to its policy, with networks that learn the values of its actions. */
import { BEHAVIOUR_OPTIMIZER, FITTED, FITTED_Q_FIELDS, fittedQName } from "../../rl/contract.ts";
import { fittedNetwork } from "../../rl/definitions.ts";
import { initNetwork, resolveNetwork } from "../../rl/networks.ts";
import { type AgentSpaces, observationKind } from "../../rl/spaces.ts";
import { scheduleField, schedulesIn } from "../../specs/algorithms.ts";
import type { AgentState } from "../member/agentState.ts";
import { freshOptimizer, isTiny } from "../member/createAgent.ts";
import { algorithmOf, policyOnly } from "../member/registry.ts";

/** How values are fitted. */
export interface FittedQSettings {
  /** Learning steps. */
  readonly steps: number;
  readonly lr: number;
  /** Discount of future rewards, the same for all members. */
  readonly gamma: number;
}

/** What the data say of the values: where their networks begin, and where values can no longer be. */
export interface FittedQScale {
  readonly centre: number;
  readonly scale: number;
  /** No true value is further from 0. */
  readonly bound: number;
}

const BATCH = 256;
/** Fast, because a policy that stays as it is needs no slow targets. */
const TAU = 0.1;

/** The same first weights for every agent, so that estimates differ by their policies alone. @internal */
export function fittedQAgent(
  agent: AgentState,
  spaces: AgentSpaces,
  { lr, gamma }: FittedQSettings,
  { centre, scale }: FittedQScale,
  seed: number,
): AgentState {
  const kept = { ...agent.hyperparameters };
  for (const { of } of schedulesIn(kept)) delete kept[scheduleField(of)];
  const { networks, normalization, ...rest } = policyOnly(agent);
  const { observation_space } = spaces;
  const observation = isTiny(observation_space) ? "vector" : observationKind(observation_space);
  const data = fittedNetwork(spaces, resolveNetwork(null, { observation, recurrent: false }));
  const online = { data, tensors: initNetwork(data, { seed, stream: `init.${FITTED.online}`, slot: 0 }) };
  // Only policies with probabilities have any for the data's choices.
  const isLikely = networks[algorithmOf(agent).policy]?.data.distribution?.kind === "categorical";
  const imitating = {
    data,
    tensors: initNetwork(data, { seed, stream: `init.${FITTED.behaviour}`, slot: 0 }),
  };
  const fitted = {
    ...networks,
    [FITTED.online]: online,
    [FITTED.target]: structuredClone(online),
    ...(isLikely && { [FITTED.behaviour]: imitating }),
  };
  const optimizerOf = (network: string) =>
    freshOptimizer({ networks: [network], lr: FITTED_Q_FIELDS.lr }, { networks: fitted });
  return {
    ...rest,
    algorithm: fittedQName(agent.algorithm, isLikely ? "behaviour" : "values"),
    hyperparameters: {
      ...kept,
      gamma,
      tau: TAU,
      batch_size: BATCH,
      [FITTED_Q_FIELDS.lr]: lr,
      [FITTED_Q_FIELDS.centre]: centre,
      [FITTED_Q_FIELDS.scale]: scale,
    },
    networks: fitted,
    optimizers: {
      fqe_optimizer: optimizerOf(FITTED.online),
      ...(isLikely && { [BEHAVIOUR_OPTIMIZER]: optimizerOf(FITTED.behaviour) }),
    },
    // Values are of the rewards as the data have them.
    ...(normalization && {
      normalization: {
        ...normalization,
        settings: { ...normalization.settings, rewards: false, reward_scale: 1, reward_clip: null },
      },
    }),
  };
}
