/**
 * An agent as one safetensors file. Tensors have PyTorch's names and layout: `<network>.<tensor>`
 * (`actor.encoder.linear_1.weight`, [out, in]; `actors.listener_0.encoder.linear_1.weight` if several agents
 * have networks) and `<optimizer>.exp_avg.<network>.<tensor>`, `<optimizer>.exp_avg_sq.<network>.<tensor>`
 * for Adam's moments; an algorithm's own parameters are `parameters.<name>`, and running statistics
 * are `normalization.observations.mean` and the like. Everything else is in the
 * metadata, as JSON, along with a checksum of the whole file.
 */

import {
  type AgentState,
  findAlgorithm,
  mapStatistics,
  type OptimizerState,
  type ParameterState,
  type RunningStatistics,
} from "../../agents/members.ts";
import type { TensorSpec } from "../../evolution/index.ts";
import { parameterName } from "../../rl/contract.ts";
import type { EnvironmentOptions } from "../../rl/faces.ts";
import { type NetworkState, networkTensors, type Tensors } from "../../rl/networks.ts";
import { type Space, spaceFromJson, spaceToJson } from "../../rl/spaces.ts";
import {
  AGENT_FORMAT,
  decodeSafetensors,
  encodeSafetensors,
  migrate,
  StorageError,
  type StoredTensor,
} from "../../storage/index.ts";
import { CHECKSUM_KEY, isSealed, NO_DIGITS, seal } from "./agentChecksum.ts";
import { type AgentMetadata, agentMetadata, numberToJson, UNKNOWN_KIND } from "./agentMetadata.ts";
import { fileShape, fromFileOrder, toFileOrder } from "./tensorLayout.ts";

/**
 * Decodes an agent from a workbench: a complete one, or only its policy, which can act but not learn.
 * @throws StorageError like `decodeAgent`.
 */
export const decodeKeptAgent = (bytes: Uint8Array): AgentFile =>
  decodeAgent(bytes, "agent", { verified: true });

const FORMAT = "rlkit.agent";

/** Name of a running statistic's tensor. */
const statisticName = (of: string, part: string): string => `normalization.${of}.${part}`;

/** Information in a file in addition to the agent's state; `null` if its writer did not know it. */
export interface AgentFacts {
  readonly observation_space: Space | null;
  readonly action_space: Space | null;
  /** Id of the environment that it was trained in. */
  readonly environment: string | null;
  /** The environment's options; `null` for none. */
  readonly env_config: EnvironmentOptions | null;
  /** Number of parallel environments that it was trained in. */
  readonly num_envs: number | null;
}

export interface AgentFile extends AgentFacts {
  readonly agent: AgentState;
  /** Message for the reader: a file from before there were checksums may be damaged without detection. */
  readonly notice: string | null;
}

const MOMENTS = { first: "exp_avg", second: "exp_avg_sq" } as const;

/** Encodes an agent's file. */
export function encodeAgent(agent: AgentState, facts: Partial<AgentFacts> = {}): Uint8Array {
  const { observation_space = null, action_space = null, num_envs = null } = facts;
  const { environment = null, env_config = null } = facts;
  const tensors: [string, StoredTensor][] = [];
  for (const [name, { data, tensors: values }] of Object.entries(agent.networks)) {
    for (const spec of networkTensors(data)) tensors.push([`${name}.${spec.name}`, toFile(spec, values)]);
  }
  const own = Object.entries(agent.parameters ?? {});
  for (const [name, { shape, values }] of own) tensors.push([parameterName(name), { shape, data: values }]);
  for (const [name, optimizer] of Object.entries(agent.optimizers)) {
    for (const moment of ["first", "second"] as const) {
      for (const network of optimizer.networks) {
        for (const spec of networkTensors((agent.networks[network] as NetworkState).data)) {
          const full = `${network}.${spec.name}`;
          tensors.push([`${name}.${MOMENTS[moment]}.${full}`, toFile(spec, optimizer[moment], full)]);
        }
      }
      for (const [parameter, { shape }] of own) {
        if (!optimizer.parameters?.includes(parameter)) continue;
        const full = parameterName(parameter);
        const data = requireTensor(optimizer[moment], full);
        tensors.push([`${name}.${MOMENTS[moment]}.${full}`, { shape, data }]);
      }
    }
  }
  if (agent.normalization)
    mapStatistics(agent.normalization, (data, of, part) => {
      tensors.push([statisticName(of, part), { shape: [data.length], data }]);
      return data;
    });
  const fields: Omit<
    Record<keyof AgentMetadata, unknown>,
    "parameters" | "agent_fitness" | "normalization"
  > = {
    algorithm: agent.algorithm,
    index: agent.index,
    parent: agent.parent,
    mut: agent.mut,
    steps: agent.steps,
    learn_credit: agent.learn_credit,
    fitness: agent.fitness.map(numberToJson),
    ...(agent.agent_fitness ? { agent_fitness: mapValues(agent.agent_fitness, numberToJson) } : {}),
    hyperparameters: mapValues(agent.hyperparameters, (value) =>
      typeof value === "number" ? numberToJson(value) : value,
    ),
    networks: mapValues(agent.networks, ({ data }) => data),
    ...(agent.parameters ? { parameters: mapValues(agent.parameters, ({ shape }) => shape) } : {}),
    optimizers: mapValues(agent.optimizers, ({ networks, parameters, lr, step }) => ({
      networks,
      ...(parameters ? { parameters } : {}),
      lr,
      step,
    })),
    ...(agent.normalization && { normalization: agent.normalization.settings }),
    observation_space: observation_space && spaceToJson(observation_space),
    action_space: action_space && spaceToJson(action_space),
    environment,
    env_config,
    num_envs,
  };
  const bytes = encodeSafetensors(tensors, {
    [CHECKSUM_KEY]: NO_DIGITS,
    format: FORMAT,
    version: String(AGENT_FORMAT.version),
    ...mapValues(fields, (value) => JSON.stringify(value)),
  });
  return seal(bytes);
}

