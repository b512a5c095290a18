/** Observations to latent vectors, for networks with and without memory, and buffers that hold memory. */
import { type Dim, mulDims, reshape, type State, state, type Tensor, zeros } from "../../kernels/index.ts";
import { type Algorithm } from "../contract/algorithm.ts";
import { type Latents, type Networks, networkNamed } from "../contract/networks.ts";
import type { AgentSpaces } from "../spaces/index.ts";
import { lanes } from "./lanes.ts";

/** What networks remember, [n, width] each, by name ("actor.encoder.h0"); empty without memory. */
export type Memory = Readonly<Record<string, Tensor>>;

interface Place {
  readonly name: string;
  readonly width: Dim;
}

const placesOf = (networks: Networks, network: string): readonly Place[] =>
  networkNamed(networks, network)
    .memory()
    .map(({ name, width }) => ({ name: `${network}.${name}`, width }));

/** Names and widths of what the networks remember. */
const places = (networks: Networks): readonly Place[] =>
  Object.keys(networks).flatMap((network) => placesOf(networks, network));

/** Whether some network remembers anything. */
export const hasMemory = (networks: Networks): boolean => places(networks).length > 0;

/** The buffer that holds something that lanes' networks remember. */
export const memoryBuffer = (name: string): string => `memory.${name}`;

/** Buffers of [...leading, width] for what the networks remember. */
export const memoryStates = (
  networks: Networks,
  leading: readonly Dim[],
  bufferOf: (name: string) => string,
): Readonly<Record<string, State>> =>
  Object.fromEntries(
    places(networks).map(({ name, width }) => [name, state(bufferOf(name), [...leading, width])]),
  );

/** What lanes' networks remember, in buffers `memory.<name>` [num_envs, width]. */
export function lanesMemory(networks: Networks): { read(): Memory; write(memory: Memory): void } {
  const buffers = memoryStates(networks, [lanes], memoryBuffer);
  return {
    read: () => Object.fromEntries(Object.entries(buffers).map(([name, buffer]) => [name, buffer.read()])),
    write: (memory) => {
      for (const [name, buffer] of Object.entries(buffers)) buffer.write(memory[name] as Tensor);
    },
  };
}

/** What the networks remember before anything has happened. */
export const emptyMemory = (networks: Networks, n: Dim): Memory =>
  Object.fromEntries(places(networks).map(({ name, width }) => [name, zeros([n, width])]));

/** The same change to everything that is remembered. */
export const mapMemory = (memory: Memory, change: (values: Tensor, name: string) => Tensor): Memory =>
  Object.fromEntries(Object.entries(memory).map(([name, values]) => [name, change(values, name)]));

/** Each result once, and only when it is asked for. */
function once<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** The network whose encoder serves the named one. */
const encoderOf = ({ sharesEncoder }: Algorithm, networks: Networks, name: string): string =>
  networkNamed(networks, name).data.encoder === "shared" ? (sharesEncoder[name] ?? name) : name;

/** Memory of one network in the order that it wants it. */
const memoryOf = (networks: Networks, network: string, memory: Memory): Tensor[] =>
  placesOf(networks, network).map(({ name }) => {
    const values = memory[name];
    if (!values) throw new RangeError(`memory "${name}": found ${Object.keys(memory).join(", ") || "none"}`);
    return values;
  });

/** What a network reads of the network inputs [n, inputs]. */
const inputOf = (algorithm: Algorithm, name: string, obs: Tensor, spaces: AgentSpaces): Tensor =>
  (algorithm.kind === "on_policy" && algorithm.inputOf?.(name, obs, spaces)) || obs;

/** One step of all networks that are read. */
export interface EncodedStep {
  readonly latents: Latents;
  /** What the networks remember after it. */
  readonly after: () => Memory;
}

/** Network inputs [n, inputs], with the memory before them, [n, width] each, of networks that have one. */
export function encodeStep(
  algorithm: Algorithm,
  networks: Networks,
  obs: Tensor,
  spaces: AgentSpaces,
  memory: Memory = {},
): EncodedStep {
  const stepped = once((name) => networkNamed(networks, name).step(obs, memoryOf(networks, name, memory)));
  const encoded = once((name) =>
    placesOf(networks, name).length > 0
      ? stepped(name).output
      : networkNamed(networks, name).encode(inputOf(algorithm, name, obs, spaces)),
  );
  return {
    latents: (name) => encoded(encoderOf(algorithm, networks, name)),
    after: () =>
      Object.fromEntries(
        Object.keys(networks).flatMap((network) =>
          placesOf(networks, network).map(({ name }, i) => [name, stepped(network).memory[i] as Tensor]),
        ),
      ),
  };
}

/** Sequences side by side, time first. */
export interface Sequences {
  /** Network inputs [T, n, inputs]. */
  readonly obs: Tensor;
  /** Before the first step, [n, width] each. */
  readonly memory: Memory;
  /** 0 where an episode starts, so that nothing is remembered of the one before, else 1: [T, n]. */
  readonly keep: Tensor;
}

/** Latent vectors of all steps of sequences, [T n, latent], of networks with memory. */
export function encodeSequences(
  algorithm: Algorithm,
  networks: Networks,
  { obs, memory, keep }: Sequences,
): Latents {
  const [steps, n, inputs] = obs.shape as [Dim, Dim, Dim];
  const rows = reshape(obs, [mulDims(steps, n), inputs]);
  const encoded = once((name) => {
    const network = networkNamed(networks, name);
    if (placesOf(networks, name).length === 0) return network.encode(rows);
    const latent = network.sequence(obs, memoryOf(networks, name, memory), keep);
    return reshape(latent, [mulDims(steps, n), latent.shape[2] as Dim]);
  });
  return (name) => encoded(encoderOf(algorithm, networks, name));
}
