/** Code of a fused group: a loop nest over its iteration space, four elements at a time along the last axis. */

import { type Axis, groupLayout } from "../lowering/iteration.ts";
import type { GroupStep, StepArg } from "../lowering/schedule.ts";
import type { ElementwiseOp, Operands } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { ElementCode } from "./elementCode.ts";
import { ELEMENT_FORMS, reductionForm } from "./elementForms.ts";
import { FunctionBody } from "./encoder.ts";
import { forLoop, horizontal, storeTail, whileBelow } from "./loops.ts";

/**
 * Vectors computed side by side in chains with an exponential or the like. Such a chain waits for its own
 * results, and a core's scheduler looks only about two chains ahead. Measured on 64 x 64 values with a bias,
 * in cycles per vector for 1, 2, 3 and 4 vectors: exp 26, 22, 21, 19; ELU 24, 20, 20, 16;
 * GELU 40, 30, 31, 28; tanh 38, 31, 32, 29. Chains without such functions gain nothing
 * (Adam 8.7, 8.7, 8.6, 8.7).
 */
const ABREAST = 4;

export interface Kernel {
  readonly args: readonly StepArg[];
  readonly body: FunctionBody;
}

/** Kernel of a group; its parameters are operands, stores, reductions, then the sizes of the axes. */
export function fusedKernel(group: GroupStep): Kernel {
  const { operands, axes, args } = groupLayout(group);
  const pointers = args.length - axes.length;
  const f = new FunctionBody(Array(args.length).fill("i32"));
  const emitter = new GroupEmitter(f, group, operands, axes, pointers);
  emitter.nest(
    0,
    Array.from({ length: pointers }, (_, i) => i),
  );
  return { args, body: f };
}

/** Writes element-wise operations; `values` maps each to a local. */
export function emitChain(f: FunctionBody, nodes: readonly Tensor[], values: Map<Tensor, number>): void {
  const code = new ElementCode(f);
  for (const node of nodes) {
    if (values.has(node)) continue;
    const operands = node.inputs.map((t) => values.get(t)) as readonly number[] as Operands<number>;
    ELEMENT_FORMS[(node.op as ElementwiseOp).name](code, operands, node);
    values.set(node, code.keep());
  }
}

class GroupEmitter {
  readonly #f: FunctionBody;
  readonly #group: GroupStep;
  readonly #operands: readonly Tensor[];
  readonly #axes: readonly Axis[];
  readonly #firstDim: number;

  constructor(
    f: FunctionBody,
    group: GroupStep,
    operands: readonly Tensor[],
    axes: readonly Axis[],
    firstDim: number,
  ) {
    this.#f = f;
    this.#group = group;
    this.#operands = operands;
    this.#axes = axes;
    this.#firstDim = firstDim;
  }

  /** The loop over axis `level`, with the address of every pointer at this point. */
  nest(level: number, addresses: readonly number[]): void {
    const f = this.#f;
    if (level >= this.#axes.length - 1) {
      if (this.#axes.length === 0) this.#single(addresses);
      else this.#innermost(addresses);
      return;
    }
    const axis = this.#axes[level] as Axis;
    const own = addresses.map((a, k) => {
      if (!axis.spans[k]) return a;
      const local = f.local("i32");
      f.get(a).set(local);
      return local;
    });
    const strides = addresses.map((_, k) => (axis.spans[k] ? this.#stride(level, k) : -1));
    const i = f.local("i32");
    forLoop(f, i, this.#firstDim + level, 1, () => {
      this.nest(level + 1, own);
      own.forEach((a, k) => {
        if (axis.spans[k]) f.advanceBy(a, strides[k] as number);
      });
    });
  }

  /** Bytes between neighbours along an axis, for an operand that spans it. */
  #stride(level: number, pointer: number): number {
    const f = this.#f;
    const local = f.local("i32");
    f.i32(4);
    for (let inner = level + 1; inner < this.#axes.length; inner++) {
      if (this.#axes[inner]?.spans[pointer]) f.get(this.#firstDim + inner).op("i32.mul");
    }
    f.set(local);
    return local;
  }

  /** Code for a space of one element. */
  #single(addresses: readonly number[]): void {
    const f = this.#f;
    const values = new Map<Tensor, number>();
    this.#operands.forEach((t, k) => {
      const local = f.local("v128");
      f.splat(local, addresses[k] as number);
      values.set(t, local);
    });
    emitChain(f, this.#group.nodes, values);
    this.#group.stores.forEach(({ value }, i) => {
      f.get(addresses[this.#operands.length + i] as number)
        .get(values.get(value) as number)
        .v128Store32Lane(0);
    });
  }

