/** A network's parameters inside a program. */
import type { State, Tensor } from "../../kernels/index.ts";
import {
  forwardEncoder,
  forwardHead,
  forwardNetwork,
  type NetworkDims,
  networkStates,
} from "../networks/index.ts";
import type { NetworkData } from "../networks/networkData.ts";

/** A network as read at one point of a program. */
export class Network {
  readonly data: NetworkData;
  readonly states: Readonly<Record<string, State>>;
  /** Values as they were when the network was read. */
  readonly parameters: Readonly<Record<string, Tensor>>;

  constructor(data: NetworkData, name: string, dims: NetworkDims) {
    this.data = data;
    this.states = networkStates(data, name, dims);
    this.parameters = Object.fromEntries(Object.entries(this.states).map(([key, s]) => [key, s.read()]));
  }

  /** Observation [batch, ...] to latent vector. */
  encode(observation: Tensor): Tensor {
    return forwardEncoder(this.data, this.parameters, observation);
  }

  /** Latent vector to outputs. */
  head(latent: Tensor): Tensor {
    return forwardHead(this.data, this.parameters, latent);
  }

  /** Observation to outputs. */
  forward(observation: Tensor): Tensor {
    return forwardNetwork(this.data, this.parameters, observation);
  }

  /** A parameter by its tensor name.
   * @throws RangeError when the network has none of that name. */
  parameter(name: string): Tensor {
    const found = this.parameters[name];
    if (!found)
      throw new RangeError(
        `network has no tensor ${name}; it has ${Object.keys(this.parameters).join(", ")}`,
      );
    return found;
  }
}
