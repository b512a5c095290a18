/** A network's tensors: names, shapes, width symbols and initial values. */

import { type Axis, type TensorSpec, tensorDims } from "../../evolution/members.ts";
import type { DrawKey } from "../../evolution/random.ts";
import { type Binding, type Dim, type State, state, sym } from "../../kernels/functions.ts";
import { initialise } from "../modules/initialise.ts";
import { definitionOf } from "../modules/moduleData.ts";
import { actionInputs, type NetworkData, type Tensors } from "./networkData.ts";

export const ENCODER = "encoder.";
export const HEAD = "head_net.";
const LATENT = "latent_dim";

/** Tensors in order, under their names in files ("encoder.linear_1.weight", "log_std"). */
export function networkTensors(data: NetworkData): TensorSpec[] {
  const { encoder, head, distribution } = data;
  const latent: Axis = [{ label: "latent", size: data.latent_dim, symbol: LATENT }];
  const actions = actionInputs(data);
  const headInputs = actions > 0 ? [...latent, { label: "action", size: actions, symbol: null }] : latent;
  const own = encoder !== null && encoder !== "shared";
  const specs = own ? definitionOf(encoder).tensors(encoder, ENCODER, { outputs: latent }) : [];
  specs.push(...definitionOf(head).tensors(head, HEAD, encoder === null ? {} : { inputs: [headInputs] }));
  if (distribution?.kind === "normal") {
    specs.push({
      name: "log_std",
      axes: [[{ label: "action", size: distribution.size, symbol: null }]],
      init: { kind: "constant", value: distribution.log_std_init },
      role: "log_std",
    });
  }
  return specs;
}

/** One of the network's width symbols as a dimension of a program. */
export const networkSymbol = (dims: NetworkDims, symbol: string): Dim => sym(symbolName(dims)(symbol));

/** Prefixes of a network's width symbols in a program. */
export interface NetworkDims {
  /** Prefix of its symbols. Target networks share those of their online network. */
  readonly dims: string;
  /** Prefix of the latent width if it belongs to another network (a shared encoder). */
  readonly latent?: string;
}

const symbolName = ({ dims, latent = dims }: NetworkDims) => {
  return (symbol: string) => `${symbol === LATENT ? latent : dims}.${symbol}`;
};

/**
 * Declares the tensors as states "<name>.<tensor>" of the program being traced, with widths as symbols.
 * Returns the states by tensor name.
 */
export function networkStates(
  data: NetworkData,
  name: string,
  dims: NetworkDims = { dims: name },
): Record<string, State> {
  const nameOf = symbolName(dims);
  return Object.fromEntries(
    networkTensors(data).map((spec) => [spec.name, state(`${name}.${spec.name}`, tensorDims(spec, nameOf))]),
  );
}

/** Values of the symbols that {@link networkStates} uses with the same prefixes. */
export function bindNetwork(data: NetworkData, dims: NetworkDims | string): Binding {
  const nameOf = symbolName(typeof dims === "string" ? { dims } : dims);
  const { encoder, head } = data;
  const widths = {
    ...(encoder !== null && encoder !== "shared" ? definitionOf(encoder).widths(encoder, ENCODER) : {}),
    ...definitionOf(head).widths(head, HEAD),
    ...(encoder === null ? {} : { [LATENT]: data.latent_dim }),
  };
  return Object.fromEntries(Object.entries(widths).map(([symbol, width]) => [nameOf(symbol), width]));
}

/** Key of the program's structure: networks with equal keys differ in widths at most. */
export function structureKey(data: NetworkData): string {
  const { kind, encoder, head, distribution, box_actions, num_atoms } = data;
  const own = encoder !== null && encoder !== "shared";
  const parts = [
    own
      ? `${encoder.inputs} > ${definitionOf(encoder).structureKey(encoder)}`
      : (encoder ?? `${head.inputs}`),
    ...(encoder === null ? [] : [actionInputs(data) > 0 ? `latent + ${actionInputs(data)}` : "latent"]),
    definitionOf(head).structureKey(head),
    num_atoms === undefined ? `${head.outputs}` : `${head.outputs / num_atoms} x ${num_atoms} atoms`,
  ];
  return `${kind} ${parts.join(" > ")}${distributionKey(distribution)}${box_actions ? " scaled each" : ""}`;
}

function distributionKey(distribution: NetworkData["distribution"]): string {
  if (distribution === null) return "";
  if (distribution.kind === "normal") return distribution.squash_output ? " squashed normal" : " normal";
  return distribution.kind === "multi_categorical"
    ? ` multi_categorical(${distribution.nvec.join(", ")})`
    : ` ${distribution.kind}`;
}

/** Fresh initial values of all tensors. Give each network of an agent its own `stream`. */
export function initNetwork(data: NetworkData, key: DrawKey): Tensors {
  return Object.fromEntries(networkTensors(data).map((spec) => [spec.name, initialise(spec, key)]));
}
