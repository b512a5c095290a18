/** A network's parameters inside a program, and an agent's networks by name. */
import type { Dim, State, Tensor } from "../../kernels/index.ts";
import type { ForwardContext } from "../modules/moduleDefinition.ts";
import {
  actionValues,
  forwardAction,
  forwardEncoder,
  forwardHead,
  forwardNetwork,
  type NetworkDims,
  networkMemory,
  networkStates,
  networkSymbol,
  sequenceEncoder,
  stepEncoder,
} from "../networks/index.ts";
import type { NetworkData } from "../networks/networkData.ts";

/** A network's states and their values at one point of a program. */
interface Reading {
  readonly states: Readonly<Record<string, State>>;
  readonly parameters: Readonly<Record<string, Tensor>>;
  readonly context: ForwardContext;
}

function readStates(data: NetworkData, name: string, dims: NetworkDims): Reading {
  const states = networkStates(data, name, dims);
  const parameters = Object.fromEntries(Object.entries(states).map(([key, s]) => [key, s.read()]));
  return { states, parameters, context: {} };
}

/** A network as read at one point of a program. */
export class Network {
  readonly data: NetworkData;
  readonly states: Readonly<Record<string, State>>;
  /** Values at the point where the network was read. */
  readonly parameters: Readonly<Record<string, Tensor>>;
  readonly #name: string;
  readonly #dims: NetworkDims;
  readonly #context: ForwardContext;

  constructor(
    data: NetworkData,
    name: string,
    dims: NetworkDims,
    reading: Reading = readStates(data, name, dims),
  ) {
    this.data = data;
    this.states = reading.states;
    this.parameters = reading.parameters;
    this.#name = name;
    this.#dims = dims;
    this.#context = reading.context;
  }

  /** The same reading with noise on noisy weights: normal numbers for each side of each noisy layer. */
  withNoise(noise: NonNullable<ForwardContext["noise"]>): Network {
    return this.#within({ ...this.#context, noise });
  }

  /** The same reading with parameters that differ from row to row. */
  withRows(rows: NonNullable<ForwardContext["rows"]>): Network {
    return this.#within({ ...this.#context, rows });
  }

  /** The same reading with `watch` called for each layer's output (see {@link ForwardContext}). */
  watching(watch: NonNullable<ForwardContext["watch"]>): Network {
    return this.#within({ ...this.#context, watch });
  }

  #within(context: ForwardContext): Network {
    const { states, parameters } = this;
    return new Network(this.data, this.#name, this.#dims, { states, parameters, context });
  }

  /** Maps observations [batch, inputs] to latent vectors. */
  encode(observation: Tensor): Tensor {
    return forwardEncoder(this.data, this.parameters, observation, this.#context);
  }

  /** Maps latent vectors to outputs. */
  head(latent: Tensor): Tensor {
    return forwardHead(this.data, this.parameters, latent, this.#context);
  }

  /** Maps observations to outputs. */
  forward(observation: Tensor): Tensor {
    return forwardNetwork(this.data, this.parameters, observation, this.#context);
  }

  /** Maps observations to what the output activation of the head then maps to outputs. @internal */
  beforeOutput(observation: Tensor): Tensor {
    const { data, parameters } = this;
    const head = { ...data.head, output_activation: null };
    return forwardHead({ ...data, head }, parameters, this.encode(observation), this.#context);
  }

  /** Maps latent vectors and actions [batch, action] to Q values [batch, 1] (continuous Q networks). */
  valueOf(latent: Tensor, action: Tensor): Tensor {
    return forwardAction(this.data, this.parameters, latent, action, this.#context);
  }

  /** Maps actions [batch, action] at fixed observations to Q values [batch, 1] (Q networks with actions). */
  valuesAt(observation: Tensor): (action: Tensor) => Tensor {
    return actionValues(this.data, this.parameters, observation, this.#context);
  }

  /**
   * Maps observations and actions [batch, action] to Q values [batch, 1] (continuous and joint Q networks).
   */
  value(observation: Tensor, action: Tensor): Tensor {
    return this.valuesAt(observation)(action);
  }

  /** Names and widths of the recurrent state's tensors [n, width]; empty if it is not recurrent. */
  memory(): readonly { readonly name: string; readonly width: Dim }[] {
    return networkMemory(this.data).map(({ name, symbol }) => ({
      name,
      width: networkSymbol(this.#dims, symbol),
    }));
  }

  /**
   * One recurrent step: observation [n, inputs] and the state before it -> latent vector and the state after
   * it.
   * @throws TypeError when the network is not recurrent.
   */
  step(observation: Tensor, memory: readonly Tensor[]) {
    return stepEncoder(this.data, this.parameters, observation, memory, this.#context);
  }

  /**
   * Like {@link step}, over whole sequences: observations [T, n, inputs] -> latent vectors [T, n, latent].
   * `keep` [T, n] multiplies the state before each step: 0 resets it (default: all 1).
   */
  sequence(observations: Tensor, memory: readonly Tensor[], keep?: Tensor): Tensor {
    return sequenceEncoder(this.data, this.parameters, observations, memory, keep);
  }

  /** A parameter by its tensor name.
   * @throws RangeError when the network has no parameter of that name. */
  parameter(name: string): Tensor {
    const found = this.parameters[name];
    if (!found)
      throw new RangeError(
        `network has no tensor ${name}; it has ${Object.keys(this.parameters).join(", ")}`,
      );
    return found;
  }
}

/** An agent's networks by name. The algorithm's definition sets the names. */
export type Networks<N extends string = string> = Readonly<Record<N, Network>>;

/** Returns a network's latent vectors [n, latent] for the current observations, recurrent or not. */
export type Latents<N extends string = string> = (network: N) => Tensor;

/** @throws TypeError when the agent lacks the network. */
export function networkNamed(networks: Networks, name: string): Network {
  const found = networks[name];
  if (!found)
    throw new TypeError(`needs a network "${name}", found ${Object.keys(networks).join(", ") || "none"}`);
  return found;
}
