/**
 * Matrices in workgroup memory: weights that a loop only reads, such as a policy's in a rollout, are copied
 * there before the loop if there is room. A member's table holds their addresses in vectors of 4; -1 if they
 * stay in the heap.
 */
import type { WgslFunction } from "./wgslFunction.ts";

/** Maximum requested from the adapter: with more, fewer workgroups run on a core at once. */
export const WORKGROUP_BYTES = 32_768;

const VECTOR_BYTES = 16;
/** The prelude's workgroup memory in addition to a word for each invocation, rounded up. */
const PRELUDE_BYTES = 64;

/** Bytes left for matrices, given a workgroup's memory and its number of invocations. */
export const stagingRoom = (workgroupBytes: number, workgroupSize: number): number =>
  Math.max(0, workgroupBytes - 4 * workgroupSize - PRELUDE_BYTES);

export const stagedMatrices = (bytes: number): string =>
  `var<workgroup> matrices: array<vec4<f32>, ${Math.floor(bytes / VECTOR_BYTES)}>;\n`;

/** The word of a table for a matrix at an offset in bytes; without one, the matrix stays in the heap. */
export const stagedWord = (offset: number | undefined): number =>
  offset === undefined ? -1 : offset / VECTOR_BYTES;

/** (place, matrix, rows, columns). Each row is padded to whole vectors with its last element. */
export const stageWgsl: WgslFunction = {
  parameters: ["to", "source", "rows", "columns"],
  code: `if (to < 0) { return; }
let across = (columns + 3) / 4;
for (var i = lid; i < rows * across; i += WG) {
  let row = source + (i / across) * columns;
  let c = (i % across) * 4;
  let last = columns - 1;
  matrices[to + i] = vec4<f32>(loadF(row + c), loadF(row + min(c + 1, last)), loadF(row + min(c + 2, last)), loadF(row + min(c + 3, last)));
}`,
};
