/**
 * Makes tensor programs from recipes. An instruction picks its operands among the values made so far by
 * number; one that finds none is skipped.
 *
 * In the "exact" flavour every value is a small integer held in f32, so that any order of additions gives
 * the same bits and a target must equal the reference evaluator exactly. The "smooth" flavour has bounded
 * differentiable functions only, for gradients against finite differences.
 */
import type { Binding, Dim, Shape, State, Tensor } from "../../../src/kernels/index.ts";
import * as k from "../../../src/kernels/index.ts";
import { evalDim, sameDim, sameShape, sizeOf } from "../../../src/kernels/index.ts";
import {
  dimsOf,
  type Instruction,
  MOST_PICK,
  type ProgramRecipe,
  type RecipeDims,
  statesOf,
} from "./recipes.ts";

export type Flavour = "exact" | "smooth";

/** Largest magnitude a value may reach; sums and products of such values stay exact in f32. */
const LIMIT = 2 ** 20;
/** What states and carried values are limited to. */
export const SMALL = 8;
const MOST_ELEMENTS = 300;

/** A value with what the generator knows about it. */
interface Entry {
  readonly tensor: Tensor;
  /** f32: largest magnitude; index: exclusive upper limit by `below`. */
  readonly bound: number;
  readonly below?: Dim;
}

export class ProgramBuilder {
  readonly #binding: Binding;
  readonly #dims: RecipeDims;
  readonly #states: readonly { name: string; shape: Shape }[];
  readonly #flavour: Flavour;
  #pool: Entry[] = [];

  constructor(recipe: ProgramRecipe, flavour: Flavour) {
    this.#binding = recipe.binding;
    this.#dims = dimsOf(recipe);
    const states = statesOf(this.#dims);
    const start = recipe.seed % states.length;
    const rotated = [...states.slice(start), ...states.slice(0, start)];
    this.#states = flavour === "exact" ? rotated.slice(0, recipe.focus) : states;
    this.#flavour = flavour;
  }

  /** Values of a type that can be used here. */
  #of(dtype: "f32" | "bool" | "i32", fits: (e: Entry) => boolean = () => true): Entry[] {
    return this.#pool.filter((e) => e.tensor.dtype === dtype && fits(e));
  }

