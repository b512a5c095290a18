/**
 * Code shared by NeuralUCB and NeuralTS: a network f that estimates the value of each arm from its context,
 * and a matrix S that measures the uncertainty about the inputs of its last layer.
 *
 * The context of an arm is a vector of zeros, with the observed features at the arm's place (Zhou et al.
 * 2020, section 7). The gradient features g of a context are those of the last layer alone: its inputs and 1,
 * divided by the square root of their number.
 */

import type { z } from "zod";
import { mulDims } from "../../kernels/functions.ts";
import {
  add,
  argmax,
  cast,
  concat,
  type Dim,
  dimValue,
  div,
  equal,
  iota,
  matmul,
  maximum,
  meanAll,
  mul,
  ones,
  reshape,
  sqrt,
  square,
  state,
  sub,
  sum,
  sumAll,
  type Tensor,
  transpose,
} from "../../kernels/index.ts";
import { type AlgorithmDefinition, learningRate } from "../../specs/algorithms.ts";
import { atLeast, field, hpoRangeOf, integer, SpecError } from "../../specs/checks.ts";
import { legalValues } from "../contract/choices.ts";
import { type LastLayer, parameterName } from "../contract/definition.ts";
import { hyperparameter } from "../contract/inputs.ts";
import type { Network, Networks } from "../contract/network.ts";
import { defineOffPolicy, type Exploration } from "../contract/offPolicy.ts";
import { lastInputs } from "../modules/all.ts";
import { qNetwork } from "../networks/index.ts";
import { SingleAgentAlgorithmSpec } from "../sections/agentSpecs.ts";
import { type AgentSpaces, Box, Discrete, describeSpace } from "../spaces.ts";

/** Fields of neural bandits. */
export const banditShape = (lr: number) => ({
  ...SingleAgentAlgorithmSpec.shape,
  gamma: field(atLeast(0).default(1), "Weight of exploration."),
  lamb: field(atLeast(0).default(1), "Regularisation of the confidence bound's matrix."),
  reg: field(atLeast(0).default(0.000625), "Strength of regularisation towards the initial weights.", {
    step: "log",
  }),
  learn_step: field(integer(1).default(2), "Learning steps for each step of the bandit.", {
    unit: "steps",
    hpo: hpoRangeOf(1, 10, 1.5, 0.75),
  }),
  lr: learningRate(lr, "Learning rate of Adam."),
});

/** Reads a hyperparameter in a program. */
const read = hyperparameter<Exclude<keyof ReturnType<typeof banditShape>, "net_config" | "normalize_images">>;

/** What the specs know of neural bandits. */
export const BANDIT_FACTS = { bandit: true, env_types: ["bandit"], evo_steps: 500 } as const;

const HEAD = "head_net.";
const OUTPUT = { weight: `${HEAD}output.weight`, bias: `${HEAD}output.bias` } as const;
/** S [m, m], and the initial weights and bias of the last layer [m]. */
const NAMES = { confidence: "confidence", anchor: "anchor" } as const;

/**
 * Spaces of the network: it reads the context of one arm and outputs the arm's value.
 * @throws SpecError when observations are not vectors, or actions are not Discrete.
 */
function networkSpaces({ observation_space, action_space }: AgentSpaces): AgentSpaces {
  if (
    observation_space.kind !== "Box" ||
    observation_space.shape.length !== 1 ||
    action_space.kind !== "Discrete"
  )
    throw new SpecError([
      {
        code: "rule",
        path: "environment",
        segments: ["environment"],
        message: `a bandit observes a row of numbers and chooses one arm; found observations ${describeSpace(observation_space)}, actions ${describeSpace(action_space)}`,
      },
    ]);
  const size = observation_space.low.length * action_space.n;
  const context = new Box({ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, shape: [size] });
  return { observation_space: context, action_space: new Discrete(1) };
}

/** One-hot arms: all arms in order, [1, arms, arms], or the chosen ones (i32 [n]), [n, 1, arms]. */
const everyArm = (arms: number): Tensor =>
  cast(equal(reshape(iota(arms), [1, arms, 1]), reshape(iota(arms), [1, 1, arms])), "f32");
const chosenArms = (action: Tensor, arms: number): Tensor =>
  cast(equal(reshape(action, [action.shape[0] as Dim, 1, 1]), reshape(iota(arms), [1, 1, arms])), "f32");

/** Contexts of arms, from features [n, d]: zeros with the features at the arm's place, [n * k, arms * d]. */
function contextsOf(obs: Tensor, arms: Tensor): Tensor {
  const [n, d] = obs.shape as [Dim, number];
  const [, k, count] = arms.shape as [Dim, number, number];
  const placed = mul(reshape(arms, [...arms.shape, 1]), reshape(obs, [n, 1, 1, d]));
  return reshape(placed, [mulDims(n, k), count * d]);
}

const armsIn = ({ action_space }: AgentSpaces): number => (action_space as Discrete).n;

/** Values of all arms, [n, arms]. */
function armValues({ actor }: Networks<"actor">, obs: Tensor, spaces: AgentSpaces): Tensor {
  const arms = armsIn(spaces);
  return reshape(actor.forward(contextsOf(obs, everyArm(arms))), [obs.shape[0] as Dim, arms]);
}

