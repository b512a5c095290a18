/** Named buffers that outlive a run: read and written in program order. */
import type { Shape } from "./dim.ts";
import { sameShape, shapeKey } from "./dim.ts";
import type { EffectOp, SourceOp } from "./op.ts";
import { requireType } from "./ops/operand.ts";
import type { DType, StateDecl, Tensor, Tracer } from "./tensor.ts";
import { currentRegion, emit } from "./tensor.ts";

export const readOp: SourceOp = { kind: "source", name: "read" };
export const writeOp: EffectOp = { kind: "effect", name: "write" };
export const writeRowsOp: EffectOp = { kind: "effect", name: "writeRows" };

/** Handle on a named buffer of the program being traced. */
export class State {
  readonly decl: StateDecl;
  readonly #tracer: Tracer;

  constructor(decl: StateDecl, tracer: Tracer) {
    this.decl = decl;
    this.#tracer = tracer;
  }

  #requireOwnProgram(): void {
    if (currentRegion().tracer !== this.#tracer)
      throw new Error(
        `state ${this.decl.name}: the handle belongs to another program; call state() where it is used`,
      );
  }

  /** The value at this point of the program. */
  read(): Tensor {
    this.#requireOwnProgram();
    const { name, shape, dtype } = this.decl;
    return emit(readOp, [], { name }, shape, dtype);
  }

  /** Replaces the whole value.
   * @throws RangeError when the shape differs. */
  write(value: Tensor): void {
    this.#requireOwnProgram();
    const { name, shape, dtype } = this.decl;
    if (!sameShape(value.shape, shape)) {
      throw new RangeError(`state ${name}: found shape ${shapeKey(value.shape)}, allowed ${shapeKey(shape)}`);
    }
    requireType(`state ${name}`, value, dtype);
    emit(writeOp, [value], { name }, shape, dtype);
  }

  /** Replaces the rows named by `index` (i32[B], in range, last write wins) with `rows` ([B, ...]). */
  writeRows(index: Tensor, rows: Tensor): void {
    this.#requireOwnProgram();
    const { name, shape, dtype } = this.decl;
    requireType(`state ${name} rows`, rows, dtype);
    requireType(`state ${name} index`, index, "i32");
    const expected = [...index.shape, ...shape.slice(1)];
    if (index.rank !== 1 || shape.length < 1) {
      throw new RangeError(
        `state ${name}: found ${shapeKey(shape)} and index ${shapeKey(index.shape)}; writeRows needs rows and a vector of indices`,
      );
    }
    if (!sameShape(rows.shape, expected)) {
      throw new RangeError(
        `state ${name}: found rows ${shapeKey(rows.shape)}, allowed ${shapeKey(expected)}`,
      );
    }
    emit(writeRowsOp, [index, rows], { name }, rows.shape, dtype);
  }
}

export interface StateOptions {
  readonly dtype?: DType;
  /** One buffer for all members of a worker. */
  readonly shared?: boolean;
}

/** Declares a buffer of the program being traced, or returns the one already declared under this name.
 * @throws TypeError when it was declared with a different shape or type. */
export function state(name: string, shape: Shape = [], options: StateOptions = {}): State {
  const { tracer } = currentRegion();
  const { states } = tracer;
  const known = states.get(name);
  const decl: StateDecl = { name, shape, dtype: options.dtype ?? "f32", shared: options.shared ?? false };
  if (known) {
    if (!sameShape(known.shape, shape) || known.dtype !== decl.dtype) {
      throw new TypeError(
        `state ${name}: declared as ${known.dtype}${shapeKey(known.shape)} and as ${decl.dtype}${shapeKey(shape)}`,
      );
    }
    return new State(known, tracer);
  }
  states.set(name, decl);
  return new State(decl, tracer);
}
