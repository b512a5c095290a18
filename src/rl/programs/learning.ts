/** One learning step: gradients of the losses, clipping, Adam, target updates. */
import { adam, clipByGlobalNorm, globalNorm, polyak, type Update } from "../../kernels/functions.ts";
import {
  cast,
  grad,
  lessEqual,
  type State,
  scan,
  select,
  state,
  sub,
  type Tensor,
} from "../../kernels/index.ts";
import {
  type Learned,
  type OptimizerDefinition,
  type ParameterValues,
  parameterName,
} from "../contract/definition.ts";
import { countHyperparameter, hyperparameter, LEARNED } from "../contract/inputs.ts";
import { Network, type Networks } from "../contract/network.ts";
import type { Batch, DelayedLearning, OffPolicyAlgorithm } from "../contract/offPolicy.ts";
import type { Algorithm } from "../contract/onPolicy.ts";
import type { NetworkData } from "../networks/networkData.ts";
import type { AgentSpaces } from "../spaces.ts";
import { jointNorm, LEARNED_DELAYED, type MetricCounter, sampleMetric, sumMetrics } from "./metrics.ts";
import type { Normalization } from "./normalization.ts";

/** The properties of an agent that determine its programs. */
export interface AgentStructure {
  readonly algorithm: Algorithm;
  readonly networks: Readonly<Record<string, NetworkData>>;
  /** Shapes of the algorithm's own parameters, by name. */
  readonly parameters: Readonly<Record<string, readonly number[]>>;
  readonly hyperparameters: Readonly<Record<string, number | boolean | string | null>>;
  /** How it scales observations and rewards; absent for an agent that takes both as they are. */
  readonly normalization?: Normalization;
}

/**
 * Prefixes of the symbols that hold a network's widths: a target network uses those of its online network.
 */
export function networkDims(
  { targets, sharesEncoder }: Algorithm,
  name: string,
): { dims: string; latent?: string } {
  const dims = targets[name] ?? name;
  const encoderOf = sharesEncoder[dims];
  return encoderOf === undefined ? { dims } : { dims, latent: encoderOf };
}

/**
 * All networks, or the named ones, with their values at this point of the program.
 * @param prefix Begins the names of their buffers, and of the symbols of their widths (default: none).
 */
export function readNetworks(
  { algorithm, networks }: AgentStructure,
  names: readonly string[] = Object.keys(networks),
  prefix = "",
): Networks {
  return Object.fromEntries(
    names.map((name) => {
      const data = networks[name];
      if (!data)
        throw new RangeError(`agent has no network ${name}; it has ${Object.keys(networks).join(", ")}`);
      const { dims, latent } = networkDims(algorithm, name);
      const widths = {
        dims: `${prefix}${dims}`,
        ...(data.encoder === "shared" && latent !== undefined && { latent: `${prefix}${latent}` }),
      };
      return [name, new Network(data, `${prefix}${name}`, widths)];
    }),
  );
}

/** A trainable buffer and the value read from it. */
export type Parameter = Pick<Update, "parameter" | "value">;

/** Everything that learning changes, with its values at one point of the program. */
export interface Learner {
  readonly networks: Networks;
  /** The algorithm's own parameters, by name. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Values of `parameters`, by name. */
  readonly values: ParameterValues;
}

/** All networks and parameters, with their values at this point of the program. */
export function readLearner(structure: AgentStructure): Learner {
  const networks = readNetworks(structure);
  const parameters = Object.fromEntries(
    Object.entries(structure.parameters).map(([name, shape]): [string, Parameter] => {
      const parameter = state(parameterName(name), shape);
      return [name, { parameter, value: parameter.read() }];
    }),
  );
  const values = Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value]));
  return { networks, parameters, values };
}

/**
 * The parameters that the named optimiser trains: one list per network, then one list of the algorithm's own.
 */
export function trainedBy({ algorithm }: AgentStructure, learner: Learner, name: string): Parameter[][] {
  const definition = algorithm.optimizers[name];
  if (!definition) throw new TypeError(`${algorithm.name}: learn() gave a loss for "${name}", no optimizer`);
  const { networks, parameters: own = [] } = definition;
  const inNetworks = networks.map((network) => parametersOf(learner.networks, network));
  return own.length === 0
    ? inNetworks
    : [...inNetworks, own.map((key) => learner.parameters[key] as Parameter)];
}

/**
 * Gradients by optimiser, in the order of {@link trainedBy}: a list per part, with a gradient per parameter.
 */
export type Gradients = Readonly<Record<string, readonly (readonly Tensor[])[]>>;

/** Gradients of the losses. */
export const gradientsOf = (
  structure: AgentStructure,
  learner: Learner,
  losses: Learned["losses"],
): Gradients =>
  Object.fromEntries(
    Object.entries(losses).map(([name, loss]) => {
      const parts = trainedBy(structure, learner, name);
      const gradients = grad(
        loss,
        parts.flat().map((p) => p.value),
      );
      let at = 0;
      return [name, parts.map(({ length }) => gradients.slice(at, (at += length)))];
    }),
  );

/** The results of an optimiser step. */
interface Stepped {
  /** The value written to each parameter. */
  readonly values: ReadonlyMap<State, Tensor>;
  /** Norms of gradients before clipping, by metric. */
  readonly norms: Readonly<Record<string, Tensor>>;
  /** Gradients whose norm was not needed for clipping, by metric. */
  readonly unmeasured: Readonly<Record<string, readonly Tensor[]>>;
}

