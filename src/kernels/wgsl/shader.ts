/**
 * Compiles steps to one compute shader. A workgroup runs the whole program of a member, step by step with a
 * barrier between steps, and a dispatch has one workgroup for each member. So the whole population advances
 * in one dispatch, whatever the members' widths, which are read from their tables.
 *
 * A dispatch may have a work limit. A member that reaches it is suspended at the next stage (a series of
 * steps outside all loops, or an iteration of a loop) and saves its position; the next dispatch resumes
 * there.
 */
import { type Dim, mulDims } from "../dim.ts";
import { lower } from "../lowering/lower.ts";
import { MemoryTable, type TableEntry } from "../lowering/memoryTable.ts";
import type { Location, LoopStep, Step, StepArg } from "../lowering/schedule.ts";
import { operationsOf } from "../lowering/work.ts";
import type { Program } from "../program.ts";
import type { Tensor } from "../tensor.ts";
import { columnKernelWgsl, groupKernel } from "./groupCode.ts";
import { KERNEL_FORMS } from "./kernelForms.ts";
import { copyWgsl } from "./moves.ts";
import { CUT_DEPTH, LIMIT_WORD, prelude, RECORD } from "./prelude.ts";
import {
  type Argument,
  argumentCode,
  type Call,
  type Word,
  wordCode,
  wordsOf,
  writeCalls,
} from "./reroll.ts";
import { writeRowsWgsl } from "./rows.ts";
import { stagedMatrices, stageWgsl } from "./staging.ts";
import type { WgslFunction } from "./wgslFunction.ts";

export interface Shader {
  readonly code: string;
  /** Slots of a member's table. */
  readonly table: readonly TableEntry[];
  /** Arguments of calls, in the order in which they are read: the table's words after its slots. */
  readonly records: readonly Word[];
  /** Names of its functions, except the prelude's. */
  readonly kernels: readonly string[];
}

/** Sizes of a device that shaders depend on. */
export interface ShaderLimits {
  /** Invocations in a workgroup. */
  readonly workgroupSize: number;
  /** Bytes of workgroup memory for matrices; 0: all stay in the heap. */
  readonly stagingBytes: number;
  /** Rounds of a loop whose loads are issued together (default: 1). */
  readonly ahead?: number;
}

/** The shader of a program. */
export function shaderOf(program: Program, { workgroupSize, stagingBytes, ahead = 1 }: ShaderLimits): Shader {
  const writer = new ShaderWriter(ahead);
  const steps = lower<WgslFunction>(program, {
    addKernel: (name, build) => writer.named(name, build),
    kernels: KERNEL_FORMS,
    // WGSL allows functions at most 255 parameters.
    mostInGroup: 80,
    stages: stagingBytes > 0,
    writeRows: writeRowsWgsl,
  });
  const main = writer.main(steps);
  const code = [
    `// ${program.name}`,
    prelude(workgroupSize),
    `// A member's table has its slots first, then what calls are given, in their order.\nconst RECORDS = ${writer.table.entries.length};`,
    ...(writer.stages ? [stagedMatrices(stagingBytes)] : []),
    ...writer.functions,
    `@compute @workgroup_size(WG) fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
lid = i32(local);
let record = i32(group.x) * ${RECORD.words};
let base = memberWord(record);
let limit = table[${LIMIT_WORD}];
var spent = 0;
var left = 1;
var stage = 0;
if (limit > 0) {
left = memberWord(record + ${RECORD.left});
stage = memberWord(record + ${RECORD.stage});
}
for (; left > 0; left--) {
${main}
}
if (limit > 0) { suspend(record, 0, 0, 0, 0, 0, 0); }
}`,
  ].join("\n");
  return { code, table: writer.table.entries, records: writer.records, kernels: writer.names };
}

/** Names of a fused kernel's operations. */
const namesOf = (nodes: readonly Tensor[]): string =>
  nodes
    .map(({ op }) => op.name)
    .filter((name) => name !== "constant")
    .join(" ") || "constant";