  #innermost(addresses: readonly number[]): void {
    const f = this.#f;
    const { nodes, stores, reductions } = this.#group;
    const axis = this.#axes.at(-1) as Axis;
    const size = this.#firstDim + this.#axes.length - 1;
    const [main, rest, j] = f.i32s(3);
    f.bytesOf(size).i32(-16).op("i32.and").set(main);
    f.get(size).i32(3).op("i32.and").set(rest);

    const hoisted = new Map<Tensor, number>();
    this.#operands.forEach((t, k) => {
      if (axis.spans[k]) return;
      const local = f.local("v128");
      f.splat(local, addresses[k] as number);
      hoisted.set(t, local);
    });
    for (const node of nodes) if (node.op.name === "constant") emitChain(f, [node], hoisted);
    const totals = reductions.map(({ node }) => {
      const local = f.local("v128");
      f.f32x4(reductionForm(node).start).set(local);
      return local;
    });

    const address = (pointer: number) => f.sum(addresses[pointer] as number, j);
    const load = (v: number) => {
      const values = new Map(hoisted);
      this.#operands.forEach((t, k) => {
        if (!axis.spans[k]) return;
        const local = f.local("v128");
        address(k)
          .v128Load(16 * v)
          .set(local);
        values.set(t, local);
      });
      return values;
    };
    const accumulate = (values: Map<Tensor, number>, masked: boolean) =>
      reductions.forEach(({ node }, i) => {
        const total = totals[i] as number;
        f.get(total).get(values.get(node.inputs[0] as Tensor) as number);
        const { start, combine } = reductionForm(node);
        if (masked) {
          f.f32x4(start)
            .i32x4(0, 1, 2, 3)
            .get(rest)
            .simd("i32x4.splat")
            .simd("i32x4.lt_s")
            .simd("v128.bitselect");
        }
        f.simd(combine).set(total);
      });
    const vectors = (count: number) => {
      const abreast = Array.from({ length: count }, (_, v) => load(v));
      for (const values of abreast) emitChain(f, nodes, values);
      for (const [v, values] of abreast.entries()) {
        stores.forEach(({ value }, i) => {
          address(this.#operands.length + i)
            .get(values.get(value) as number)
            .v128Store(16 * v);
        });
        accumulate(values, false);
      }
    };
    const remainder = () => {
      const values = load(0);
      emitChain(f, nodes, values);
      stores.forEach(({ value }, i) => {
        const to = f.local("i32");
        address(this.#operands.length + i).set(to);
        storeTail(f, to, values.get(value) as number, rest);
      });
      accumulate(values, true);
    };
    f.i32(0).set(j);
    if (nodes.some((node) => node.op.costly)) {
      const most = f.local("i32");
      f.get(main)
        .i32(-16 * ABREAST)
        .op("i32.and")
        .set(most);
      whileBelow(f, j, most, 16 * ABREAST, () => vectors(ABREAST));
    }
    whileBelow(f, j, main, 16, () => vectors(1));
    f.get(rest).if(() => {
      f.get(main).set(j);
      remainder();
    });
    reductions.forEach(({ node }, i) => {
      f.get(addresses[this.#operands.length + stores.length + i] as number);
      horizontal(f, totals[i] as number, reductionForm(node).combine);
      f.f32Store();
    });
  }
}
