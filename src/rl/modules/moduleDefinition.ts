/**
 * What a kind of evolvable module consists of. A module itself is plain data; a definition holds the functions
 * over it.
 */
import type { z } from "zod";
import type { Random } from "../../evolution/random.ts";
import type { Axis, TensorSpec } from "../../evolution/tensorSpec.ts";
import type { Dim } from "../../kernels/dim.ts";
import type { Tensor } from "../../kernels/tensor.ts";
import type { Activation } from "../../specs/networks/Activation.ts";
import type { Convolutions } from "../../specs/networks/CnnSpec.ts";

/** What a mutation method drew, so that the same change can be made to other networks. */
export interface MutationArguments {
  /** Hidden layer, 0-based. */
  readonly hidden_layer?: number;
  /** Nodes added or removed. */
  readonly numb_new_nodes?: number;
  /** Channels added or removed. */
  readonly numb_new_channels?: number;
  /** Side of a convolution's new kernel. */
  readonly kernel_size?: number;
  /** Step of a new convolution. */
  readonly stride_size?: number;
}

export interface ModuleMutation<Data> {
  /** The changed data; the same object when a limit forbade the change. */
  readonly data: Data;
  /** The method that was applied in the end, after fallbacks. */
  readonly method: string;
  readonly args: MutationArguments;
}

export interface MutationMethod<Data> {
  /** The interface's name, e.g. "add_node". */
  readonly name: string;
  readonly type: "layer" | "node";
  /** Applies with the given arguments (brought into the module's own limits); draws those not given. */
  readonly apply: (data: Data, random: Random, args?: MutationArguments) => ModuleMutation<Data>;
}

/** A module's input and output axes, and where its width symbols belong, given by what is around it. */
export interface ModuleEnds {
  /** One axis, or those of an image [rows, columns, channels] that the module reads flattened. */
  readonly inputs?: readonly Axis[];
  readonly outputs?: Axis;
  /** Stands before symbols in place of the scope. */
  readonly symbols?: string;
}

/** What a forward pass may use beside parameters. */
export interface ForwardContext {
  /**
   * Standard normal numbers [size] for a side of the noisy layer called `layer` (its tensors' prefix); without it
   * noisy layers have their mean weights.
   */
  readonly noise?: (layer: string, side: "in" | "out", size: Dim) => Tensor;
  /** Told what each layer gives, after its normalisation and activation; `layer` is its tensors' prefix. */
  readonly watch?: (layer: string, output: Tensor) => void;
}

/** Tensors of a network or module in a program, by name. */
export type Parameters = Readonly<Record<string, Tensor>>;

/** What a recurrent module remembers from step to step, [n, size] each. */
export interface MemorySpec {
  readonly name: string;
  readonly size: number;
  /** Name of the size in a program, without the network's prefix. */
  readonly symbol: string;
}

/** How a module with memory computes. Memory is a list of tensors [n, size] as `memory` names them. */
export interface RecurrentDefinition<Data> {
  readonly memory: (data: Data, scope: string) => readonly MemorySpec[];
  /** One step: x [n, inputs] and the memory before it -> output [n, outputs] and the memory after it. */
  readonly step: (
    data: Data,
    scope: string,
    params: Parameters,
    x: Tensor,
    memory: readonly Tensor[],
    context?: ForwardContext,
  ) => { readonly output: Tensor; readonly memory: readonly Tensor[] };
  /**
   * Whole sequences: x [T, n, inputs] and the memory before the first step -> outputs [T, n, outputs]. `keep` [T, n]:
   * what the memory before a step is multiplied by, 0 where it starts anew; all 1 unless given.
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

/** What every module's data has. */
export interface AnyModuleData {
  /** Name of its definition; of encoders also the manifest's `arch`. */
  readonly kind: string;
  /** Numbers that it reads. */
  readonly inputs: number;
  readonly outputs: number;
}

/** A part of an observation: an image [channels, height, width], or a vector. */
export type ObservationPart =
  | { readonly key: string; readonly image: Convolutions["input_shape"] }
  | { readonly key: string; readonly size: number };

/** The observation that an encoder is made for, as its kind reads it. */
export interface Observed {
  /** Numbers of the observation, flattened. */
  size(): number;
  /** Its [channels, height, width].
   * @throws SpecError for an observation that is no image. */
  image(): Convolutions["input_shape"];
  /** In the order of the network's input.
   * @throws SpecError for an observation of one part. */
  parts(): readonly ObservationPart[];
}

/** `Settings`: what a manifest's section gives of an encoder of the kind, resolved. */
export interface ModuleDefinition<Data extends AnyModuleData, Settings = unknown> {
  readonly kind: Data["kind"];
  /** Its data as agent files have it. */
  readonly schema: z.ZodType<Data>;
  /**
   * An encoder's data. Kinds that no manifest names lack it.
   * @throws RangeError for settings that do not fit together, or not the observation.
   */
  encoder?(observed: Observed, outputs: number, settings: Settings): Data;
  readonly methods: (data: Data) => readonly MutationMethod<Data>[];
  /** What shapes a program: equal keys differ in widths at most. */
  readonly structureKey: (data: Data) => string;
  /** Tensors in order; `scope` ("encoder.") stands before names and symbols. */
  readonly tensors: (data: Data, scope: string, ends: ModuleEnds) => TensorSpec[];
  /** Sizes of the symbols it brings in itself (not those of its ends), under `scope`. */
  readonly widths: (data: Data, scope: string) => Record<string, number>;
  /** x [batch, inputs] -> [batch, outputs]. */
  readonly forward: (
    data: Data,
    scope: string,
    params: Parameters,
    x: Tensor,
    context?: ForwardContext,
  ) => Tensor;
  /** Kinds with memory have it; their `forward` is a step without any memory before. */
  readonly recurrent?: RecurrentDefinition<Data>;
  /** The hidden activation, null where the kind has none that can change. */
  readonly activation: (data: Data) => Activation | null;
  /** Other activations: the hidden one and, with `output`, the one after the output layer. */
  readonly withActivation: (data: Data, activation: Activation, output: boolean) => Data;
  /** Kinds that read vectors have it. */
  readonly withInputs?: (data: Data, inputs: number) => Data;
  readonly withOutputs: (data: Data, outputs: number) => Data;
  /** Numbers that its layers give for one observation, roughly. */
  readonly layerNumbers: (data: Data) => number;
  /** Short text of the hidden sizes, e.g. "64-64". */
  readonly describe: (data: Data) => string;
}
