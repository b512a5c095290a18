/** Nodes of a tensor program and the regions that hold them while a TypeScript function is traced. */
import type { Dim, Shape } from "./dim.ts";
import { sameDim, shapeKey } from "./dim.ts";
import type { Op } from "./op.ts";

/** Element types. `bool` is a lane mask (all bits set or none), stored in 4 bytes like the others. */
export type DType = "f32" | "i32" | "u32" | "bool";

export type Attrs = Readonly<Record<string, unknown>>;

/** One value of a program: the result of an operation, without data. */
export class Tensor {
  readonly op: Op;
  readonly inputs: readonly Tensor[];
  readonly attrs: Attrs;
  readonly shape: Shape;
  readonly dtype: DType;
  readonly region: Region;
  /** Position in trace order, unique in the program. */
  readonly id: number;

  constructor(op: Op, inputs: readonly Tensor[], attrs: Attrs, shape: Shape, dtype: DType, region: Region) {
    this.op = op;
    this.inputs = inputs;
    this.attrs = attrs;
    this.shape = shape;
    this.dtype = dtype;
    this.region = region;
    this.id = region.tracer.nextId++;
  }

  get rank(): number {
    return this.shape.length;
  }

  toString(): string {
    return `%${this.id} = ${this.op.name}(${this.inputs.map((t) => `%${t.id}`).join(", ")}) ${this.dtype}${shapeKey(this.shape)}`;
  }
}

/** A named buffer that outlives a run of a program: a parameter, a counter, an input, an output. */
export interface StateDecl {
  readonly name: string;
  readonly shape: Shape;
  readonly dtype: DType;
  /** True when every member of a worker sees the same buffer (the replay buffer). */
  readonly shared: boolean;
}

export interface Tracer {
  nextId: number;
  readonly states: Map<string, StateDecl>;
}

/** A list of operations in trace order: a whole program, or the body of a scan. */
export class Region {
  readonly nodes: Tensor[] = [];
  readonly parent: Region | null;
  readonly tracer: Tracer;

  constructor(parent: Region | null, tracer: Tracer) {
    this.parent = parent;
    this.tracer = tracer;
  }

  /** Whether values of `other` can be used here: it is this region or one around it. */
  sees(other: Region): boolean {
    for (let region: Region | null = this; region; region = region.parent) if (region === other) return true;
    return false;
  }
}

let current: Region | null = null;

/** The region being traced.
 * @throws Error outside `trace`. */
export function currentRegion(): Region {
  if (!current)
    throw new Error("tensor operations can only be called while a program is traced (see trace())");
  return current;
}

/** Runs `body` with `region` receiving new operations. */
export function inRegion<T>(region: Region, body: () => T): T {
  const before = current;
  current = region;
  try {
    return body();
  } finally {
    current = before;
  }
}

/** Appends an operation to the region being traced. */
export function emit(op: Op, inputs: readonly Tensor[], attrs: Attrs, shape: Shape, dtype: DType): Tensor {
  const region = currentRegion();
  for (const input of inputs) {
    if (!region.sees(input.region)) {
      throw new Error(
        `${op.name}: operand ${input} belongs to a region that is closed; return it from the scan instead`,
      );
    }
  }
  const node = new Tensor(op, inputs, attrs, shape, dtype, region);
  region.nodes.push(node);
  return node;
}

/** Shape of `a` and `b` broadcast as in NumPy; a dimension stretches only when it is the literal 1.
 * @throws RangeError naming both shapes. */
export function broadcastShapes(what: string, a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length);
  const result: Dim[] = [];
  for (let i = 0; i < rank; i++) {
    const da = a[a.length - rank + i] ?? 1;
    const db = b[b.length - rank + i] ?? 1;
    if (sameDim(da, db) || db === 1) result.push(da);
    else if (da === 1) result.push(db);
    else
      throw new RangeError(
        `${what}: shapes ${shapeKey(a)} and ${shapeKey(b)} do not broadcast (dimension ${i})`,
      );
  }
  return result;
}
