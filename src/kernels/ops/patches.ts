/**
 * Patches under a sliding window (im2col), which turn a convolution into a matrix product. Channels come
 * last, so that the product of patches and weights is again an image, without a transposition. A window's row
 * is one contiguous run of words (kernel width x channels), whatever its stride.
 */
import type { Dim, Shape } from "../dim.ts";
import { mulDims, shapeKey } from "../dim.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { requireType } from "./operand.ts";

/** A window over one to three spatial axes: its size and stride along each. */
export interface Window {
  readonly size: readonly number[];
  readonly stride: readonly number[];
}

/** Window and spatial sizes of an operation between images and patches. */
export interface Geometry extends Window {
  readonly [key: string]: unknown;
  /** Sizes of the image's spatial axes. */
  readonly image: readonly number[];
}

/** Number of places of the window along each axis of an image. */
export const placesOf = ({ image, size, stride }: Geometry): number[] =>
  image.map((length, d) => Math.floor((length - (size[d] ?? 1)) / (stride[d] ?? 1)) + 1);

/** Number of spatial axes of an operation between images and patches. */
export const rankOf = ({ attrs }: Tensor): number => (attrs as Geometry).image.length;

/** Visits each position in the patches with the matching position in the images [n, ..., channels]. */
export function eachPair(
  geometry: Geometry,
  images: number,
  channels: number,
  visit: (inPatches: number, inImage: number) => void,
): void {
  const { image, size, stride } = geometry;
  const places = placesOf(geometry);
  let at = 0;
  const walk = (axis: number, position: number, offsets: readonly number[]) => {
    if (axis < image.length) {
      for (let o = 0; o < (places[axis] ?? 0); o++)
        walk(axis + 1, position, [...offsets, o * (stride[axis] ?? 1)]);
      return;
    }
    const inside = axis - image.length;
    if (inside === image.length) {
      for (let c = 0; c < channels; c++) visit(at++, position * channels + c);
      return;
    }
    for (let k = 0; k < (size[inside] ?? 0); k++)
      walk(axis + 1, position * (image[inside] ?? 1) + (offsets[inside] ?? 0) + k, offsets);
  };
  for (let n = 0; n < images; n++) walk(0, n, []);
}

const patchesOp: KernelOp = {
  kind: "kernel",
  name: "patches",
  gradient: (n, g) => {
    const x = n.inputs[0] as Tensor;
    return [emit(foldPatchesOp, [g], n.attrs, x.shape, "f32")];
  },
  evaluate: ([x], node, e) => {
    const out = e.alloc();
    const [images = 0] = e.outShape;
    eachPair(node.attrs as Geometry, images, e.shapes[0]?.at(-1) ?? 0, (to, from) => {
      out[to] = x?.[from] ?? Number.NaN;
    });
    return out;
  },
};

/** The adjoint of patches: each element of the image is the sum of its copies. */
const foldPatchesOp: KernelOp = {
  kind: "kernel",
  name: "foldPatches",
  gradient: (n, g) => [patches(g, n.attrs as Geometry)],
  evaluate: ([x], node, e) => {
    const out = e.alloc();
    const [images = 0] = e.outShape;
    eachPair(node.attrs as Geometry, images, e.outShape.at(-1) ?? 0, (from, to) => {
      out[to] = e.round((out[to] ?? 0) + (x?.[from] ?? Number.NaN));
    });
    return out;
  },
};

function requireWindow(x: Tensor, { size, stride }: Window): readonly number[] {
  const image = x.shape.slice(1, -1);
  const rank = image.length;
  if (rank < 1 || rank > 3 || size.length !== rank || stride.length !== rank) {
    throw new RangeError(
      `patches: found images ${shapeKey(x.shape)}, window ${size.join(" x ")}, stride ${stride.join(" x ")}; allowed [images, 1 to 3 spatial axes, channels], with a size and a stride for each spatial axis`,
    );
  }
  return image.map((length, d) => {
    const [extent = 0, step = 0] = [size[d], stride[d]];
    if (typeof length !== "number")
      throw new RangeError(`patches: found spatial sizes ${shapeKey(image)}, allowed numbers`);
    if (!Number.isInteger(step) || step < 1)
      throw new RangeError(`patches: found stride ${step} along spatial axis ${d}, allowed integers from 1`);
    if (!Number.isInteger(extent) || extent < 1 || extent > length) {
      throw new RangeError(
        `patches: found a window of ${extent} along spatial axis ${d}, which has ${length}; allowed 1 to ${length}`,
      );
    }
    return length;
  });
}

/**
 * Windows of images [n, ...spatial, channels] -> [n, ...places, window elements x channels], with a place for
 * each step of the window within the image. Spatial sizes are numbers; n and channels may be symbols.
 * @throws RangeError for shapes or windows that do not fit.
 */
export function patches(x: Tensor, window: Window): Tensor {
  requireType("patches", x, "f32");
  const image = requireWindow(x, window);
  const geometry: Geometry = { size: window.size, stride: window.stride, image };
  const shape: Shape = [
    x.shape[0] as Dim,
    ...placesOf(geometry),
    mulDims(...window.size, x.shape.at(-1) as Dim),
  ];
  return emit(patchesOp, [x], geometry, shape, "f32");
}
