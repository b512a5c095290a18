/** A model's weights on a device, shared by all policies that use it. */
import {
  type Arena,
  type Device,
  packedHalves,
  packedInt8,
  type StateDecl,
  type WasmArena,
  WasmDevice,
} from "../../kernels/index.ts";
import { reasonOf } from "../../storage/files.ts";
import type { FloatsPart } from "../../storage/index.ts";
import type { ModelParts } from "../models/loadModelParts.ts";
import { type ModelConfig, type WeightDecl, weightsOf } from "../models/ModelConfig.ts";
import { baseName, baseStates, packedWeights, scalesName } from "../models/WeightSource.ts";
import { POSITIONS } from "./names.ts";
import { positionTables, tableStates } from "./rotaryTables.ts";

/** Whether WebGPU is available in this browser. onnxruntime cannot use a GPU in Node. */
export const browserHasGpu = (): boolean => typeof navigator !== "undefined" && navigator.gpu !== undefined;

/**
 * Opens a device of onnxruntime's WebGPU provider, loading its files on first use. The caller must close it.
 * @throws Error if there is no GPU, or the files cannot be loaded.
 */
export async function openGpu(): Promise<Device> {
  if (!browserHasGpu())
    throw new Error(
      'device: found "webgpu", which language models support only in a browser with WebGPU; allowed here: "cpu", "wasm"',
    );
  const { OnnxDevice } = await import("../../kernels/onnx/OnnxDevice.ts");
  return OnnxDevice.open({ provider: "webgpu" });
}

/** Sequence lengths to round up to where every length needs its own compiled program. */
const BUCKETS = [1, 16, 32, 64, 128, 256, 512, 1024];

/** `length` rounded up to a bucket. */
const bucketOf = (length: number): number =>
  BUCKETS.find((bucket) => bucket >= length) ?? Math.ceil(length / 1024) * 1024;

/** Buffers that all policies read: tables of positions, and base weights. */
const statesOf = (
  config: ModelConfig,
  positions: number,
  weights: readonly WeightDecl[],
): readonly StateDecl[] => [...tableStates(config, positions), ...weights.flatMap(baseStates)];

function writeTables(arena: Arena, config: ModelConfig, positions: number): void {
  for (const [name, table] of positionTables(config, positions)) arena.write(name, table);
}

export interface ModelOptions {
  /** Longest sequence, at most the model's own limit. */
  readonly positions: number;
  /**
   * Whether each size of a program is compiled separately, so that there should be few sizes
   * (default: true except on wasm).
   */
  readonly bound_sizes?: boolean;
  /**
   * How the device keeps weights that are read from files: "f16" takes half the memory, "q8" a quarter (default: "f32").
   * onnxruntime keeps all weights as f32.
   */
  readonly weight_storage?: WeightStorage;
}

/** How a device keeps the weights of a base. */
export const WEIGHT_STORAGES = ["f32", "f16", "q8"] as const;
export type WeightStorage = (typeof WEIGHT_STORAGES)[number];

/** Writes a part of a weight: whole rows, if it is packed. @throws RangeError naming the weight and what to do. */
function writePart(arena: Arena, { name, shape, packing }: WeightDecl, { first, values }: FloatsPart): void {
  const columns = shape.at(-1) ?? 1;
  try {
    if (packing === undefined) arena.write(baseName(name), values, first);
    else if (packing === "f16") arena.write(baseName(name), packedHalves(values), first / 2);
    else {
      const { words, scales } = packedInt8(values, columns);
      arena.write(baseName(name), words, first / 4);
      arena.write(scalesName(name), scales, first / columns);
    }
  } catch (error) {
    if (packing === undefined || !(error instanceof RangeError)) throw error;
    throw new RangeError(`weight_storage: ${packing} cannot keep ${name}: ${reasonOf(error)}; use f32`);
  }
}

