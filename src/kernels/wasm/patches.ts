/**
 * Patches of images and their adjoint. Both write their results in order and in whole vectors: lanes stored
 * past the end of a run are overwritten by the next run, or fall into the spare bytes after a buffer.
 */
import { FunctionBody } from "./encoder.ts";
import { forLoop, whileBelow } from "./loops.ts";

const [TO, FROM, IMAGES, CHANNELS] = [0, 1, 2, 3] as const;

/** Parameters of one spatial axis, and locals with the byte strides along it. */
interface Axis {
  readonly length: number;
  readonly places: number;
  readonly size: number;
  readonly stride: number;
  /** Bytes from one element of the image to the next along this axis. */
  readonly inImage: number;
  /** Bytes from one element of a window to the next. */
  readonly inWindow: number;
  /** Bytes from one place of the window to the next, in the patches. */
  readonly inPatches: number;
}

function axesOf(
  f: FunctionBody,
  rank: number,
): { axes: readonly Axis[]; imageBytes: number; patchBytes: number } {
  const axes: Axis[] = Array.from({ length: rank }, (_, d) => {
    const [length, places, size, stride] = [0, 1, 2, 3].map((k) => 4 + 4 * d + k) as [
      number,
      number,
      number,
      number,
    ];
    const [inImage, inWindow, inPatches] = f.i32s(3);
    return { length, places, size, stride, inImage, inWindow, inPatches };
  });
  const [imageBytes, patchBytes] = f.i32s(2);
  f.bytesOf(CHANNELS).tee(imageBytes).set(patchBytes);
  for (const { length, size, inImage, inWindow } of axes.toReversed()) {
    f.get(imageBytes).tee(inImage).get(length).op("i32.mul").set(imageBytes);
    f.get(patchBytes).tee(inWindow).get(size).op("i32.mul").set(patchBytes);
  }
  // From here on, `patchBytes` is the size of one patch.
  const places = f.local("i32");
  f.get(patchBytes).set(places);
  for (const { places: count, inPatches } of axes.toReversed())
    f.get(places).tee(inPatches).get(count).op("i32.mul").set(places);
  return { axes, imageBytes, patchBytes };
}

/** (patches, images, count, channels, then for each axis: length, places, size, stride). */
export function patchesKernel(rank: number): FunctionBody {
  const f = new FunctionBody(Array(4 + 4 * rank).fill("i32"));
  const { axes, imageBytes } = axesOf(f, rank);
  const [n, to, image, run, end, from, start] = f.i32s(7);
  const last = axes.at(-1) as Axis;
  f.get(last.size).get(last.inImage).op("i32.mul").set(run);
  f.get(TO).set(to).get(FROM).set(image);

  /** Copies a window whose first element is at `pointer`. */
  const copyWindow = (axis: number, pointer: number) => {
    if (axis < rank - 1) {
      const [k, row] = f.i32s(2);
      const { size, inImage } = axes[axis] as Axis;
      f.get(pointer).set(row);
      forLoop(f, k, size, 1, () => {
        copyWindow(axis + 1, row);
        f.advanceBy(row, inImage);
      });
      return;
    }
    f.get(to).set(start).sum(to, run).set(end);
    f.get(pointer).set(from);
    whileBelow(f, to, end, 16, () => {
      f.get(to).get(from).v128Load().v128Store();
      f.advance(from, 16);
    });
    f.get(end).set(to);
  };
  const walkPlaces = (axis: number, pointer: number) => {
    if (axis === rank) return copyWindow(0, pointer);
    const [o, place, step] = f.i32s(3);
    const { places, stride, inImage } = axes[axis] as Axis;
    f.get(stride).get(inImage).op("i32.mul").set(step);
    f.get(pointer).set(place);
    forLoop(f, o, places, 1, () => {
      walkPlaces(axis + 1, place);
      f.advanceBy(place, step);
    });
  };
  forLoop(f, n, IMAGES, 1, () => {
    walkPlaces(0, image);
    f.advanceBy(image, imageBytes);
  });
  return f;
}