interface DecodeOptions {
  /**
   * Whether a checkpoint's commit already verified the bytes, so they are not hashed again (default: false).
   */
  readonly verified?: boolean;
}

/**
 * Reads an agent's file. The agent shares no memory with `bytes`.
 * @param path Names the file in errors.
 * @throws StorageError `corrupt` for a file that is truncated, was changed since it was written, is not an
 *   agent file, or whose tensors do not match its networks; `version` for an unsupported format version, or
 *   an algorithm or kind of network that is not registered.
 */
export function decodeAgent(
  bytes: Uint8Array,
  path: string,
  { verified = false }: DecodeOptions = {},
): AgentFile {
  const { tensors, metadata } = decodeSafetensors(bytes, path);
  if (metadata.format !== FORMAT) {
    const found = metadata.format === undefined ? "no format" : `format "${metadata.format}"`;
    throw corrupt(path, `names ${found} in its metadata, an agent's file names "${FORMAT}"`);
  }
  // Before any migration, because the checksum is that of the bytes as written.
  const notice = verified ? null : checkBytes(bytes, metadata, path);
  const current = migrate(AGENT_FORMAT, Number(metadata.version), { tensors, metadata }, path);
  const fields = parseMetadata(current.metadata, path);
  requireAlgorithm(fields.algorithm, path);

  const left = new Map(current.tensors);
  const takeShaped = (expected: readonly number[], name: string): Float32Array => {
    const stored = left.get(name);
    left.delete(name);
    return storedValues(expected, stored, name, path);
  };
  const take = (spec: TensorSpec, name: string): Float32Array =>
    fromFileOrder(spec, takeShaped(fileShape(spec), name));
  const networks = mapValues(fields.networks, (data, name): NetworkState => {
    const values = networkTensors(data).map((spec) => [spec.name, take(spec, `${name}.${spec.name}`)]);
    return { data, tensors: Object.fromEntries(values) };
  });
  const shapes = fields.parameters;
  const parameters = shapes
    ? {
        parameters: mapValues(shapes, (shape, name): ParameterState => {
          return { shape, values: takeShaped(shape, parameterName(name)) };
        }),
      }
    : {};
  const optimizers = mapValues(fields.optimizers, (stored, name): OptimizerState => {
    const { networks: trained, parameters: own, lr, step } = stored;
    const ofParameters = (moment: keyof typeof MOMENTS): [string, Float32Array][] =>
      (own ?? []).map((parameter) => {
        const shape = shapes?.[parameter];
        if (!shape)
          throw corrupt(path, `has an optimizer "${name}" of a parameter "${parameter}" that it lacks`);
        const full = parameterName(parameter);
        return [full, takeShaped(shape, `${name}.${MOMENTS[moment]}.${full}`)];
      });
    const moments = (moment: keyof typeof MOMENTS): Tensors =>
      Object.fromEntries([
        ...trained.flatMap((network) => {
          const state = networks[network];
          if (!state)
            throw corrupt(path, `has an optimizer "${name}" of a network "${network}" that it lacks`);
          return networkTensors(state.data).map((spec) => {
            const full = `${network}.${spec.name}`;
            return [full, take(spec, `${name}.${MOMENTS[moment]}.${full}`)] as const;
          });
        }),
        ...ofParameters(moment),
      ]);
    return {
      networks: trained,
      ...(own ? { parameters: own } : {}),
      lr,
      step,
      first: moments("first"),
      second: moments("second"),
    };
  });
  const takeStatistics = (of: "observations" | "rewards"): RunningStatistics | null => {
    const size = left.get(statisticName(of, "count"))?.shape[0];
    if (size === undefined) return null;
    const part = (name: keyof RunningStatistics) => takeShaped([size], statisticName(of, name));
    const moments = { count: part("count"), mean: part("mean"), variance: part("variance") };
    return left.has(statisticName(of, "outliers")) ? { ...moments, outliers: part("outliers") } : moments;
  };
  const settings = fields.normalization;
  const [observed, rewarded] = settings
    ? [takeStatistics("observations"), takeStatistics("rewards")]
    : [null, null];
  if (settings?.rewards && !rewarded)
    throw corrupt(path, "has no statistics of the rewards that it normalises");
  const normalization = settings && {
    normalization: {
      settings,
      ...(observed && { observations: observed }),
      ...(rewarded && { rewards: rewarded }),
    },
  };
  const [unknown] = left.keys();
  if (unknown !== undefined) throw corrupt(path, `has a tensor "${unknown}" that its networks do not have`);

  const {
    observation_space,
    action_space,
    environment,
    env_config,
    num_envs,
    parameters: _,
    normalization: __,
    agent_fitness,
    ...state
  } = fields;
  const evaluated = agent_fitness ? { agent_fitness } : {};
  return {
    agent: { ...state, ...evaluated, networks, ...parameters, optimizers, ...normalization },
    observation_space: observation_space && spaceFromJson(observation_space),
    action_space: action_space && spaceFromJson(action_space),
    environment,
    env_config,
    num_envs,
    notice,
  };
}

