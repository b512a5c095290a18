/** Assembles steps into a module: kernels, the driver that calls them, and the plan of its memory. */
import type { Dim } from "../dim.ts";
import { lower } from "../lowering/lower.ts";
import { MemoryTable, type TableEntry } from "../lowering/memoryTable.ts";
import type { Location, LoopStep, Step, StepArg } from "../lowering/schedule.ts";
import type { Program } from "../program.ts";
import type { Tensor } from "../tensor.ts";
import { columnKernel } from "./columnKernel.ts";
import { FunctionBody, ModuleBuilder } from "./encoder.ts";
import { fusedKernel, type Kernel } from "./fusedKernel.ts";
import { KERNEL_FORMS } from "./kernelForms.ts";
import { copyWords } from "./loops.ts";
import { writeRowsKernel } from "./rows.ts";
import { importLimits } from "./SharedHeap.ts";

export interface CompiledModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly table: readonly TableEntry[];
  /** Names of its functions, except the driver. */
  readonly kernels: readonly string[];
}

const bodies = new Map<string, FunctionBody>();

/** A kernel's body, built once per process. */
function named(name: string, build: () => FunctionBody): FunctionBody {
  const known = bodies.get(name);
  if (known) return known;
  const body = build();
  bodies.set(name, body);
  return body;
}

/**
 * Compiles a program: exports `run(table address)`.
 * @param isShared Whether it imports a memory of several threads.
 */
export function assemble(program: Program, isShared = false): CompiledModule {
  const module = new ModuleBuilder();
  const steps = lower<FunctionBody>(program, {
    addKernel: (name, build) => module.add(named(name, build), name),
    kernels: KERNEL_FORMS,
    // Engines allow functions at most 1,000 parameters.
    mostInGroup: 300,
    stages: false,
    writeRows: writeRowsKernel,
  });
  const driver = new Driver(module);
  const run = driver.write(steps);
  const kernels = module.functionNames;
  module.export("run", module.add(run, "run"));
  return { bytes: module.build(importLimits(isShared)), table: driver.table.entries, kernels };
}

class Driver {
  readonly table = new MemoryTable();
  readonly #module: ModuleBuilder;
  readonly #f = new FunctionBody(["i32"]);
  readonly #loopVariables = new Map<LoopStep, number>();
  readonly #copy: number;

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
      this.table.advance();
      switch (step.kind) {
        case "kernel":
          this.#call(step.func, step.args);
          break;
        case "group":
          if (step.stores.length + step.reductions.length === 0) break;
          this.#kernel(fusedKernel(step), step.nodes);
          this.table.overwrite(step);
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
      else if ("location" in arg) this.#address(arg.location);
      else throw new Error("wasm target: a kernel requests staged memory, which this target does not have");
    }
    this.#f.call(func);
  }

  #dim(dim: Dim): void {
    if (typeof dim === "number") this.#f.i32(dim);
    else this.#f.get(0).i32Load(4 * this.table.dim(dim));
  }

  #address({ memory, offsets }: Location): void {
    this.#f.get(0).i32Load(4 * this.table.slot(memory));
    for (const { loop, words } of offsets) {
      this.#f.get(this.#loopVariables.get(loop) as number);
      this.#dim(words);
      this.#f.op("i32.mul").i32(2).op("i32.shl").op("i32.add");
    }
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
    this.table.loop(step.held, () =>
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
      }),
    );
  }
}
