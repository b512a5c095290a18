/** From steps to a module: kernels, the driver that calls them, and the plan of its memory. */
import type { Binding, Dim } from "../dim.ts";
import { dimKey, evalDim } from "../dim.ts";
import type { Program } from "../program.ts";
import type { Tensor } from "../tensor.ts";
import { columnKernel } from "./columnKernel.ts";
import { FunctionBody, ModuleBuilder } from "./encoder.ts";
import { fusedKernel, type Kernel } from "./fusedKernel.ts";
import { copyWords } from "./loops.ts";
import { lower } from "./lower.ts";
import type { Location, LoopStep, Memory, Step, StepArg } from "./schedule.ts";

/** One word of a member's table: a size, or an address. */
export type TableEntry =
  | { readonly kind: "dim"; readonly dim: Dim }
  | { readonly kind: "state"; readonly name: string }
  | { readonly kind: "temp"; readonly words: Dim; readonly first: number; last: number };

export interface CompiledModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly table: readonly TableEntry[];
  readonly kernels: number;
}

const bodies = new Map<string, FunctionBody>();

/** A kernel's body, written once in the life of the process. */
function named(name: string, build: () => FunctionBody): FunctionBody {
  const known = bodies.get(name);
  if (known) return known;
  const body = build();
  bodies.set(name, body);
  return body;
}

/** Compiles a program: exports `run(table address)`. */
export function assemble(program: Program): CompiledModule {
  const module = new ModuleBuilder();
  const { steps } = lower(program, (name, build) => module.add(named(name, build), name));
  const driver = new Driver(module);
  const run = driver.write(steps);
  module.export("run", module.add(run, "run"));
  return { bytes: module.build(), table: driver.table, kernels: module.functionCount };
}

class Driver {
  readonly table: TableEntry[] = [];
  readonly #module: ModuleBuilder;
  readonly #f = new FunctionBody(["i32"]);
  readonly #slots = new Map<Memory, number>();
  readonly #dims = new Map<string, number>();
  readonly #loopVariables = new Map<LoopStep, number>();
  readonly #copy: number;
  /** Position in the listing, and the loops around it with where they started. */
  #time = 0;
  readonly #open: { start: number; touched: Set<TableEntry> }[] = [];

  constructor(module: ModuleBuilder) {
    this.#module = module;
    const copy = new FunctionBody(["i32", "i32", "i32"]);
    copyWords(copy, 0, 1, 2);
    this.#copy = module.add(copy, "copy");
  }

  write(steps: readonly Step[]): FunctionBody {
    this.#steps(steps);
    return this.#f;
  }

