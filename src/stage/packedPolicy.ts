/**
 * A policy as bytes for a link: the length of the header (u32, little-endian), the header as JSON, and the
 * weights of the acting networks as half floats (little-endian). Networks are in the header's order, and
 * their tensors in the order of `networkTensors`. The policy can play but not learn. It names its environment
 * and contains no code.
 *
 * Policies of recorded runs are smaller: each tensor is the size of a step (f32) and its weights as multiples of it (i8).
 * Means and variances of observations follow as half floats.
 */
import { z } from "zod";
import { type AgentState, algorithmOf, type RunningStatistics } from "../agents/members.ts";
import { tensorSize } from "../evolution/index.ts";
import { dottedPath } from "../manifests/index.ts";
import type { EnvironmentOptions } from "../rl/faces.ts";
import { type NetworkState, networkTensors } from "../rl/networks.ts";
import { fromHalfFloats, toHalfFloats } from "../storage/files.ts";
import { agentMetadata, numberToJson } from "../training/files.ts";
import { joined, parted } from "./joined.ts";

/** The contents of a policy link. */
export interface PackedPolicy {
  readonly agent: AgentState;
  /** Id of the environment that it plays in, and the environment's other options. */
  readonly environment: string;
  readonly env_config: EnvironmentOptions | null;
  readonly generation: number;
  readonly fitness: number | null;
}

/** Of weights as half floats, and of quantised weights. */
const [VERSION, QUANTISED] = [1, 2] as const;

const { algorithm, index, hyperparameters, networks, normalization } = agentMetadata.shape;

/** Running statistics of the normalised numbers of an observation. */
const Statistics = z
  .strictObject({
    count: z.array(z.number().nonnegative()),
    mean: z.array(z.number()),
    variance: z.array(z.number().nonnegative()),
  })
  .refine(({ count, mean, variance }) => count.length === mean.length && mean.length === variance.length, {
    message: "its lists must have equal lengths",
  });
const Header = z.strictObject({
  version: z.union([z.literal(VERSION), z.literal(QUANTISED)]),
  environment: z.string().min(1).max(200),
  env_config: z.record(z.string(), z.json()).nullable(),
  generation: z.int().nonnegative(),
  fitness: z.number().nullable(),
  algorithm,
  index,
  hyperparameters,
  networks,
  /** Absent if the policy takes observations as they are. */
  normalization,
  /** Absent from quantised policies, whose `observed` numbers follow the weights. */
  observations: Statistics.optional(),
  observed: z.int().positive().optional(),
});

const asJson = <T>(value: T) => (typeof value === "number" ? numberToJson(value) : value);

/** Nine digits are enough to tell any two 32-bit floats apart. */
const digits = (values: Float32Array): number[] => Array.from(values, (x) => Number(x.toPrecision(9)));

const listed = (all: RunningStatistics | undefined): z.input<typeof Statistics> | undefined =>
  all && { count: digits(all.count), mean: digits(all.mean), variance: digits(all.variance) };

const floats = ({ count, mean, variance }: z.output<typeof Statistics>): RunningStatistics => ({
  count: Float32Array.from(count),
  mean: Float32Array.from(mean),
  variance: Float32Array.from(variance),
});

/** The acting networks of an agent. */
function actingNetworks(agent: AgentState): [string, NetworkState][] {
  return algorithmOf(agent).policies.map((name) => {
    const network = agent.networks[name];
    if (!network) throw new TypeError(`agent: network "${name}" is missing`);
    return [name, network];
  });
}

const tensorsOf = ([, { data, tensors }]: readonly [string, NetworkState]): Float32Array[] =>
  networkTensors(data).map(({ name }) => tensors[name] ?? new Float32Array());

function headerOf({ agent, ...place }: PackedPolicy): z.input<typeof Header> {
  return {
    version: VERSION,
    ...place,
    env_config: place.env_config && z.record(z.string(), z.json()).parse(place.env_config),
    algorithm: agent.algorithm,
    index: agent.index,
    hyperparameters: Object.fromEntries(
      Object.entries(agent.hyperparameters).map(([name, value]) => [name, asJson(value)]),
    ),
    networks: Object.fromEntries(actingNetworks(agent).map(([name, { data }]) => [name, data])),
    ...(agent.normalization && {
      normalization: { ...agent.normalization.settings, rewards: false, reward_clip: null },
    }),
  };
}

