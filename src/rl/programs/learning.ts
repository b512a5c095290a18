/** One learning step: gradients of an algorithm's losses, clipping, Adam, targets. */
import { adam, clipByGlobalNorm, polyak, type Update } from "../../kernels/functions/optimizers.ts";
import {
  add,
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
import type {
  Algorithm,
  Batch,
  DelayedLearning,
  Learned,
  Networks,
  OffPolicyAlgorithm,
  OptimizerDefinition,
} from "../contract/algorithm.ts";
import { count, counter, hyperparameter, LEARNED } from "../contract/inputs.ts";
import { Network } from "../contract/network.ts";
import type { NetworkData } from "../networks/networkData.ts";

/** What shapes an agent's programs. */
export interface AgentStructure {
  readonly algorithm: Algorithm;
  readonly networks: Readonly<Record<string, NetworkData>>;
  readonly hyperparameters: Readonly<Record<string, number | boolean | string | null>>;
}

/** Prefixes of the symbols that hold a network's widths: a target has those of its online network. */
export function networkDims(
  { targets, sharesEncoder }: Algorithm,
  name: string,
): { dims: string; latent?: string } {
  const dims = targets[name] ?? name;
  const encoderOf = sharesEncoder[dims];
  return encoderOf === undefined ? { dims } : { dims, latent: encoderOf };
}

/** All networks, or the named ones, as they stand at this point of the program. */
export function readNetworks(
  { algorithm, networks }: AgentStructure,
  names = Object.keys(networks),
): Networks {
  return Object.fromEntries(
    names.map((name) => {
      const data = networks[name];
      if (!data)
        throw new RangeError(`agent has no network ${name}; it has ${Object.keys(networks).join(", ")}`);
      const dims = networkDims(algorithm, name);
      return [name, new Network(data, name, data.encoder === "shared" ? dims : { dims: dims.dims })];
    }),
  );
}

/** Name of the running sum of a metric over learning steps. */
export const metricName = (metric: string): string => `metric.${metric}`;
/** Learning steps, like {@link LEARNED}, that is delayed, which does not happen in every step. */
export const LEARNED_DELAYED = "learned_delayed";

const countOne = (name: string): void => {
  const counted = counter(name);
  counted.write(add(counted.read(), 1));
};

/** What the named optimiser trains: the parameters of each of its networks. */
export function trainedBy({ algorithm }: AgentStructure, networks: Networks, name: string): Parameter[][] {
  const definition = algorithm.optimizers[name];
  if (!definition) throw new TypeError(`${algorithm.name}: learn() gave a loss for "${name}", no optimizer`);
  return definition.networks.map((network) => parametersOf(networks, network));
}

/** Gradients by optimiser: for each of its networks, of each parameter (see {@link trainedBy}). */
export type Gradients = Readonly<Record<string, readonly (readonly Tensor[])[]>>;

/** Gradients of the losses. */
export const gradientsOf = (
  structure: AgentStructure,
  networks: Networks,
  losses: Learned["losses"],
): Gradients =>
  Object.fromEntries(
    Object.entries(losses).map(([name, loss]) => {
      const parts = trainedBy(structure, networks, name);
      const gradients = grad(
        loss,
        parts.flat().map((p) => p.value),
      );
      let at = 0;
      return [name, parts.map(({ length }) => gradients.slice(at, (at += length)))];
    }),
  );

/** One step of the optimisers that have gradients; what was written to each parameter. */
function stepOptimizers(
  structure: AgentStructure,
  networks: Networks,
  gradients: Gradients,
): Map<State, Tensor> {
  const stepped = new Map<State, Tensor>();
  for (const [name, byNetwork] of Object.entries(gradients)) {
    const { lr, max_grad_norm: limit } = structure.algorithm.optimizers[name] as OptimizerDefinition;
    const updates = trainedBy(structure, networks, name).flatMap((part, network): Update[] => {
      const own = byNetwork[network] as readonly Tensor[];
      const clipped =
        limit === undefined
          ? own
          : clipByGlobalNorm(own, typeof limit === "string" ? hyperparameter(limit) : limit);
      return part.map((p, i) => ({ ...p, gradient: clipped[i] as Tensor }));
    });
    const values = adam(name, updates, { lr: hyperparameter(lr) });
    updates.forEach(({ parameter }, i) => stepped.set(parameter, values[i] as Tensor));
  }
  return stepped;
}

/** Moves the targets toward their networks. `stepped`: what an optimiser just made, so that one loop does both. */
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

function sumMetrics(metrics: Learned["metrics"]): void {
  for (const [metric, value] of Object.entries(metrics)) {
    const total = state(metricName(metric));
    total.write(add(total.read(), value));
  }
}

/** Applies the gradients, moves the targets, and adds the metrics to their sums. */
export function applyGradients(
  structure: AgentStructure,
  networks: Networks,
  { gradients, metrics }: { readonly gradients: Gradients; readonly metrics: Learned["metrics"] },
): void {
  const stepped = stepOptimizers(structure, networks, gradients);
  if (!isDelayed(structure.algorithm)) moveTargets(structure, networks, stepped);
  sumMetrics(metrics);
  countOne(LEARNED);
}

/** A whole learning step: the gradients of the losses, applied. */
export const applyLearning = (
  structure: AgentStructure,
  networks: Networks,
  { losses, metrics }: Learned,
): void =>
  applyGradients(structure, networks, { gradients: gradientsOf(structure, networks, losses), metrics });

const isDelayed = (algorithm: Algorithm): boolean =>
  algorithm.kind === "off_policy" && algorithm.delayed !== undefined;

/** Learning steps until the delayed learning comes again. */
export const DELAY_LEFT = "delay.left";

/** Counts down to the delayed learning; whether its time has come, bool. */
export function delayIsOver({ every }: DelayedLearning): Tensor {
  const left = state(DELAY_LEFT, [], { dtype: "i32" });
  const after = sub(left.read(), 1);
  const isOver = lessEqual(after, 0);
  left.write(select(isOver, count(every), after));
  return isOver;
}

/** Applies the gradients of the delayed learning, moves the targets, and adds the metrics to their sums. */
export function applyDelayedGradients(
  structure: AgentStructure,
  networks: Networks,
  { gradients, metrics }: { readonly gradients: Gradients; readonly metrics: Learned["metrics"] },
): void {
  moveTargets(structure, networks, stepOptimizers(structure, networks, gradients));
  sumMetrics(metrics);
  countOne(LEARNED_DELAYED);
}

/** Counts down to the delayed learning and applies it when its time has come. */
export function applyDelayed(
  structure: AgentStructure & { readonly algorithm: OffPolicyAlgorithm },
  batch: Batch,
): void {
  const { delayed } = structure.algorithm;
  if (!delayed) return;
  scan({ count: cast(delayIsOver(delayed), "i32"), carry: [] }, () => {
    const networks = readNetworks(structure);
    const { losses, metrics } = delayed.learn(networks, batch, structure.hyperparameters);
    const gradients = gradientsOf(structure, networks, losses);
    applyDelayedGradients(structure, networks, { gradients, metrics });
    return { carry: [] };
  });
}

/** A trainable buffer, and its value as it was read. */
export type Parameter = Pick<Update, "parameter" | "value">;

function parametersOf(networks: Networks, name: string): Parameter[] {
  const network = networks[name] as Network;
  return Object.entries(network.states).map(([key, parameter]) => ({
    parameter,
    value: network.parameter(key),
  }));
}
