/** Computes the size of an agent without allocating it or drawing any weights. */
import type { AlgoSpec } from "../../manifests/index.ts";
import { type Algorithm, type Hyperparameters, withFamilies } from "../../rl/contract.ts";
import { type NetworkData, type NetworkSize, networkSize } from "../../rl/networks.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import { scalarsOf } from "./createAgent.ts";
import { type NetworkSources, networkContext } from "./networkOf.ts";
import { findAlgorithm } from "./registry.ts";

export interface MemberSize {
  readonly algorithm: Algorithm;
  readonly hyperparameters: Hyperparameters;
  readonly data: Readonly<Record<string, NetworkData>>;
  readonly sizes: Readonly<Record<string, NetworkSize>>;
  /** Number of weights in its networks, including target networks, and in the algorithm's own parameters. */
  readonly weights: number;
  /** Number of weights that optimisers train. */
  readonly trained: number;
  /** Bytes of weights and moments. */
  readonly bytes: number;
  /** Bytes of weights and moments, plus the overhead of arrays and objects. */
  readonly held_bytes: number;
}

const WORD = 4;
/** Bytes of overhead per array and per member. */
const ARRAY_BYTES = 250;
const MEMBER_BYTES = 4_000;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** @throws SpecError when the algorithm cannot act in the spaces, or the networks do not fit them. */
export function memberSize(spec: AlgoSpec, spaces: AgentSpaces, sources: NetworkSources): MemberSize {
  const definition = findAlgorithm(spec.name);
  const hyperparameters = scalarsOf(spec);
  const context = networkContext(spec, spaces, sources, hyperparameters);
  const data = definition.networks(context);
  const algorithm = withFamilies(definition, Object.keys(data));
  const own = Object.values(algorithm.parameters(context)).map(({ shape }) =>
    shape.reduce((n, dim) => n * dim, 1),
  );
  const sizes = Object.fromEntries(Object.entries(data).map(([name, own]) => [name, networkSize(own)]));
  const weightsIn = (names: readonly string[]) => sum(names.map((name) => sizes[name]?.weights ?? 0));
  const weights = weightsIn(Object.keys(sizes)) + sum(own);
  const trained =
    sum(Object.values(algorithm.optimizers).map(({ networks }) => weightsIn(networks))) + sum(own);
  const bytes = WORD * (weights + 2 * trained);
  const arrays = 3 * (sum(Object.values(sizes).map(({ tensors }) => tensors)) + own.length);
  const held_bytes = bytes + arrays * ARRAY_BYTES + MEMBER_BYTES;
  return { algorithm, hyperparameters, data, sizes, weights, trained, bytes, held_bytes };
}