function halfFloatBytes(parts: readonly Float32Array[]): Uint8Array {
  const bytes = new Uint8Array(2 * parts.reduce((sum, { length }) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  for (const [at, half] of parts.flatMap((values) => [...toHalfFloats(values)]).entries())
    view.setUint16(2 * at, half, true);
  return bytes;
}

/** Encodes a policy for {@link unpackPolicy}; the weights are rounded to half floats. */
export function packPolicy(policy: PackedPolicy): Uint8Array<ArrayBuffer> {
  const { agent } = policy;
  const observations = listed(agent.normalization?.observations);
  const header = { ...headerOf(policy), ...(observations && { observations }) };
  return joined(JSON.stringify(header), halfFloatBytes(actingNetworks(agent).flatMap(tensorsOf)));
}

/**
 * Encodes a policy as {@link joined} takes it, with weights rounded to at most `2 * levels + 1` values in each tensor.
 * @param levels 1 to 127
 */
export function quantisePolicy(
  policy: PackedPolicy,
  levels: number,
): { readonly header: string; readonly body: Uint8Array } {
  const { agent } = policy;
  const tensors = actingNetworks(agent).flatMap(tensorsOf);
  const { mean, variance } = agent.normalization?.observations ?? {};
  const seen = mean && variance ? halfFloatBytes([mean, variance]) : new Uint8Array();
  const body = new Uint8Array(tensors.reduce((sum, { length }) => sum + 4 + length, seen.length));
  const view = new DataView(body.buffer);
  let at = 0;
  for (const values of tensors) {
    const step = values.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / levels;
    view.setFloat32(at, step, true);
    for (const [i, x] of values.entries()) view.setInt8(at + 4 + i, step === 0 ? 0 : Math.round(x / step));
    at += 4 + values.length;
  }
  body.set(seen, at);
  const observed = mean ? { observed: mean.length } : {};
  return { header: JSON.stringify({ ...headerOf(policy), version: QUANTISED, ...observed }), body };
}

/** What follows a header: the weights, and what was observed if that is not in the header. */
interface Body {
  readonly weights: Float32Array;
  readonly observations: RunningStatistics | undefined;
}

/** @param sizes Lengths of all tensors. @throws Error whose message is a clause with the reason. */
function bodyOf(header: z.output<typeof Header>, body: Uint8Array, sizes: readonly number[]): Body {
  const halves = (from: number, length: number): Float32Array => {
    const view = new DataView(body.buffer, body.byteOffset + from, 2 * length);
    return fromHalfFloats(Uint16Array.from({ length }, (_, i) => view.getUint16(2 * i, true)));
  };
  const needed = sizes.reduce((sum, size) => sum + size, 0);
  if (header.version === VERSION) {
    const found = body.length / 2;
    if (!Number.isInteger(found)) throw new Error("it is incomplete");
    if (needed !== found) throw new Error(`it has ${found} weights, and its networks have ${needed}`);
    return { weights: halves(0, needed), observations: header.observations && floats(header.observations) };
  }
  const { observed = 0 } = header;
  const coded = needed + 4 * sizes.length;
  if (body.length !== coded + 4 * observed)
    throw new Error(`it has ${body.length} bytes after its header, and needs ${coded + 4 * observed}`);
  const view = new DataView(body.buffer, body.byteOffset, coded);
  const weights = new Float32Array(needed);
  let [at, next] = [0, 0];
  for (const size of sizes) {
    const step = view.getFloat32(at, true);
    for (let i = 0; i < size; i++) weights[next++] = step * view.getInt8(at + 4 + i);
    at += 4 + size;
  }
  if (observed === 0) return { weights, observations: undefined };
  return {
    weights,
    observations: {
      count: new Float32Array(observed).fill(1),
      mean: halves(coded, observed),
      variance: halves(coded + 2 * observed, observed),
    },
  };
}

/**
 * Reads a policy from a link or a recorded run.
 * @throws Error whose message is a clause with the reason, for bytes that are not a policy.
 */
export function unpackPolicy(bytes: Uint8Array): PackedPolicy {
  const { header, body } = parts(bytes);
  const specs = Object.entries(header.networks).map(([name, data]) => ({
    name,
    data,
    tensors: networkTensors(data),
  }));
  const { weights, observations } = bodyOf(
    header,
    body,
    specs.flatMap(({ tensors }) => tensors.map(tensorSize)),
  );
  let at = 0;
  const take = (size: number): Float32Array => {
    at += size;
    return weights.subarray(at - size, at);
  };
  const states = specs.map(({ name, data, tensors }): [string, NetworkState] => [
    name,
    { data, tensors: Object.fromEntries(tensors.map((spec) => [spec.name, take(tensorSize(spec)).slice()])) },
  ]);
  const numbers = [weights, ...(observations ? [observations.mean, observations.variance] : [])];
  if (!numbers.every((values) => values.every(Number.isFinite)))
    throw new Error("it has weights that are not finite numbers");
  const { environment, env_config, generation, fitness, ...own } = header;
  const agent: AgentState = {
    algorithm: own.algorithm,
    index: own.index,
    parent: null,
    hyperparameters: own.hyperparameters,
    networks: Object.fromEntries(states),
    optimizers: {},
    ...(own.normalization && {
      normalization: {
        settings: own.normalization,
        ...(observations && { observations }),
      },
    }),
    fitness: fitness === null ? [] : [fitness],
    steps: 0,
    learn_credit: 0,
    mut: "None",
  };
  requirePolicies(agent);
  return { agent, environment, env_config, generation, fitness };
}

function parts(bytes: Uint8Array): { header: z.output<typeof Header>; body: Uint8Array } {
  const whole = parted(bytes);
  let json: unknown;
  try {
    json = JSON.parse(whole.header());
  } catch {
    throw new Error("it is damaged");
  }
  const parsed = Header.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${dottedPath(issue?.path.map(String) ?? [])}: ${issue?.message}`);
  }
  return { header: parsed.data, body: whole.body };
}

/** @throws Error for an algorithm that this build lacks, and if the networks are not its acting networks. */
function requirePolicies(agent: AgentState): void {
  const { policies } = algorithmOf(agent);
  const found = Object.keys(agent.networks);
  if (
    policies.length === 0 ||
    found.length !== policies.length ||
    !policies.every((name) => found.includes(name))
  )
    throw new Error(
      `it has networks ${found.join(", ") || "none"}, and ${agent.algorithm} acts with ${policies.join(", ") || "others"}`,
    );
}