/** Values of contexts [rows], and their gradient features [rows, m]. */
function valued(actor: Network, contexts: Tensor): { readonly value: Tensor; readonly g: Tensor } {
  const { head } = actor.data;
  if (head.kind !== "mlp") throw new TypeError(`bandit: found a head of kind ${head.kind}, allowed mlp`);
  const latent = actor.encode(contexts);
  const [rows] = contexts.shape as [Dim];
  const inputs = lastInputs(head, HEAD, actor.parameters, latent);
  const features = concat([inputs, ones([rows, 1])]);
  return {
    value: reshape(actor.head(latent), [rows]),
    g: div(features, sqrt(dimValue(features.shape[1] as Dim))),
  };
}

const confidence = (m: Dim) => state(parameterName(NAMES.confidence), [m, m]);

/** Chooses an arm by value and uncertainty, and updates S for the chosen arm (Sherman and Morrison 1950). */
function choose(
  { actor }: Networks<"actor">,
  obs: Tensor,
  { mask, spaces, draws }: Exploration,
  scoreOf: BanditScore,
): Tensor {
  const arms = armsIn(spaces);
  const n = obs.shape[0] as Dim;
  const { value, g } = valued(actor, contextsOf(obs, everyArm(arms)));
  const known = confidence(g.shape[1] as Dim);
  const S = known.read();
  const spread = mul(read("gamma"), sqrt(maximum(sum(mul(matmul(g, S), g)), 0)));
  const score = scoreOf({ value: reshape(value, [n, arms]), spread: reshape(spread, [n, arms]), draws });
  const action = argmax(legalValues(score, mask));
  // The update is for one row, because a bandit has one lane.
  const chosen = reshape(chosenArms(action, arms), [1, mulDims(n, arms)]);
  const direction = matmul(chosen, g);
  const u = matmul(direction, S);
  known.write(sub(S, div(matmul(transpose(u), u), add(1, sumAll(mul(u, direction))))));
  return action;
}

/** A score for each arm, [n, arms]. */
export type BanditScore = (arm: {
  readonly value: Tensor;
  /** gamma sqrt(g S g). */
  readonly spread: Tensor;
  readonly draws: Exploration["draws"];
}) => Tensor;

/** Initial values: S is lamb times the identity, and the anchor is the last layer's current weights. */
const lastLayer: LastLayer = {
  names: Object.values(NAMES),
  fresh: ({ tensors }, { lamb }) => {
    const weights = [OUTPUT.weight, OUTPUT.bias].flatMap((name) => [...(tensors[name] ?? [])]);
    const m = weights.length;
    const values = new Float32Array(m * m);
    for (let i = 0; i < m; i++) values[i * (m + 1)] = Number(lamb);
    return {
      [NAMES.confidence]: { shape: [m, m], values },
      [NAMES.anchor]: { shape: [m], values: Float32Array.from(weights) },
    };
  },
};

/** The spec of a neural bandit. */
type BanditSpec = AlgorithmDefinition<
  z.ZodObject<ReturnType<typeof banditShape> & { readonly name: z.ZodType<string, string | undefined> }>
>;

/** Defines a neural bandit that scores arms with `scoreOf`. */
export const neuralBandit = <const S extends BanditSpec>(spec: S, scoreOf: BanditScore) =>
  defineOffPolicy({
    spec: spec as BanditSpec & { readonly name: S["name"] },
    actions: ["Discrete"],
    networks: ({ observation_space, action_space, network }) => {
      const { observation_space: context } = networkSpaces({ observation_space, action_space });
      return { actor: qNetwork(context, 1, network) };
    },
    targets: {},
    sharesEncoder: {},
    policy: "actor",
    optimizers: { optimizer: { networks: ["actor"], lr: "lr", grad_norm: "grad_norm" } },
    metrics: ["loss"],
    activationMutation: true,
    structural: ["normalize_images"],
    counts: ["learn_step"],
    lastLayer,
    networkSpaces,
    learnsEachStep: true,
    act: ({ actor }, obs, explore) => choose({ actor }, obs, explore, scoreOf),
    greedy: ({ actor }, obs, mask, spaces) => argmax(legalValues(armValues({ actor }, obs, spaces), mask)),
    learn: ({ actor }, { obs, action, reward }, _hyperparameters, _parameters, spaces) => {
      const contexts = contextsOf(obs, chosenArms(action, armsIn(spaces)));
      const value = reshape(actor.forward(contexts), [obs.shape[0] as Dim]);
      const weights = [OUTPUT.weight, OUTPUT.bias].map((key) => {
        const weight = actor.parameters[key] as Tensor;
        return reshape(weight, [weight.shape[0] as Dim]);
      });
      const last = concat(weights);
      const anchor = state(parameterName(NAMES.anchor), last.shape).read();
      const pull = sumAll(square(sub(last, anchor)));
      // Equation 4.1 of Zhou et al. 2020, with the regularisation on the last layer alone.
      const loss = add(meanAll(square(sub(value, reward))), mul(read("reg"), pull));
      return { losses: { optimizer: loss }, metrics: { loss } };
    },
    result: ({ metrics }) => metrics.loss as number,
  });