/** (images, patches, count, channels, then for each axis: length, places, size, stride): sums of copies. */
export function foldKernel(rank: number): FunctionBody {
  const f = new FunctionBody(Array(4 + 4 * rank).fill("i32"));
  const { axes } = axesOf(f, rank);
  const [n, to, patches, allPatches, left, wide, channelBytes] = f.i32s(7);
  const totals = f.v128s(4);
  const first = axes[0] as Axis;
  f.get(first.inPatches).get(first.places).op("i32.mul").set(allPatches);
  f.bytesOf(CHANNELS).set(channelBytes);
  f.get(TO).set(to).get(FROM).set(patches);
  /**
   * Bytes from one place that covers an element to the next: a patch forward, a stride back in the window.
   */
  const steps = axes.map(({ inPatches, stride, inWindow }) => {
    const step = f.local("i32");
    f.get(inPatches).get(stride).get(inWindow).op("i32.mul").op("i32.sub").set(step);
    return step;
  });
  const counts = f.i32s(3).slice(0, rank);

  /** Adds the values at `pointer` in all places that cover the element. */
  const addPlaces = (axis: number, pointer: number, vectors: number) => {
    if (axis === rank) {
      for (const [v, total] of totals.slice(0, vectors).entries())
        f.get(total)
          .get(pointer)
          .v128Load(16 * v)
          .simd("f32x4.add")
          .set(total);
      return;
    }
    const [o, place] = f.i32s(2);
    f.get(pointer).set(place);
    forLoop(f, o, counts[axis] as number, 1, () => {
      addPlaces(axis + 1, place, vectors);
      f.advanceBy(place, steps[axis] as number);
    });
  };
  const sumChannels = (start: number) => {
    const block = (vectors: number) => {
      for (const total of totals.slice(0, vectors)) f.f32x4(0).set(total);
      addPlaces(0, start, vectors);
      for (const [v, total] of totals.slice(0, vectors).entries()) f.store(to, total, 16 * v);
      f.advance(start, 16 * vectors);
    };
    f.get(channelBytes).i32(-64).op("i32.and").get(to).op("i32.add").set(wide);
    f.sum(to, channelBytes).set(left);
    whileBelow(f, to, wide, 64, () => block(4));
    whileBelow(f, to, left, 16, () => block(1));
    f.get(left).set(to);
  };
  const walkElements = (axis: number, pointer: number) => {
    if (axis === rank) return sumChannels(pointer);
    const { length, places, size, stride, inPatches, inWindow } = axes[axis] as Axis;
    const [y, lowest, start] = f.i32s(3);
    const count = counts[axis] as number;
    forLoop(f, y, length, 1, () => {
      // Places lowest .. min(y / stride, places - 1) cover y.
      f.i32(0).set(lowest);
      f.get(y)
        .get(size)
        .op("i32.ge_s")
        .if(() =>
          f.get(y).get(size).op("i32.sub").get(stride).op("i32.div_s").i32(1).op("i32.add").set(lowest),
        );
      f.get(y).get(stride).op("i32.div_s").i32(1).op("i32.add").set(count);
      f.get(count)
        .get(places)
        .op("i32.gt_s")
        .if(() => f.get(places).set(count));
      f.get(count).get(lowest).op("i32.sub").set(count);
      f.get(pointer).get(lowest).get(inPatches).op("i32.mul").op("i32.add");
      f.get(y)
        .get(lowest)
        .get(stride)
        .op("i32.mul")
        .op("i32.sub")
        .get(inWindow)
        .op("i32.mul")
        .op("i32.add")
        .set(start);
      walkElements(axis + 1, start);
    });
  };
  forLoop(f, n, IMAGES, 1, () => {
    walkElements(0, patches);
    f.advanceBy(patches, allPatches);
  });
  return f;
}
