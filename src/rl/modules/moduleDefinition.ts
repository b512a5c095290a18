/**
 * The definition of a kind of evolvable module. A module itself is plain data; its definition holds the
 * functions that operate on it.
 */
import type { z } from "zod";
import type { Axis, TensorSpec } from "../../evolution/members.ts";
import type { Random } from "../../evolution/random.ts";
import type { Dim, Tensor } from "../../kernels/functions.ts";
import type { Activation } from "../../specs/networks.ts";
import type { ImageShape } from "./settings.ts";

/** The arguments of a mutation, so that the same change can be applied to other networks. */
export interface MutationArguments {
  /** Index of the hidden layer, 0-based. */
  readonly hidden_layer?: number;
  /** Nodes added or removed. */
  readonly numb_new_nodes?: number;
  /** Channels added or removed. */
  readonly numb_new_channels?: number;
  /** Side of a convolution's new kernel. */
  readonly kernel_size?: number;
  /** Stride of a new convolution. */
  readonly stride_size?: number;
}

export interface ModuleMutation<Data> {
  /** The changed data; the same object when a limit prevented the change. */
  readonly data: Data;
  /** The method that was applied, after any fallback. */
  readonly method: string;
  readonly args: MutationArguments;
}

export interface MutationMethod<Data> {
  /** Name of the method, e.g. "add_node". */
  readonly name: string;
  readonly type: "layer" | "node";
  /** Applies the mutation. Draws missing arguments; clamps layers and kernels to the module's limits. */
  readonly apply: (data: Data, random: Random, args?: MutationArguments) => ModuleMutation<Data>;
}

/** A module's input axes, output axes and symbol prefix, set by the enclosing network. */
export interface ModuleEnds {
  /** One axis, or the axes of an image [rows, columns, channels] that the module flattens. */
  readonly inputs?: readonly Axis[];
  readonly outputs?: Axis;
  /** Prefix of width symbols, in place of the scope. */
  readonly symbols?: string;
}

/** Parameters that differ from row to row: each row has those given plus noise of its own. */
export interface RowParameters {
  /** x [n, ..., in] times each row's matrix: `weight` [in, out], the tensor `name`, plus its noise. */
  readonly product: (name: string, x: Tensor, weight: Tensor) => Tensor;
  /** Each row's vector: `value` [k], the tensor `name`, plus its noise, as [n, 1, ..., k] of `rank` axes. */
  readonly vector: (name: string, value: Tensor, rank: number) => Tensor;
}

/** Optional inputs of a forward pass besides the parameters. */
export interface ForwardContext {
  /**
   * Returns standard normal numbers [size] for one side of the noisy layer `layer` (its tensors' prefix). If
   * unset, noisy layers use their mean weights.
   */
  readonly noise?: (layer: string, side: "in" | "out", size: Dim) => Tensor;
  /** Noise on parameters that differs from row to row. If unset, all rows have the same parameters. */
  readonly rows?: RowParameters;
  /** Called with each layer's output, after normalisation and activation; `layer` is its tensors' prefix. */
  readonly watch?: (layer: string, output: Tensor) => void;
}

/** Tensors of a network or module in a program, by name. */
export type Parameters = Readonly<Record<string, Tensor>>;

/** One tensor [n, size] of a module's recurrent state. */
export interface MemorySpec {
  readonly name: string;
  readonly size: number;
  /** Symbol of the size in a program, without the network's prefix. */
  readonly symbol: string;
}

/** How a recurrent module computes. Its state is a list of tensors [n, size], in the order of `memory`. */
export interface RecurrentDefinition<Data> {
  readonly memory: (data: Data, scope: string) => readonly MemorySpec[];
  /** One step: x [n, inputs] and the state before the step -> output [n, outputs] and the state after it. */
  readonly step: (
    data: Data,
    scope: string,
    params: Parameters,
    x: Tensor,
    memory: readonly Tensor[],
    context?: ForwardContext,
  ) => { readonly output: Tensor; readonly memory: readonly Tensor[] };
  /**
   * Whole sequences: x [T, n, inputs] and the state before the first step -> outputs [T, n, outputs]. `keep`
   * [T, n] multiplies the state before each step: 0 resets it (default: all 1).
   */
  readonly sequence: (
    data: Data,
    scope: string,
    params: Parameters,
    x: Tensor,
    memory: readonly Tensor[],
    keep?: Tensor,
  ) => Tensor;
}

/** Fields that every module's data has. */
export interface AnyModuleData {
  /** Name of the definition; for encoders also the manifest's `arch`. */
  readonly kind: string;
  /** Width of the input. */
  readonly inputs: number;
  readonly outputs: number;
}

/** A part of an observation: an image [channels, height, width], or a vector. */
export type ObservationPart =
  | { readonly key: string; readonly image: ImageShape }
  | { readonly key: string; readonly size: number };

/** The observation that an encoder is built for, in the forms that the kinds of encoders read. */
export interface Observed {
  /** Size of the flattened observation. */
  size(): number;
  /** The image's [channels, height, width].
   * @throws SpecError when the observation is not an image. */
  image(): ImageShape;
  /** The parts, in the order of the network's input.
   * @throws SpecError when the observation has only one part. */
  parts(): readonly ObservationPart[];
}

/**
 * The functions of a kind of module. `Settings` is the resolved manifest section of an encoder of this kind.
 */
export interface ModuleDefinition<Data extends AnyModuleData, Settings = unknown> {
  readonly kind: Data["kind"];
  /** Schema of the data in agent files. */
  readonly schema: z.ZodType<Data>;
  /**
   * Builds an encoder's data. Missing for kinds that manifests cannot name.
   * @throws RangeError when the settings conflict with each other or do not fit the observation.
   */
  encoder?(observed: Observed, outputs: number, settings: Settings): Data;
  readonly methods: (data: Data) => readonly MutationMethod<Data>[];
  /** Key of the program's structure: modules with equal keys differ in widths at most. */
  readonly structureKey: (data: Data) => string;
  /** Tensors in order; `scope` (e.g. "encoder.") prefixes names and symbols. */
  readonly tensors: (data: Data, scope: string, ends: ModuleEnds) => TensorSpec[];
  /** Sizes of the symbols that the module itself defines (not those of its ends), under `scope`. */
  readonly widths: (data: Data, scope: string) => Record<string, number>;
  /** x [batch, inputs] -> [batch, outputs]. */
  readonly forward: (
    data: Data,
    scope: string,
    params: Parameters,
    x: Tensor,
    context?: ForwardContext,
  ) => Tensor;
  /** Only for recurrent kinds, whose `forward` is a step from a state of zeros. */
  readonly recurrent?: RecurrentDefinition<Data>;
  /** The hidden activation; null if the kind has none that can change. */
  readonly activation: (data: Data) => Activation | null;
  /** Replaces the hidden activation and, if `output` is true, the activation after the output layer. */
  readonly withActivation: (data: Data, activation: Activation, output: boolean) => Data;
  /** Only for kinds that read vectors. */
  readonly withInputs?: (data: Data, inputs: number) => Data;
  readonly withOutputs: (data: Data, outputs: number) => Data;
  /** Approximate number of values that all layers output for one observation. */
  readonly layerNumbers: (data: Data) => number;
  /** Short description of the hidden sizes, e.g. "64-64". */
  readonly describe: (data: Data) => string;
}