/** Metadata keys other than the agent's fields. */
const OWN_KEYS: readonly string[] = [CHECKSUM_KEY, "format", "version"];

/**
 * @returns a message for the reader, or null.
 * @throws StorageError `corrupt` for a file that was changed since it was written.
 */
function checkBytes(
  bytes: Uint8Array,
  metadata: Readonly<Record<string, string>>,
  path: string,
): string | null {
  const digits = metadata[CHECKSUM_KEY];
  if (digits !== undefined) {
    if (isSealed(bytes, digits)) return null;
    throw new StorageError(
      "corrupt",
      path,
      `is corrupt (its SHA-256 differs); use another file, or remove "${CHECKSUM_KEY}" from its metadata if it was changed on purpose`,
    );
  }
  // Files from before checksums have only known fields, so an unknown one may be a checksum whose key is
  // damaged.
  const unknown = Object.keys(metadata).find(
    (name) => !OWN_KEYS.includes(name) && !(name in agentMetadata.shape),
  );
  if (unknown !== undefined)
    throw corrupt(path, `has no "${CHECKSUM_KEY}" in its metadata, and an unknown "${unknown}"`);
  return `${path}: has no checksum (it was written by an earlier version), so damage cannot be detected; save it again to add one`;
}

const corrupt = (path: string, found: string): StorageError =>
  new StorageError("corrupt", path, `${found}; use another file`);

/** @throws TypeError naming the tensor that is missing. */
function requireTensor(values: Tensors, key: string): Float32Array {
  const data = values[key];
  if (!data) throw new TypeError(`agent: tensor "${key}" is missing`);
  return data;
}

const toFile = (spec: TensorSpec, values: Tensors, key = spec.name): StoredTensor => ({
  shape: fileShape(spec),
  data: toFileOrder(spec, requireTensor(values, key)),
});

function storedValues(
  expected: readonly number[],
  stored: StoredTensor | undefined,
  name: string,
  path: string,
): Float32Array {
  if (!stored) throw corrupt(path, `has no tensor "${name}", which its networks have`);
  const { shape, data } = stored;
  if (!(data instanceof Float32Array) || shape.join() !== expected.join()) {
    const type = data instanceof Float32Array ? "F32" : "integers";
    throw corrupt(
      path,
      `has ${type} [${shape.join(", ")}] as tensor "${name}", its networks have F32 [${expected.join(", ")}]`,
    );
  }
  return data;
}

function parseMetadata(metadata: Readonly<Record<string, string>>, path: string): AgentMetadata {
  const fields: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(metadata)) {
    if (OWN_KEYS.includes(name)) continue;
    try {
      fields[name] = JSON.parse(text);
    } catch {
      throw corrupt(path, `has metadata "${name}" that is not JSON`);
    }
  }
  const parsed = agentMetadata.safeParse(fields);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const found = `${issue?.path.join(".")}: ${issue?.message}`;
    if (issue?.code === "custom" && issue.params === UNKNOWN_KIND) throw cannotRun(path, found);
    throw corrupt(path, `has metadata that does not describe an agent: ${found}`);
  }
  return parsed.data;
}

function requireAlgorithm(name: string, path: string): void {
  try {
    findAlgorithm(name);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw cannotRun(path, reason, { cause: error });
  }
}

const cannotRun = (path: string, reason: string, options?: ErrorOptions): StorageError =>
  new StorageError(
    "version",
    path,
    `holds an agent that this build cannot run: ${reason}; if a module of yours registers it, load the module first (--module FILE of the command)`,
    options,
  );

const mapValues = <A, B>(record: Readonly<Record<string, A>>, map: (value: A, name: string) => B) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)])) as Record<
    string,
    B
  >;
