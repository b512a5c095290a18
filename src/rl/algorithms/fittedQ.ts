/**
 * Fitted Q evaluation (Le, Voloshin and Yue 2019, arXiv 1903.08738): the policy of any algorithm that learns from data
 * stays as it is, and a network learns the values of its actions by temporal differences.
 */

import { logSoftmax } from "../../kernels/functions.ts";
import {
  add,
  div,
  exp,
  meanAll,
  mul,
  neg,
  square,
  stopGradient,
  sub,
  type Tensor,
} from "../../kernels/index.ts";
import { field, fraction } from "../../specs/checks.ts";
import { legalValues } from "../contract/choices.ts";
import { hyperparameter } from "../contract/inputs.ts";
import type { Network, Networks } from "../contract/network.ts";
import {
  type Batch,
  BEHAVIOUR_OPTIMIZER,
  FITTED,
  FITTED_Q_FIELDS,
  type Fitted,
  type FittedQAlgorithm,
  fittedQName,
  type OffPolicyAlgorithm,
} from "../contract/offPolicy.ts";
import { continuousQNetwork, qNetwork } from "../networks/index.ts";
import type { ResolvedNetwork } from "../sections/resolveNetwork.ts";
import { type AgentSpaces, flatSize } from "../spaces.ts";
import { dataPolicy, valueAt } from "./offlineLearning.ts";
import { valueOf } from "./qLearning.ts";

/** The network of values, for choices or numbers. */
export const fittedNetwork = ({ observation_space, action_space }: AgentSpaces, network: ResolvedNetwork) =>
  action_space.kind === "Discrete"
    ? qNetwork(observation_space, action_space.n, network)
    : continuousQNetwork(observation_space, flatSize(action_space), network);

const number = field(fraction().default(0), "Set by fitted Q evaluation.");

/**
 * What fits the values of an algorithm's policies. Its agents have those policies, and the networks of {@link FITTED}.
 * With `behaviour`, for policies of choices with probabilities, a further network imitates the data by maximum likelihood.
 */
export function fittedQ(evaluated: OffPolicyAlgorithm, fitted: Fitted = "values"): FittedQAlgorithm {
  const { name, spec, greedy, policy } = evaluated;
  const imitates = fitted === "behaviour";
  const { lr, centre, scale } = FITTED_Q_FIELDS;
  const fields = { gamma: number, tau: number, [lr]: number, [centre]: number, [scale]: number };
  const known = (networks: Networks): Record<"online" | "target", Network> => ({
    online: networks[FITTED.online] as Network,
    target: networks[FITTED.target] as Network,
  });
  /** Scaled errors of the data's actions, whose targets have no gradient. */
  const errors = (networks: Networks, batch: Batch, spaces: AgentSpaces): Tensor => {
    const { online, target } = known(networks);
    const { obs, action, reward, next_obs, next_mask, done, discount } = batch;
    const chosen = greedy(networks, next_obs, next_mask, spaces);
    const going = mul(discount, sub(1, done));
    const own = div(sub(reward, mul(hyperparameter(centre), sub(1, going))), hyperparameter(scale));
    const wanted = add(own, mul(going, valueAt(target, next_obs, chosen)));
    return sub(valueAt(online, obs, action), stopGradient(wanted));
  };
  /** Log-probabilities of the data's actions for the data's own policy, [batch]. */
  const likelihood = (networks: Networks, { obs, action, mask }: Batch): Tensor =>
    valueOf(logSoftmax(legalValues((networks[FITTED.behaviour] as Network).forward(obs), mask)), action);
  const { delayed: _delayed, learnsEachStep: _each, lastLayer: _last, ...rest } = evaluated;
  return {
    ...rest,
    name: fittedQName(name, fitted),
    spec: { ...spec, schema: spec.schema.extend(fields) },
    parameters: () => ({}),
    targets: { [FITTED.target]: FITTED.online },
    optimizers: {
      fqe_optimizer: { networks: [FITTED.online], lr },
      ...(imitates && { [BEHAVIOUR_OPTIMIZER]: { networks: [FITTED.behaviour], lr } }),
    },
    metrics: ["fqe_loss"],
    learn: (networks, batch, _hyperparameters, _parameters, spaces) => {
      const loss = meanAll(square(errors(networks, batch, spaces)));
      const imitation = imitates && { [BEHAVIOUR_OPTIMIZER]: neg(meanAll(likelihood(networks, batch))) };
      return { losses: { fqe_optimizer: loss, ...imitation }, metrics: { fqe_loss: loss } };
    },
    estimate: (networks, batch, spaces) => {
      const { obs, action, mask } = batch;
      const own = imitates && dataPolicy(networks[policy] as Network, obs, mask).logProb(action);
      const chosen = greedy(networks, obs, mask, spaces);
      const value = valueAt(known(networks).online, obs, chosen);
      return {
        value: add(mul(value, hyperparameter(scale)), hyperparameter(centre)),
        error: mul(errors(networks, batch, spaces), hyperparameter(scale)),
        ...(own && { ratio: exp(sub(own, likelihood(networks, batch))) }),
      };
    },
  };
}