/** Steps the optimisers that have gradients. */
function stepOptimizers(structure: AgentStructure, learner: Learner, gradients: Gradients): Stepped {
  const stepped = new Map<State, Tensor>();
  const norms: Record<string, Tensor[]> = {};
  const unmeasured: Record<string, Tensor[]> = {};
  for (const [name, byPart] of Object.entries(gradients)) {
    const definition = structure.algorithm.optimizers[name] as OptimizerDefinition;
    const { lr, weight_decay, max_grad_norm: limit, grad_norm } = definition;
    const told = <T>(by: Record<string, T[]>, values: readonly T[]) => {
      if (grad_norm !== undefined) by[grad_norm] = [...(by[grad_norm] ?? []), ...values];
    };
    const updates = trainedBy(structure, learner, name).flatMap((part, place): Update[] => {
      const own = byPart[place] as readonly Tensor[];
      if (limit === undefined) {
        told(unmeasured, own);
        return part.map((p, i) => ({ ...p, gradient: own[i] as Tensor }));
      }
      const norm = globalNorm(own);
      told(norms, [norm]);
      const clipped = clipByGlobalNorm(own, typeof limit === "string" ? hyperparameter(limit) : limit, norm);
      return part.map((p, i) => ({ ...p, gradient: clipped[i] as Tensor }));
    });
    const values = adam(name, updates, {
      lr: hyperparameter(lr),
      ...(weight_decay !== undefined && { weightDecay: hyperparameter(weight_decay) }),
    });
    updates.forEach(({ parameter }, i) => stepped.set(parameter, values[i] as Tensor));
  }
  const joint = Object.entries(norms).map(([metric, all]) => [metric, jointNorm(all)]);
  return { values: stepped, norms: Object.fromEntries(joint), unmeasured };
}

/**
 * Moves the target networks toward their online networks. `stepped`: values that an optimiser just wrote;
 * using them lets one loop do both.
 */
function moveTargets(
  { algorithm }: AgentStructure,
  networks: Networks,
  stepped: ReadonlyMap<State, Tensor>,
): void {
  for (const [target, online] of Object.entries(algorithm.targets)) {
    const pairs = Object.entries((networks[target] as Network).states).map(([key, s]) => {
      const source = (networks[online] as Network).states[key] as State;
      return { target: s, online: stepped.get(source) ?? source.read() };
    });
    polyak(pairs, hyperparameter("tau"));
  }
}

/** The gradients and metrics of a learning step. */
interface Step {
  readonly gradients: Gradients;
  readonly metrics: Learned["metrics"];
}

/** Applies the gradients, moves the targets, and adds the metrics to their sums. */
export const applyGradients = (structure: AgentStructure, learner: Learner, step: Step): void =>
  applyStep(structure, learner, step, { movesTargets: !isDelayed(structure.algorithm), counted: LEARNED });

function applyStep(
  structure: AgentStructure,
  learner: Learner,
  { gradients, metrics }: Step,
  { movesTargets, counted }: { readonly movesTargets: boolean; readonly counted: MetricCounter },
): void {
  const { values, norms, unmeasured } = stepOptimizers(structure, learner, gradients);
  if (movesTargets) moveTargets(structure, learner.networks, values);
  for (const [metric, all] of Object.entries(unmeasured))
    sampleMetric(metric, () => globalNorm(all), counted);
  sumMetrics({ ...metrics, ...norms }, counted);
}

/** A whole learning step: computes the gradients of the losses and applies them. */
export const applyLearning = (
  structure: AgentStructure,
  learner: Learner,
  { losses, metrics }: Learned,
): void =>
  applyGradients(structure, learner, { gradients: gradientsOf(structure, learner, losses), metrics });

const isDelayed = (algorithm: Algorithm): boolean =>
  algorithm.kind === "off_policy" && algorithm.delayed !== undefined;

/** Learning steps left until the next delayed learning step. */
export const DELAY_LEFT = "delay.left";

/** Counts down to the next delayed learning step. Returns whether it is due, bool. */
export function delayIsOver({ every }: DelayedLearning): Tensor {
  const left = state(DELAY_LEFT, [], { dtype: "i32" });
  const after = sub(left.read(), 1);
  const isOver = lessEqual(after, 0);
  left.write(select(isOver, countHyperparameter(every), after));
  return isOver;
}

/**
 * Applies the gradients of a delayed learning step, moves the target networks, and adds the metrics to their
 * sums.
 */
export const applyDelayedGradients = (structure: AgentStructure, learner: Learner, step: Step): void =>
  applyStep(structure, learner, step, { movesTargets: true, counted: LEARNED_DELAYED });

/** Counts down to the next delayed learning step, and runs it when it is due. */
export function applyDelayed(
  structure: AgentStructure & { readonly algorithm: OffPolicyAlgorithm },
  layout: AgentSpaces,
  batch: Batch,
): void {
  const { delayed } = structure.algorithm;
  if (!delayed) return;
  scan({ count: cast(delayIsOver(delayed), "i32"), carry: [] }, () => {
    const learner = readLearner(structure);
    const { networks, values } = learner;
    const { losses, metrics } = delayed.learn(networks, batch, structure.hyperparameters, values, layout);
    const gradients = gradientsOf(structure, learner, losses);
    applyDelayedGradients(structure, learner, { gradients, metrics });
    return { carry: [] };
  });
}

function parametersOf(networks: Networks, name: string): Parameter[] {
  const network = networks[name] as Network;
  return Object.entries(network.states).map(([key, parameter]) => ({
    parameter,
    value: network.parameter(key),
  }));
}
