/** The layers that modules consist of: their tensors and their forward computations. */
import { type Axis, axisSize, type Init, type TensorSpec } from "../../evolution/members.ts";
import {
  activate,
  type ConvolutionOptions,
  convolution,
  layerNorm,
  linear,
} from "../../kernels/functions.ts";
import {
  add,
  type Dim,
  less,
  mul,
  neg,
  reshape,
  select,
  sizeOf,
  sqrt,
  type Tensor,
} from "../../kernels/index.ts";
import type { Activation } from "../../specs/networks.ts";
import type { ForwardContext, ModuleEnds, Parameters } from "./moduleDefinition.ts";

export const ZERO: Init = { kind: "constant", value: 0 };
export const ONE: Init = { kind: "constant", value: 1 };
/** PyTorch's initial slope of PReLU. */
const PRELU_SLOPE: Init = { kind: "constant", value: 0.25 };

/** The sum of sizes. */
export const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

/** An axis of fixed size, without a width symbol. */
export const plainAxis = (label: string, size: number): Axis => [{ label, size, symbol: null }];

/** An axis of one segment whose width is a symbol in programs. */
export const widthAxis = (label: string, size: number, symbol: string): Axis => [{ label, size, symbol }];

/** A module's input axes: those that the enclosing network sets, otherwise one axis of `size`. */
export const inputAxes = ({ inputs }: ModuleEnds, size: number): readonly Axis[] =>
  inputs ?? [plainAxis("input", size)];

export const outputAxis = ({ outputs }: ModuleEnds, size: number): Axis =>
  outputs ?? plainAxis("output", size);

/** PyTorch's initial values of layers with `fanIn` inputs. */
export const uniformInit = (fanIn: number, scale = 1): Init => ({
  kind: "uniform",
  bound: scale / Math.sqrt(fanIn),
});

export const fanIn = (from: readonly Axis[]): number => from.reduce((size, axis) => size * axisSize(axis), 1);

export interface LinearOptions {
  /** Default: PyTorch's uniform values. */
  readonly weight?: Init;
  readonly bias?: Init;
  /** Initial values when the layer is added to a trained network; defaults to `weight` and `bias`. */
  readonly added?: { readonly weight: Init; readonly bias: Init };
  /** Scale of the initial values of noisy weights; null for a layer without noise. */
  readonly noise_std?: number | null;
  /** Factor on the initial noise (default: 1). */
  readonly noise_scale?: number;
}

/**
 * A linear layer's weight [...from, to] and bias [to]. Three `from` axes are an image [rows, columns,
 * channels] that the layer flattens; PyTorch puts channels first.
 */
export function linearTensors(
  name: string,
  from: readonly Axis[],
  to: Axis,
  options: LinearOptions = {},
): TensorSpec[] {
  const inputs = fanIn(from);
  const { weight = uniformInit(inputs), bias = uniformInit(inputs), added, noise_std = null } = options;
  const matrix = {
    axes: [...from, to],
    role: "weight",
    inputAxes: from.map((_axis, i) => i),
    fileAxes: [[from.length], from.length === 3 ? [2, 0, 1] : from.map((_axis, i) => i)],
  } as const;
  const specs: TensorSpec[] = [
    { name: `${name}.weight`, ...matrix, init: weight, ...(added && { added: added.weight }) },
    { name: `${name}.bias`, axes: [to], role: "bias", init: bias, ...(added && { added: added.bias }) },
  ];
  if (noise_std !== null) {
    const scale = noise_std * (options.noise_scale ?? 1);
    const sigma = (size: number): Init => ({ kind: "constant", value: scale / Math.sqrt(size) });
    specs.push(
      { name: `${name}.weight_sigma`, ...matrix, init: sigma(inputs) },
      { name: `${name}.bias_sigma`, axes: [to], role: "bias", init: sigma(axisSize(to)) },
    );
  }
  return specs;
}

/** Scale and shift of a normalisation over `axis`. */
export const normTensors = (name: string, axis: Axis): TensorSpec[] => [
  { name: `${name}.weight`, axes: [axis], init: ONE, role: "norm" },
  { name: `${name}.bias`, axes: [axis], init: ZERO, role: "norm" },
];

