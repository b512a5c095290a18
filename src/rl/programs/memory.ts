/**
 * Encodes observations to latent vectors, for networks with and without recurrent state, and declares the
 * buffers of that state.
 */
import { type Dim, mulDims, reshape, type State, state, type Tensor, zeros } from "../../kernels/index.ts";
import { type Latents, type Networks, networkNamed } from "../contract/network.ts";
import { type Algorithm } from "../contract/onPolicy.ts";
import type { AgentSpaces } from "../spaces.ts";
import { RECURRENT } from "./laneBuffers.ts";
import { lanes } from "./lanes.ts";

/**
 * Recurrent state of networks, [n, width] each, by name ("actor.encoder.h0"); empty for networks without it.
 */
export type Memory = Readonly<Record<string, Tensor>>;

interface Place {
  readonly name: string;
  readonly width: Dim;
}

const placesOf = (networks: Networks, network: string): readonly Place[] =>
  networkNamed(networks, network)
    .memory()
    .map(({ name, width }) => ({ name: `${network}.${name}`, width }));

/** Names and widths of the networks' recurrent state. */
const places = (networks: Networks): readonly Place[] =>
  Object.keys(networks).flatMap((network) => placesOf(networks, network));

/** Whether any network has recurrent state. */
export const hasMemory = (networks: Networks): boolean => places(networks).length > 0;

/** Name of the buffer that holds one part of the lanes' recurrent state. */
export const memoryBuffer = (name: string): string => `${RECURRENT}${name}`;

/** Buffers [...leading, width] for the networks' recurrent state. */
export const memoryStates = (
  networks: Networks,
  leading: readonly Dim[],
  bufferOf: (name: string) => string,
): Readonly<Record<string, State>> =>
  Object.fromEntries(
    places(networks).map(({ name, width }) => [name, state(bufferOf(name), [...leading, width])]),
  );

/** The lanes' recurrent state, in buffers `memory.<name>` [num_envs, width]. */
export function lanesMemory(networks: Networks): { read(): Memory; write(memory: Memory): void } {
  const buffers = memoryStates(networks, [lanes], memoryBuffer);
  return {
    read: () => Object.fromEntries(Object.entries(buffers).map(([name, buffer]) => [name, buffer.read()])),
    write: (memory) => {
      for (const [name, buffer] of Object.entries(buffers)) buffer.write(memory[name] as Tensor);
    },
  };
}

/** Recurrent state at the start of an episode: zeros. */
export const emptyMemory = (networks: Networks, n: Dim): Memory =>
  Object.fromEntries(places(networks).map(({ name, width }) => [name, zeros([n, width])]));

/** Applies `change` to every part of the recurrent state. */
export const mapMemory = (memory: Memory, change: (values: Tensor, name: string) => Tensor): Memory =>
  Object.fromEntries(Object.entries(memory).map(([name, values]) => [name, change(values, name)]));

/** Caches the results of `make`; each is computed on first use. */
function once<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** The network whose encoder the named one uses. */
const encoderOf = ({ sharesEncoder }: Algorithm, networks: Networks, name: string): string =>
  networkNamed(networks, name).data.encoder === "shared" ? (sharesEncoder[name] ?? name) : name;

/** Recurrent state of one network, in the order that the network expects. */
const memoryOf = (networks: Networks, network: string, memory: Memory): Tensor[] =>
  placesOf(networks, network).map(({ name }) => {
    const values = memory[name];
    if (!values) throw new RangeError(`memory "${name}": found ${Object.keys(memory).join(", ") || "none"}`);
    return values;
  });

/** The part of the network inputs [n, inputs] that a network reads. */
const inputOf = (algorithm: Algorithm, name: string, obs: Tensor, spaces: AgentSpaces): Tensor =>
  (algorithm.kind === "on_policy" && algorithm.inputOf?.(name, obs, spaces)) || obs;

/** One step of the networks whose latent vectors are read. */
export interface EncodedStep {
  readonly latents: Latents;
  /** Recurrent state after the step. */
  readonly after: () => Memory;
}

/** Encodes network inputs [n, inputs], given the recurrent state before them, [n, width] each. */
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

/** A batch of sequences, time first. */
export interface Sequences {
  /** Network inputs [T, n, inputs]. */
  readonly obs: Tensor;
  /** Recurrent state before the first step, [n, width] each. */
  readonly memory: Memory;
  /** [T, n]: 0 where an episode starts, which resets the recurrent state, else 1. */
  readonly keep: Tensor;
}

/** Latent vectors of all steps of sequences, [T n, latent], for networks with recurrent state. */
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
