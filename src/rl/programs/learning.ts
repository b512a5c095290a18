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
import type { Algorithm, Batch, Learned, Networks, OffPolicyAlgorithm } from "../algorithms/algorithm.ts";
import type { NetworkData } from "../networks/networkData.ts";
import { count, counter, hyperparameter, LEARNED } from "./inputs.ts";
import { Network } from "./network.ts";

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

/** One step of the optimisers that have a loss; what was written to each parameter. */
function stepOptimizers(
  { algorithm }: AgentStructure,
  networks: Networks,
  losses: Learned["losses"],
): Map<State, Tensor> {
  const stepped = new Map<State, Tensor>();
  for (const [name, loss] of Object.entries(losses)) {
    const definition = algorithm.optimizers[name];
    if (!definition)
      throw new TypeError(`${algorithm.name}: learn() gave a loss for "${name}", no optimizer`);
    const updates: Update[] = [];
    const parts = definition.networks.map((network) => parametersOf(networks, network));
    const gradients = grad(
      loss,
      parts.flat().map((p) => p.value),
    );
    let at = 0;
    for (const part of parts) {
      const own = gradients.slice(at, at + part.length);
      at += part.length;
      const limit = definition.max_grad_norm;
      const clipped =
        limit === undefined
          ? own
          : clipByGlobalNorm(own, typeof limit === "string" ? hyperparameter(limit) : limit);
      part.forEach((p, i) => updates.push({ ...p, gradient: clipped[i] as Tensor }));
    }
    const values = adam(name, updates, { lr: hyperparameter(definition.lr) });
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

/** Applies the gradients of the losses, moves the targets, and adds the metrics to their sums. */
export function applyLearning(structure: AgentStructure, networks: Networks, learned: Learned): void {
  const { algorithm } = structure;
  const stepped = stepOptimizers(structure, networks, learned.losses);
  if (!isDelayed(algorithm)) moveTargets(structure, networks, stepped);
  sumMetrics(learned.metrics);
  countOne(LEARNED);
}

const isDelayed = (algorithm: Algorithm): boolean =>
  algorithm.kind === "off_policy" && algorithm.delayed !== undefined;

/** Learning steps until the delayed learning comes again. */
export const DELAY_LEFT = "delay.left";

/** Counts down to the delayed learning and applies it when its time has come. */
export function applyDelayed(
  structure: AgentStructure & { readonly algorithm: OffPolicyAlgorithm },
  batch: Batch,
): void {
  const { delayed } = structure.algorithm;
  if (!delayed) return;
  const left = state(DELAY_LEFT, [], { dtype: "i32" });
  const after = sub(left.read(), 1);
  const isDue = lessEqual(after, 0);
  left.write(select(isDue, count(delayed.every), after));
  scan({ count: cast(isDue, "i32"), carry: [] }, () => {
    const networks = readNetworks(structure);
    const learned = delayed.learn(networks, batch, structure.hyperparameters);
    moveTargets(structure, networks, stepOptimizers(structure, networks, learned.losses));
    sumMetrics(learned.metrics);
    countOne(LEARNED_DELAYED);
    return { carry: [] };
  });
}

function parametersOf(networks: Networks, name: string) {
  const network = networks[name] as Network;
  return Object.entries(network.states).map(([key, parameter]) => ({
    parameter,
    value: network.parameter(key),
  }));
}