/** Learned parameters of an activation: PReLU's slope. */
export const activationTensors = (name: string, activation: Activation | null): TensorSpec[] =>
  activation === "PReLU"
    ? [{ name: `${name}.weight`, axes: [plainAxis("slope", 1)], init: PRELU_SLOPE, role: "activation" }]
    : [];

/** A parameter by its tensor name.
 * @throws TypeError when it is missing. */
export function parameter(params: Parameters, name: string): Tensor {
  const found = params[name];
  if (!found) throw new TypeError(`parameters: "${name}" is missing`);
  return found;
}

/** sign(x) sqrt|x| of the normal numbers whose products are the noise (Fortunato et al. 2018, eq. 10-11). */
const signedRoot = (x: Tensor): Tensor =>
  select(less(x, 0), neg(sqrt(select(less(x, 0), neg(x), 0))), sqrt(select(less(x, 0), 0, x)));

/** Applies the layer `name` to x [..., from], with noise if it is noisy and the context supplies noise. */
export function applyLinear(
  name: string,
  params: Parameters,
  x: Tensor,
  { noise, rows }: ForwardContext = {},
): Tensor {
  const given = parameter(params, `${name}.weight`);
  const [from, to] = [sizeOf(given.shape.slice(0, -1)), given.shape.at(-1) as Dim];
  const weight = reshape(given, [from, to]);
  const bias = parameter(params, `${name}.bias`);
  if (rows) return add(rows.product(`${name}.weight`, x, weight), rows.vector(`${name}.bias`, bias, x.rank));
  const sigma = params[`${name}.weight_sigma`];
  if (!noise || !sigma) return linear(x, weight, bias);
  const into = reshape(signedRoot(noise(name, "in", from)), [from, 1]);
  const outOf = signedRoot(noise(name, "out", to));
  const noisy = add(weight, mul(reshape(sigma, [from, to]), mul(into, outOf)));
  return linear(x, noisy, add(bias, mul(parameter(params, `${name}.bias_sigma`), outOf)));
}

/** Reports a layer's output to `watch`, if set, and returns the output unchanged. */
export function layerOutput(layer: string, output: Tensor, { watch }: ForwardContext = {}): Tensor {
  watch?.(layer, output);
  return output;
}

/** Layer normalisation with the scale and shift called `name`. */
export function applyNorm(
  name: string,
  params: Parameters,
  x: Tensor,
  { rows }: ForwardContext = {},
): Tensor {
  const [scale, shift] = ["weight", "bias"].map((part) => parameter(params, `${name}.${part}`)) as [
    Tensor,
    Tensor,
  ];
  if (!rows) return layerNorm(x, scale, shift);
  const own = (part: string, value: Tensor) => rows.vector(`${name}.${part}`, value, x.rank);
  return add(mul(layerNorm(x), own("weight", scale)), own("bias", shift));
}

/** A convolution with the kernel called `name` and, if it has one, its bias. */
export function applyConvolution(
  name: string,
  params: Parameters,
  images: Tensor,
  options: ConvolutionOptions,
  { rows }: ForwardContext = {},
): Tensor {
  const kernel = parameter(params, `${name}.weight`);
  const bias = params[`${name}.bias`];
  if (!rows) return convolution(images, kernel, bias, options);
  const product = (columns: Tensor, matrix: Tensor) => rows.product(`${name}.weight`, columns, matrix);
  const output = convolution(images, kernel, undefined, { ...options, product });
  return bias ? add(output, rows.vector(`${name}.bias`, bias, output.rank)) : output;
}

/** Applies the activation, with the slope called `name` for PReLU; returns x if the activation is null. */
export const applyActivation = (
  name: string,
  activation: Activation | null,
  params: Parameters,
  x: Tensor,
  { rows }: ForwardContext = {},
): Tensor => {
  if (activation !== "PReLU") return activation === null ? x : activate(activation, x, {});
  const slope = parameter(params, `${name}.weight`);
  return activate(activation, x, { slope: rows ? rows.vector(`${name}.weight`, slope, x.rank) : slope });
};