  #steps(steps: readonly Step[]): void {
    for (const step of steps) {
      this.#time++;
      switch (step.kind) {
        case "kernel":
          this.#call(step.func, step.args);
          break;
        case "group":
          if (step.stores.length + step.reductions.length > 0) this.#kernel(fusedKernel(step), step.nodes);
          break;
        case "column":
          this.#kernel(columnKernel(step), [step.node, ...step.chain]);
          break;
        case "copy":
          this.#call(this.#copy, [{ location: step.to }, { location: step.from }, { dim: step.words }]);
          break;
        case "loop":
          this.#loop(step);
          break;
      }
    }
  }

  #kernel({ args, body }: Kernel, nodes: readonly Tensor[]): void {
    this.#call(this.#module.add(body, nodes.map((node) => node.op.name).join(" ")), args);
  }

  #call(func: number, args: readonly StepArg[]): void {
    for (const arg of args) {
      if ("dim" in arg) this.#dim(arg.dim);
      else this.#address(arg.location);
    }
    this.#f.call(func);
  }

  #dim(dim: Dim): void {
    if (typeof dim === "number") {
      this.#f.i32(dim);
      return;
    }
    const key = dimKey(dim);
    let slot = this.#dims.get(key);
    if (slot === undefined) {
      slot = this.table.length;
      this.table.push({ kind: "dim", dim });
      this.#dims.set(key, slot);
    }
    this.#f.get(0).i32Load(4 * slot);
  }

  /** Slot of a buffer's address, from now on in use. */
  #slot(memory: Memory): number {
    let slot = this.#slots.get(memory);
    if (slot === undefined) {
      slot = this.table.length;
      this.table.push(
        memory.kind === "state"
          ? { kind: "state", name: memory.name }
          : { kind: "temp", words: memory.words, first: this.#time, last: this.#time },
      );
      this.#slots.set(memory, slot);
    }
    const entry = this.table[slot] as TableEntry;
    if (entry.kind === "temp") this.#touch(entry);
    return slot;
  }

  #address({ memory, offsets }: Location): void {
    const slot = this.#slot(memory);
    this.#f.get(0).i32Load(4 * slot);
    for (const { loop, words } of offsets) {
      this.#f.get(this.#loopVariables.get(loop) as number);
      this.#dim(words);
      this.#f.op("i32.mul").i32(2).op("i32.shl").op("i32.add");
    }
  }

  /** A temporary made before a loop and used in it must outlive the whole loop. */
  #touch(entry: TableEntry & { kind: "temp" }): void {
    entry.last = Math.max(entry.last, this.#time);
    for (const loop of this.#open) if (entry.first < loop.start) loop.touched.add(entry);
  }

  #loop(step: LoopStep): void {
    const f = this.#f;
    const [i, count] = f.i32s(2);
    this.#loopVariables.set(step, i);
    if ("dim" in step.count) this.#dim(step.count.dim);
    else {
      this.#address(step.count.location);
      f.i32Load();
    }
    f.set(count);
    for (const { memory } of step.held) this.#slot(memory);
    this.#time++;
    const frame = { start: this.#time, touched: new Set<TableEntry>() };
    this.#open.push(frame);
    f.block(() => {
      f.get(count).i32(0).op("i32.le_s").brIf(0);
      if (step.reverse) f.get(count).i32(1).op("i32.sub").set(i);
      else f.i32(0).set(i);
      f.loop(() => {
        if (step.t) {
          this.#address(step.t);
          f.get(i).i32Store();
        }
        this.#steps(step.body);
        if (step.until) {
          this.#address(step.until);
          f.i32Load().brIf(1);
        }
        if (step.reverse) f.get(i).i32(1).op("i32.sub").tee(i).i32(0).op("i32.ge_s").brIf(0);
        else f.get(i).i32(1).op("i32.add").tee(i).get(count).op("i32.lt_s").brIf(0);
      });
    });
    this.#time++;
    this.#open.pop();
    for (const entry of frame.touched) if (entry.kind === "temp") this.#touch(entry);
  }
}

/** Where each temporary lies, in bytes from the start of the scratch memory. */
export interface ScratchPlan {
  readonly offsets: ReadonlyMap<number, number>;
  readonly bytes: number;
}

/** Spare bytes after a buffer, since kernels read whole vectors. */
export const SLACK = 16;

/** Places temporaries so that those alive together do not overlap, lowest address first. */
export function planScratch(table: readonly TableEntry[], binding: Binding): ScratchPlan {
  const temps = table
    .map((entry, slot) => ({ entry, slot }))
    .filter((t): t is { entry: TableEntry & { kind: "temp" }; slot: number } => t.entry.kind === "temp")
    .sort((a, b) => a.entry.first - b.entry.first);
  const offsets = new Map<number, number>();
  let alive: { start: number; end: number; last: number }[] = [];
  let bytes = 0;
  for (const { entry, slot } of temps) {
    alive = alive.filter((block) => block.last >= entry.first).sort((a, b) => a.start - b.start);
    const size = (evalDim(entry.words, binding) * 4 + SLACK + 15) & ~15;
    let start = 0;
    for (const block of alive) {
      if (start + size <= block.start) break;
      start = Math.max(start, block.end);
    }
    offsets.set(slot, start);
    alive.push({ start, end: start + size, last: entry.last });
    bytes = Math.max(bytes, start + size);
  }
  return { offsets, bytes };
}
