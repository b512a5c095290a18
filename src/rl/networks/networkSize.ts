/** The size of a network, computed from its data without allocating weights. */
import { axisSize, type TensorSpec, tensorShape, tensorSize } from "../../evolution/members.ts";
import { total } from "../modules/layers.ts";
import { definitionOf } from "../modules/moduleData.ts";
import type { NetworkData } from "./networkData.ts";
import { networkTensors } from "./networkTensors.ts";

export interface NetworkSize {
  readonly weights: number;
  readonly tensors: number;
  /** How many numbers the largest tensor has. */
  readonly largest: number;
  /** Numbers in all vectors. */
  readonly vectors: number;
  /** Rows and columns of all matrices together: the numbers of a vector for each side. */
  readonly sides: number;
  /** Approximate number of values that all layers output for one observation, without a shared encoder. */
  readonly activations: number;
  /** Multiplications and additions needed to draw the initial weights. */
  readonly drawing: number;
}

/** Operations to draw a tensor. Orthogonal weights are made vector by vector: cubic in the size. */
function drawingOf(spec: TensorSpec): number {
  const size = tensorSize(spec);
  if (spec.init.kind !== "orthogonal") return size;
  const columns = axisSize(spec.axes.at(-1) ?? []);
  return 2 * size * Math.min(columns, size / columns);
}

/** Rows and columns of a tensor as a matrix; 0 for a vector. */
function sidesOf(spec: TensorSpec): number {
  const shape = tensorShape(spec);
  const columns = shape.at(-1) ?? 1;
  return shape.length < 2 ? 0 : tensorSize(spec) / columns + columns;
}

export function networkSize(data: NetworkData): NetworkSize {
  const specs = networkTensors(data);
  const sizes = specs.map(tensorSize);
  const { encoder, head } = data;
  const own = encoder !== null && encoder !== "shared" ? definitionOf(encoder).layerNumbers(encoder) : 0;
  return {
    weights: total(sizes),
    tensors: specs.length,
    largest: Math.max(0, ...sizes),
    vectors: total(specs.filter(({ axes }) => axes.length < 2).map(tensorSize)),
    sides: total(specs.map(sidesOf)),
    activations: own + definitionOf(head).layerNumbers(head),
    drawing: total(specs.map(drawingOf)),
  };
}