  #pick<T>(list: readonly T[], n: number | undefined): T | undefined {
    // Young values are chosen more often, so that chains get long and little is dead code.
    return list[list.length - 1 - Math.floor(((n ?? 0) / MOST_PICK) ** 2 * list.length)];
  }

  #size(shape: Shape): number {
    return evalDim(sizeOf(shape), this.#binding);
  }

  #add(tensor: Tensor, bound: number, below?: Dim): void {
    if (this.#size(tensor.shape) > MOST_ELEMENTS) return;
    this.#pool.push(below === undefined ? { tensor, bound } : { tensor, bound, below });
  }

  /** The value with its magnitude brought to at most `limit`. */
  #limited({ tensor, bound }: Entry, limit = SMALL): Tensor {
    if (bound <= limit) return tensor;
    return this.#flavour === "smooth" ? k.tanh(k.mul(tensor, 1 / bound)) : k.clip(tensor, -limit, limit);
  }

  start(): void {
    for (const { name, shape } of this.#states) this.#add(k.state(name, shape).read(), SMALL);
    if (this.#flavour === "exact") {
      this.#pool.push({ tensor: this.#mask().read(), bound: 1 });
      this.#pool.push({ tensor: this.#places().read(), bound: 0, below: this.#dims.A });
    }
  }

  /** Starts from the given values instead of reads of the states. */
  adopt(inputs: readonly Tensor[]): void {
    for (const tensor of inputs) this.#add(tensor, SMALL);
  }

  #mask(): State {
    return k.state("mask", [this.#dims.A], { dtype: "bool" });
  }

  #places(): State {
    return k.state("places", [this.#dims.A], { dtype: "i32" });
  }

  run(instructions: readonly Instruction[]): void {
    for (const instruction of instructions) this.#instruction(instruction);
  }

  /** Writes some of the values to outputs. */
  finish(outputs: readonly number[]): void {
    outputs.forEach((n, i) => {
      const entry = this.#pick(this.#pool, n);
      if (!entry) return;
      const { tensor } = entry;
      k.state(`out${i}`, tensor.shape, { dtype: tensor.dtype }).write(tensor);
    });
  }

  /** A scalar that depends on the chosen values, each counted with different weights. */
  loss(outputs: readonly number[]): Tensor {
    const chosen = outputs.flatMap((n) => this.#pick(this.#of("f32"), n) ?? []);
    return chosen
      .map((e, i) => {
        const y = this.#limited(e, 1);
        return k.sumAll(k.mul(y, k.add(k.mul(y, 0.3), 1 + i)));
      })
      .reduce((a, b) => k.add(a, b));
  }

  #instruction({ kind, picks: p, body }: Instruction): void {
    const smooth = this.#flavour === "smooth";
    const x = this.#pick(this.#of("f32"), p[0]);
    if (!x) return;
    switch (kind) {
      case "unary":
        return this.#unary(x, p);
      case "binary":
        return this.#binary(x, p);
      case "select":
        return smooth ? undefined : this.#select(x, p);
      case "reduce":
        return this.#reduce(x, p);
      case "matmul":
        return this.#matmul(x, p);
      case "transpose": {
        const m = this.#pick(
          this.#of("f32", (e) => e.tensor.rank === 2),
          p[0],
        );
        return m && this.#add(k.transpose(m.tensor), m.bound);
      }
      case "reshape":
        return this.#reshape(p);
      case "takeRows": {
        const index = this.#pick(
          this.#of("i32", (e) => e.tensor.rank === 1),
          p[1],
        );
        const from = this.#pick(
          this.#of(
            "f32",
            (e) => e.tensor.rank > 0 && !!index?.below && sameDim(e.tensor.shape[0] as Dim, index.below),
          ),
          p[0],
        );
        return index && from && this.#add(k.takeRows(from.tensor, index.tensor), from.bound);
      }
      case "sumRowsAt": {
        const index = this.#pick(
          this.#of("i32", (e) => e.tensor.rank === 1),
          p[1],
        );
        const rows = this.#pick(
          this.#of(
            "f32",
            (e) =>
              e.tensor.rank > 0 && !!index && sameDim(e.tensor.shape[0] as Dim, index.tensor.shape[0] as Dim),
          ),
          p[0],
        );
        if (!index || index.below === undefined || !rows) return;
        const factor = evalDim(index.tensor.shape[0] as Dim, this.#binding);
        this.#add(k.sumRowsAt(this.#limited(rows), index.tensor, index.below), SMALL * factor);
        return;
      }
      case "join":
        return this.#join(x, p);
      case "slice":
        return this.#slice(p);
      case "index":
        return this.#index(x, p);
      case "read": {
        if (smooth) return;
        const known = this.#pick(this.#states, p[0]);
        return known && this.#add(k.state(known.name, known.shape).read(), SMALL);
      }
      case "write":
        return smooth ? undefined : this.#write(p);
      case "writeRows":
        return smooth ? undefined : this.#writeRows(p);
      case "grad":
        return smooth ? undefined : this.#gradient(x, p);
      case "scan":
        return this.#scan(p, body);
    }
  }

  #unary(x: Entry, p: readonly number[]): void {
    const t = x.tensor;
    if (this.#flavour === "smooth") {
      const made = [
        () => k.tanh(t),
        () => k.neg(t),
        () => k.sin(t),
        () => k.exp(k.mul(this.#limited(x, 1), 0.5)),
        () => k.standardize(k.reshape(t, [sizeOf(t.shape)])),
        () => k.sqrt(k.add(k.square(this.#limited(x, 1)), 0.5)),
      ];
      const tensor = made[(p[1] ?? 0) % made.length]?.();
      if (tensor) this.#add(tensor, Math.max(x.bound, 4));
      return;
    }
    const made = [
      () => k.neg(t),
      () => k.abs(t),
      () => k.floor(k.mul(t, 0.5)),
      () => k.maximum(t, 0),
      () => k.clip(t, -3, 3),
      () => k.stopGradient(t),
      () => k.cast(k.cast(t, "i32"), "f32"),
      () => k.broadcastTo(t, [2, ...t.shape]),
    ];
    const tensor = made[(p[1] ?? 0) % made.length]?.();
    if (tensor) this.#add(tensor, x.bound);
  }

  #binary(x: Entry, p: readonly number[]): void {
    const y = this.#pick(
      this.#of("f32", (e) => this.#broadcast(x, e) !== null),
      p[1],
    );
    if (!y) return;
    const variants = this.#flavour === "smooth" ? 3 : 5;
    const which = (p[2] ?? 0) % variants;
    const large = which === 2 ? x.bound * y.bound > LIMIT : x.bound + y.bound > LIMIT;
    const [a, b] = large ? [this.#limited(x), this.#limited(y)] : [x.tensor, y.tensor];
    const [ba, bb] = large ? [SMALL, SMALL] : [x.bound, y.bound];
    if (which === 0) this.#add(k.add(a, b), ba + bb);
    else if (which === 1) this.#add(k.sub(a, b), ba + bb);
    else if (which === 2) this.#add(k.mul(a, b), ba * bb);
    else if (which === 3) this.#add(k.minimum(a, b), Math.max(ba, bb));
    else this.#add(k.maximum(a, b), Math.max(ba, bb));
  }

  /** The broadcast shape of two values, or null. */
  #broadcast(x: Entry, y: Entry): Shape | null {
    const [a, b] = [x.tensor.shape, y.tensor.shape];
    const rank = Math.max(a.length, b.length);
    const shape: Dim[] = [];
    for (let i = 0; i < rank; i++) {
      const [da, db] = [a[a.length - rank + i] ?? 1, b[b.length - rank + i] ?? 1];
      if (sameDim(da, db) || db === 1) shape.push(da);
      else if (da === 1) shape.push(db);
      else return null;
    }
    return shape;
  }

  #select(x: Entry, p: readonly number[]): void {
    const y = this.#pick(
      this.#of("f32", (e) => this.#broadcast(x, e) !== null),
      p[1],
    );
    if (!y) return;
    const compare = [k.less, k.lessEqual, k.greater, k.greaterEqual, k.equal][(p[2] ?? 0) % 5];
    let condition = (compare as typeof k.less)(x.tensor, y.tensor);
    const other = this.#pick(
      this.#of("bool", (e) => sameShape(e.tensor.shape, condition.shape)),
      p[3],
    );
    if (other) {
      const joined = [k.and(condition, other.tensor), k.or(condition, k.not(other.tensor)), condition];
      condition = joined[(p[4] ?? 0) % 3] as Tensor;
    }
    this.#add(condition, 1);
    this.#add(k.select(condition, x.tensor, y.tensor), Math.max(x.bound, y.bound));
    if ((p[5] ?? 0) % 3 === 0) this.#add(k.cast(condition, "f32"), 1);
  }

  #reduce(x: Entry, p: readonly number[]): void {
    if (x.tensor.rank === 0) return;
    const axis = (p[1] ?? 0) % x.tensor.rank;
    const keep = (p[2] ?? 0) % 2 === 0;
    const size = evalDim(x.tensor.shape[axis] as Dim, this.#binding);
    if ((p[3] ?? 0) % 3 === 0 && this.#flavour === "exact") {
      this.#add(k.max(x.tensor, axis, keep), x.bound);
      return;
    }
    const limited = x.bound * size > LIMIT;
    this.#add(k.sum(limited ? this.#limited(x) : x.tensor, axis, keep), (limited ? SMALL : x.bound) * size);
  }

  #matmul(x: Entry, p: readonly number[]): void {
    const left =
      x.tensor.rank >= 2
        ? x
        : this.#pick(
            this.#of("f32", (e) => e.tensor.rank === 2),
            p[0],
          );
    if (!left) return;
    const a = this.#limited(left, this.#flavour === "smooth" ? 1 : SMALL);
    const modes = [
      { transposeA: false, transposeB: false },
      { transposeA: true, transposeB: false },
      { transposeA: false, transposeB: true },
    ];
    const mode = modes[(p[2] ?? 0) % (a.rank === 2 ? 3 : 1)];
    if (!mode) return;
    const depth = (mode.transposeA ? a.shape[0] : a.shape.at(-1)) as Dim;
    const right = this.#pick(
      this.#of(
        "f32",
        (e) => e.tensor.rank === 2 && sameDim(e.tensor.shape[mode.transposeB ? 1 : 0] as Dim, depth),
      ),
      p[1],
    );
    if (!right) return;
    const b = this.#limited(right, this.#flavour === "smooth" ? 1 : SMALL);
    const columns = b.shape[mode.transposeB ? 0 : 1] as Dim;
    const bias = this.#pick(
      this.#of("f32", (e) => e.tensor.rank === 1 && sameDim(e.tensor.shape[0] as Dim, columns)),
      p[3],
    );
    const withBias = bias && (p[4] ?? 0) % 2 === 0;
    const product = k.matmul(a, b, withBias ? { ...mode, bias: this.#limited(bias) } : mode);
    this.#add(product, SMALL * SMALL * evalDim(depth, this.#binding) + SMALL);
  }

  #reshape(p: readonly number[]): void {
    const entry = this.#pick(this.#pool, p[0]);
    if (!entry || entry.below !== undefined) return;
    const { shape } = entry.tensor;
    const shapes: Shape[] = [[sizeOf(shape)], [1, ...shape], [...shape, 1], [...shape].reverse()];
    this.#add(k.reshape(entry.tensor, shapes[(p[1] ?? 0) % shapes.length] as Shape), entry.bound);
  }

  #join(x: Entry, p: readonly number[]): void {
    if (x.tensor.rank === 0) return;
    const lead = x.tensor.shape.slice(0, -1);
    const others = this.#of("f32", (e) => e.tensor.rank > 0 && sameShape(e.tensor.shape.slice(0, -1), lead));
    const y = this.#pick(others, p[1]) ?? x;
    const z = this.#pick(others, p[2]) ?? x;
    const bound = Math.max(x.bound, y.bound, z.bound);
    if (x.tensor.rank === 1 && sameShape(x.tensor.shape, y.tensor.shape) && (p[3] ?? 0) % 2 === 0)
      this.#add(k.stackColumns([x.tensor, y.tensor]), bound);
    else this.#add(k.concat([x.tensor, y.tensor, z.tensor].slice(0, 1 + ((p[4] ?? 0) % 3))), bound);
  }

  #slice(p: readonly number[]): void {
    const x = this.#pick(
      this.#of("f32", (e) => e.tensor.rank > 0),
      p[0],
    );
    if (!x) return;
    const last = x.tensor.shape.at(-1) as Dim;
    const made = [
      () => k.slice(x.tensor, 0, 1),
      () => k.slice(x.tensor, k.subDims(last, 1), 1),
      () => k.slice(x.tensor, 1, k.subDims(last, 1)),
      () => k.column(x.tensor, 0),
    ];
    const which = (p[1] ?? 0) % made.length;
    if (which === 2 && evalDim(last, this.#binding) < 2) return;
    const tensor = made[which]?.();
    if (tensor) this.#add(tensor, x.bound);
  }

  #index(x: Entry, p: readonly number[]): void {
    const dim = this.#pick([this.#dims.A, this.#dims.B, 3], p[1]) as Dim;
    switch ((p[2] ?? 0) % 5) {
      case 0:
        return this.#add(k.iota(dim), 0, dim);
      case 1:
        return this.#add(k.permutation(dim, k.constant(p[3] ?? 0, "u32")), 0, dim);
      case 2:
        return this.#flavour === "exact" && x.tensor.rank > 0
          ? this.#add(k.argmax(x.tensor), 0, x.tensor.shape.at(-1) as Dim)
          : undefined;
      case 3:
        return this.#add(k.dimValue(dim), evalDim(dim, this.#binding));
      default: {
        const index = this.#pick(this.#of("i32"), p[0]);
        if (!index) return;
        this.#add(k.cast(index.tensor, "f32"), MOST_ELEMENTS);
      }
    }
  }

  #write(p: readonly number[]): void {
    const { A } = this.#dims;
    const which = (p[5] ?? 0) % 6;
    if (which === 0) {
      const mask = this.#pick(
        this.#of("bool", (e) => sameShape(e.tensor.shape, [A])),
        p[1],
      );
      if (mask) this.#mask().write(mask.tensor);
      return;
    }
    if (which === 1) {
      const index = this.#pick(
        this.#of("i32", (e) => sameShape(e.tensor.shape, [A]) && !!e.below && sameDim(e.below, A)),
        p[1],
      );
      if (index) this.#places().write(index.tensor);
      return;
    }
    const { name, shape } = this.#states[(p[0] ?? 0) % this.#states.length] as { name: string; shape: Shape };
    const value = this.#valueFor(shape, p);
    if (!value) return;
    k.state(name, shape).write(value);
    if ((p[3] ?? 0) % 2 === 0) this.#add(k.state(name, shape).read(), SMALL);
  }

  /** A value that can be repeated to a shape, limited to what states may hold. */
  #valueFor(shape: Shape, p: readonly number[]): Tensor | undefined {
    // Half of the time a value as it is, of any age: its loop may lie far before the write.
    const asTheyAre = this.#of("f32", (e) => e.bound <= SMALL && sameShape(e.tensor.shape, shape));
    if ((p[2] ?? 0) % 2 === 0 && asTheyAre.length > 0)
      return asTheyAre[(p[1] ?? 0) % asTheyAre.length]?.tensor;
    const target: Entry = { tensor: { shape } as Tensor, bound: 0 };
    const entry = this.#pick(
      this.#of("f32", (e) => {
        const wide = this.#broadcast(e, target);
        return wide !== null && sameShape(wide, shape);
      }),
      p[1],
    );
    if (!entry) return undefined;
    const value = this.#limited(entry);
    return sameShape(value.shape, shape) ? value : k.broadcastTo(value, shape);
  }

  #writeRows(p: readonly number[]): void {
    const index = this.#pick(
      this.#of("i32", (e) => e.tensor.rank === 1),
      p[1],
    );
    if (!index?.below) return;
    const { below } = index;
    const known = this.#pick(
      this.#states.filter((s) => s.shape.length > 0 && sameDim(s.shape[0] as Dim, below)),
      p[0],
    );
    if (!known) return;
    const rows = this.#valueFor([...index.tensor.shape, ...known.shape.slice(1)], p);
    if (!rows) return;
    k.state(known.name, known.shape).writeRows(index.tensor, rows);
    if ((p[3] ?? 0) % 2 === 0) this.#add(k.state(known.name, known.shape).read(), SMALL);
  }

  #gradient(x: Entry, p: readonly number[]): void {
    const targets = [p[1], p[2]].flatMap((n) => this.#pick(this.#of("f32"), n) ?? []);
    let gradients: Tensor[];
    try {
      gradients = k.grad(
        k.sumAll(x.tensor),
        targets.map((t) => t.tensor),
      );
    } catch (error) {
      // Documented limits; whatever else goes wrong must fail the test.
      if (error instanceof Error && error.message.includes("has no gradient")) return;
      throw error;
    }
    // How large a gradient gets is not tracked: the caller drops programs that leave exact integers.
    for (const g of gradients) this.#add(this.#limited({ tensor: g, bound: Infinity }), SMALL);
  }

  #scan(p: readonly number[], body: readonly Instruction[]): void {
    const [countPick = 0, shapePick = 0, carryPick = 0, xsPick = 0, resultPick = 0, flags = 0] = p;
    const smooth = this.#flavour === "smooth";
    const counts: (Dim | Tensor | undefined)[] = [3, this.#dims.A, 1, 2];
    if (!smooth) {
      counts.push(
        0,
        this.#pick(
          this.#of("i32", (e) => e.tensor.rank === 0),
          xsPick,
        )?.tensor,
        k.state("count", [], { dtype: "i32" }).read(),
      );
    }
    const count = counts[countPick % counts.length];
    if (count === undefined) return;
    const dim = typeof count === "object" && "dtype" in count ? undefined : count;

    const carry = Array.from({ length: shapePick % 4 }, (_, i) =>
      this.#pick(this.#pool, (carryPick + 237 * i) % MOST_PICK),
    )
      .filter((e) => e !== undefined)
      .map((e) => (e.tensor.dtype === "f32" ? { tensor: this.#limited(e), bound: SMALL } : e));
    const stackable =
      dim === undefined || dim === 0
        ? []
        : this.#pool.filter((e) => e.tensor.rank > 0 && sameDim(e.tensor.shape[0] as Dim, dim));
    const xs = Array.from({ length: xsPick % 3 }, (_, i) =>
      this.#pick(stackable, (xsPick + 317 * i) % MOST_PICK),
    ).filter((e) => e !== undefined);
    const reverse = flags % 2 === 1;
    const wantsUntil = !smooth && flags % 5 === 0;

    const before = this.#pool;
    const yEntries: Entry[] = [];
    const result = k.scan(
      { count, carry: carry.map((e) => e.tensor), xs: xs.map((e) => e.tensor), reverse },
      (c, x, t) => {
        this.#pool = [...before];
        c.forEach((tensor, i) => this.#pool.push({ ...(carry[i] as Entry), tensor }));
        x.forEach((tensor, i) => this.#pool.push({ ...(xs[i] as Entry), tensor }));
        if (flags % 3 === 0) this.#add(k.cast(t, "f32"), MOST_ELEMENTS);
        this.run(body);
        const carried = carry.map((initial, i) => {
          const found = this.#pick(
            this.#pool.filter(
              (e) =>
                e.tensor.dtype === initial.tensor.dtype &&
                sameShape(e.tensor.shape, initial.tensor.shape) &&
                (e.below === undefined
                  ? initial.below === undefined
                  : !!initial.below && sameDim(e.below, initial.below)),
            ),
            (resultPick + 205 * i) % MOST_PICK,
          ) as Entry;
          return found.tensor.dtype === "f32" ? this.#limited(found) : found.tensor;
        });
        const until = wantsUntil
          ? (this.#pick(
              this.#of("bool", (e) => e.tensor.rank === 0),
              resultPick,
            )?.tensor ?? this.#untilFrom(resultPick))
          : undefined;
        if (!until && dim !== undefined && dim !== 0) {
          for (let i = 0; i < flags % 3; i++) {
            const y = this.#pick(this.#pool, (resultPick + 411 * i) % MOST_PICK);
            if (y) yEntries.push(y);
          }
        }
        return { carry: carried, ys: yEntries.map((y) => y.tensor), ...(until ? { until } : {}) };
      },
    );
    this.#pool = before;
    result.carry.forEach((tensor, i) => this.#add(tensor, carry[i]?.bound ?? SMALL, carry[i]?.below));
    result.ys.forEach((tensor, i) => this.#add(tensor, yEntries[i]?.bound ?? SMALL, yEntries[i]?.below));
  }

  #untilFrom(n: number): Tensor | undefined {
    const scalar = this.#pick(
      this.#of("f32", (e) => e.tensor.rank === 0),
      n,
    );
    return scalar && k.greater(scalar.tensor, 2);
  }
}
