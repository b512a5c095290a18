/**
 * A policy as bytes for a link: the length of the header (u32, little-endian), the header as JSON, and the
 * weights of the acting networks as half floats (little-endian). Networks are in the header's order, and
 * their tensors in the order of `networkTensors`. The policy can play but not learn. It names its environment
 * and contains no code.
 */
import { z } from "zod";
import { type AgentState, algorithmOf, type RunningStatistics } from "../agents/members.ts";
import { tensorSize } from "../evolution/index.ts";
import { dottedPath } from "../manifests/index.ts";
import type { EnvironmentOptions } from "../rl/faces.ts";
import { type NetworkState, networkTensors } from "../rl/networks.ts";
import { fromHalfFloats, toHalfFloats } from "../storage/files.ts";
import { agentMetadata, numberToJson } from "../training/files.ts";

/** The contents of a policy link. */
export interface PackedPolicy {
  readonly agent: AgentState;
  /** Id of the environment that it plays in, and the environment's other options. */
  readonly environment: string;
  readonly env_config: EnvironmentOptions | null;
  readonly generation: number;
  readonly fitness: number | null;
}

const VERSION = 1;
const LENGTH_BYTES = 4;

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
  version: z.literal(VERSION),
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
  observations: Statistics.optional(),
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

/** Encodes a policy for {@link unpackPolicy}; the weights are rounded to half floats. */
export function packPolicy({ agent, ...place }: PackedPolicy): Uint8Array<ArrayBuffer> {
  const acting = algorithmOf(agent).policies.map((name): [string, NetworkState] => {
    const network = agent.networks[name];
    if (!network) throw new TypeError(`agent: network "${name}" is missing`);
    return [name, network];
  });
  const header: z.input<typeof Header> = {
    version: VERSION,
    ...place,
    env_config: place.env_config && z.record(z.string(), z.json()).parse(place.env_config),
    algorithm: agent.algorithm,
    index: agent.index,
    hyperparameters: Object.fromEntries(
      Object.entries(agent.hyperparameters).map(([name, value]) => [name, asJson(value)]),
    ),
    networks: Object.fromEntries(acting.map(([name, { data }]) => [name, data])),
    ...(agent.normalization && {
      normalization: { ...agent.normalization.settings, rewards: false, reward_clip: null },
      observations: listed(agent.normalization.observations),
    }),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const weights = acting.flatMap(([, { data, tensors }]) =>
    networkTensors(data).map(({ name }) => toHalfFloats(tensors[name] ?? new Float32Array())),
  );
  const size = weights.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const bytes = new Uint8Array(LENGTH_BYTES + text.length + size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, text.length, true);
  bytes.set(text, LENGTH_BYTES);
  let at = LENGTH_BYTES + text.length;
  for (const half of weights.flatMap((values) => [...values])) {
    view.setUint16(at, half, true);
    at += 2;
  }
  return bytes;
}

/**
 * Reads a policy from a link.
 * @throws Error whose message is a clause with the reason, for bytes that are not a policy.
 */
export function unpackPolicy(bytes: Uint8Array): PackedPolicy {
  const { header, weights } = parts(bytes);
  let at = 0;
  const take = (size: number): Float32Array => {
    at += size;
    return weights.subarray(at - size, at);
  };
  const specs = Object.entries(header.networks).map(([name, data]) => ({
    name,
    data,
    tensors: networkTensors(data),
  }));
  const needed = specs.flatMap(({ tensors }) => tensors).reduce((sum, spec) => sum + tensorSize(spec), 0);
  if (needed !== weights.length)
    throw new Error(`it has ${weights.length} weights, and its networks have ${needed}`);
  const states = specs.map(({ name, data, tensors }): [string, NetworkState] => [
    name,
    { data, tensors: Object.fromEntries(tensors.map((spec) => [spec.name, take(tensorSize(spec)).slice()])) },
  ]);
  if (!weights.every(Number.isFinite)) throw new Error("it has weights that are not finite numbers");
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
        ...(own.observations && { observations: floats(own.observations) }),
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

function parts(bytes: Uint8Array): { header: z.output<typeof Header>; weights: Float32Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < LENGTH_BYTES ? Number.POSITIVE_INFINITY : view.getUint32(0, true);
  const start = LENGTH_BYTES + length;
  if (start > bytes.length || (bytes.length - start) % 2 !== 0) throw new Error("it is incomplete");
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(LENGTH_BYTES, start)));
  } catch {
    throw new Error("it is damaged");
  }
  const parsed = Header.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${dottedPath(issue?.path.map(String) ?? [])}: ${issue?.message}`);
  }
  const halves = new Uint16Array((bytes.length - start) / 2);
  for (let i = 0; i < halves.length; i++) halves[i] = view.getUint16(start + 2 * i, true);
  return { header: parsed.data, weights: fromHalfFloats(halves) };
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