/** Weights of the base model, and tables that all policies read. */
export class ModelOnDevice {
  readonly config: ModelConfig;
  readonly weights: readonly WeightDecl[];
  readonly device: Device;
  /** Longest sequence: the number of rows in the rotary tables. */
  readonly positions: number;
  /** Whether batches are padded to one of a few sizes. */
  readonly bound_sizes: boolean;
  readonly #arena: Arena;

  private constructor(
    config: ModelConfig,
    weights: readonly WeightDecl[],
    device: Device,
    { positions, bound_sizes = device.kind !== "wasm" }: ModelOptions,
    arena: Arena,
  ) {
    this.config = config;
    this.weights = weights;
    this.device = device;
    this.positions = positions;
    this.bound_sizes = bound_sizes;
    this.#arena = arena;
  }

  /** @param weights The base weights by name; `null` if each policy has its own copy of all weights. */
  static open(
    config: ModelConfig,
    weights: Iterable<readonly [string, Float32Array]> | null,
    device: Device,
    options: ModelOptions,
  ): ModelOnDevice {
    const { positions } = options;
    const declared = weightsOf(config);
    const states = statesOf(config, positions, weights === null ? [] : declared);
    const arena = device.arena(states, { [POSITIONS]: positions });
    for (const [name, values] of weights ?? []) arena.write(baseName(name), values);
    writeTables(arena, config, positions);
    return new ModelOnDevice(config, declared, device, options, arena);
  }

  /**
   * As {@link ModelOnDevice.open} with a model's base weights, which are read from its files in parts, if it has any.
   * Devices on one heap have one copy of them.
   * @throws As `StoredWeights.parts` does; OutOfMemoryError or GpuFault if the device has too little memory.
   */
  static async load(
    { config, weights, stored }: Pick<ModelParts, "config" | "weights" | "stored">,
    device: Device,
    options: ModelOptions,
  ): Promise<ModelOnDevice> {
    if (!stored) return ModelOnDevice.open(config, weights, device, options);
    const { positions, weight_storage = "f32" } = options;
    const packs = weight_storage !== "f32" && device.kind !== "onnx";
    const declared = packs ? packedWeights(weightsOf(config), weight_storage) : weightsOf(config);
    const named = new Map(declared.map((weight) => [weight.name, weight]));
    const fill = async (arena: Arena, progress: () => void = () => undefined): Promise<void> => {
      for await (const { name, ...part } of stored.parts()) {
        writePart(arena, named.get(name) as WeightDecl, part); // what is stored has been compared with what is declared
        progress();
      }
      writeTables(arena, config, positions);
    };
    const made = async (): Promise<Arena> => {
      const [states, binding] = [statesOf(config, positions, declared), { [POSITIONS]: positions }];
      if (device instanceof WasmDevice) return device.commonArena(states, binding, fill);
      const arena = device.arena(states, binding);
      await fill(arena).catch((error: unknown) => {
        arena.release();
        throw error;
      });
      return arena;
    };
    return new ModelOnDevice(config, declared, device, options, await made());
  }

  get bytes(): number {
    return this.#arena.bytes;
  }

  /** Allocates buffers for states other than the base weights. */
  arena(states: Iterable<StateDecl>, binding: Readonly<Record<string, number>> = {}, inside?: Arena): Arena {
    return this.device.arena(states, { [POSITIONS]: this.positions, ...binding }, inside ?? this.#arena);
  }

  /** The values of a buffer that all policies read. On wasm a view, which the device's next allocation may end. */
  async held(name: string): Promise<Float32Array> {
    const held = "view" in this.#arena ? (this.#arena as WasmArena).view(name) : await this.#arena.read(name);
    return held as Float32Array; // all are f32
  }

  /** Columns of a program for `length` tokens; rounded up if each size is compiled separately. */
  columnsFor(length: number): number {
    if (!this.bound_sizes) return length;
    return Math.max(length, Math.min(bucketOf(length), this.positions));
  }

  release(): void {
    this.#arena.release();
  }
}