class ShaderWriter {
  readonly table = new MemoryTable();
  readonly functions: string[] = [];
  readonly names: string[] = [];
  readonly records: Word[] = [];
  readonly #byName = new Map<string, number>();
  readonly #byCode = new Map<string, number>();
  readonly #lines: string[] = [];
  readonly #loops = new Map<LoopStep, string>();
  /** Whether matrices are copied to workgroup memory. */
  stages = false;
  readonly #ahead: number;
  /** Number of the last stage. */
  #stage = 0;
  /** Product of the iteration counts of all enclosing loops. */
  #times: Dim = 1;

  constructor(ahead: number) {
    this.#ahead = ahead;
  }

  named(name: string, build: () => WgslFunction): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const index = this.#add(build(), name);
    this.#byName.set(name, index);
    return index;
  }

  /** Adds a function, unless an equal one exists, and returns its number. The code shows its `name`. */
  #add({ parameters, code }: WgslFunction, name: string): number {
    const body = typeof code === "string" ? code : code(this.#ahead);
    const signature = `(${parameters.map((p) => `${p}: i32`).join(", ")}) {\n${body}\n}`;
    const known = this.#byCode.get(signature);
    if (known !== undefined) return known;
    const index = this.functions.push(`// ${name}\nfn k${this.functions.length}${signature}\n`) - 1;
    this.#byCode.set(signature, index);
    this.names.push(name);
    return index;
  }

  main(steps: readonly Step[]): string {
    this.#stages(steps, []);
    return this.#lines.join("\n");
  }

  /** Steps outside all loops, or in the body of a loop that can suspend; `around` are the enclosing loops. */
  #stages(steps: readonly Step[], around: readonly string[]): void {
    let plain: Step[] = [];
    const flush = () => {
      if (plain.length === 0) return;
      const stage = ++this.#stage;
      this.#lines.push(`if (stage <= ${stage}) {`);
      if (around.length === 0) this.#mayLetGo(stage, around, plain);
      this.#steps(plain);
      this.#lines.push("}");
      plain = [];
    };
    for (const step of steps) {
      if (step.kind !== "loop" || around.length >= CUT_DEPTH) {
        plain.push(step);
        continue;
      }
      flush();
      this.#cutLoop(step, around);
    }
    flush();
  }

  /** A point where a member that has reached the work limit is suspended, and where it resumes. */
  #mayLetGo(stage: number, loops: readonly string[], next: readonly Step[]): void {
    const places = RECORD.loops.flatMap((_, depth) => {
      const i = loops[depth];
      return i ? [i, `count_${i}`] : ["0", "0"];
    });
    this.#lines.push(
      `if (limit > 0 && spent >= limit) {`,
      `suspend(record, left, ${stage}, ${places.join(", ")});`,
      "return;",
      "}",
      "stage = 0;",
      `spent += table[base + ${this.table.work(operationsOf(next), this.#times)}];`,
    );
  }

  /** A loop that can be suspended before any iteration. */
  #cutLoop(step: LoopStep, around: readonly string[]): void {
    const stage = ++this.#stage;
    const i = this.#nameLoop(step);
    const guard = this.#lines.push("") - 1;
    const times = this.#times;
    if ("dim" in step.count) this.#times = mulDims(times, step.count.dim);
    this.table.advance();
    const { position, count } = RECORD.loops[around.length] as (typeof RECORD.loops)[number];
    this.#lines.push(
      `var ${i} = 0;`,
      `var count_${i} = 0;`,
      `if (stage >= ${stage}) {`,
      `${i} = memberWord(record + ${position});`,
      `count_${i} = memberWord(record + ${count});`,
      "} else {",
      `count_${i} = ${this.#countOf(step)};`,
      ...(step.reverse ? [`${i} = count_${i} - 1;`] : []),
      "}",
    );
    this.#stageMatrices(step);
    this.table.loop(step.held, () => {
      this.#lines.push(
        step.reverse ? `for (; ${i} >= 0; ${i}--) {` : `for (; ${i} < count_${i}; ${i}++) {`,
        // If the member was suspended in an inner loop, the point is further down.
        `if (stage <= ${stage}) {`,
      );
      const inside = [...around, i];
      const own = step.body.filter(({ kind }) => kind !== "loop" || inside.length >= CUT_DEPTH);
      this.#mayLetGo(stage, inside, own);
      this.#storePosition(step, i);
      this.#lines.push("}");
      this.#stages(step.body, inside);
      this.#endIteration(step);
    });
    this.#times = times;
    this.#lines[guard] = `if (stage <= ${this.#stage}) {`;
    this.#lines.push("}");
  }

  #steps(steps: readonly Step[]): void {
    const calls: Call[] = [];
    const flush = () => {
      writeCalls(calls.splice(0), this.#lines, this.records);
    };
    const call = (func: number, args: readonly StepArg[]) => {
      calls.push({ kind: "call", func, args: args.map((arg) => this.#argument(arg)) });
    };
    for (const step of steps) {
      this.table.advance();
      switch (step.kind) {
        case "kernel":
          call(step.func, step.args);
          break;
        case "group": {
          if (step.stores.length + step.reductions.length === 0) break;
          const { args, body } = groupKernel(step);
          call(this.#add(body, namesOf(step.nodes)), args);
          this.table.overwrite(step);
          break;
        }
        case "column": {
          const { args, body } = columnKernelWgsl(step);
          call(this.#add(body, namesOf([...step.chain, step.node])), args);
          break;
        }
        case "copy":
          call(this.named("copy", copyWgsl), [
            { location: step.to },
            { location: step.from },
            { dim: step.words },
          ]);
          break;
        case "loop":
          flush();
          this.#loop(step);
          break;
      }
    }
    flush();
  }

  #argument(arg: StepArg): Argument {
    if ("dim" in arg) return { start: this.#size(arg.dim), rows: [] };
    if ("staged" in arg) return { start: { slot: this.table.staged(arg.staged) }, rows: [] };
    const { memory, offsets } = arg.location;
    return {
      start: { slot: this.table.slot(memory) },
      // A loop is named before its body is written.
      rows: offsets.map(({ loop, words }) => ({
        loop: this.#loops.get(loop) ?? "",
        words: this.#size(words),
      })),
    };
  }

  /** Stages the matrices that a loop reads from workgroup memory, whenever the loop is entered. */
  #stageMatrices({ staged }: LoopStep): void {
    for (const matrix of staged) {
      this.stages = true;
      const func = this.named("stage", () => stageWgsl);
      const { location, rows, columns } = matrix;
      const args = [{ staged: matrix }, { location }, { dim: rows }, { dim: columns }].map((arg) =>
        this.#code(arg),
      );
      this.#lines.push(`k${func}(${args.join(", ")});`);
    }
    if (staged.length > 0) this.#lines.push("workgroupBarrier();");
  }

  #size(dim: Dim): Word {
    return typeof dim === "number" ? { literal: dim } : { slot: this.table.dim(dim) };
  }

  #code(arg: StepArg): string {
    const argument = this.#argument(arg);
    return argumentCode(argument, wordsOf(argument).map(wordCode));
  }

  #dim(dim: Dim): string {
    return this.#code({ dim });
  }

  #address(location: Location): string {
    return this.#code({ location });
  }

  #loop(step: LoopStep): void {
    const i = this.#nameLoop(step);
    this.#lines.push(`let count_${i} = ${this.#countOf(step)};`);
    this.#stageMatrices(step);
    this.table.loop(step.held, () => {
      this.#lines.push(
        step.reverse
          ? `for (var ${i} = count_${i} - 1; ${i} >= 0; ${i}--) {`
          : `for (var ${i} = 0; ${i} < count_${i}; ${i}++) {`,
      );
      this.#storePosition(step, i);
      this.#steps(step.body);
      this.#endIteration(step);
    });
  }

  #nameLoop(step: LoopStep): string {
    const i = `i${this.#loops.size}`;
    this.#loops.set(step, i);
    return i;
  }

  #countOf({ count }: LoopStep): string {
    return "dim" in count ? this.#dim(count.dim) : `uniformLoad(${this.#address(count.location)})`;
  }

  #storePosition({ t }: LoopStep, i: string): void {
    if (t) this.#lines.push(`if (lid == 0) { storeI(${this.#address(t)}, ${i}); }`, "storageBarrier();");
  }

  #endIteration({ until }: LoopStep): void {
    if (until) this.#lines.push(`if (uniformLoad(${this.#address(until)}) != 0) { break; }`);
    this.#lines.push("}");
  }
}
