/**
 * From steps to one compute shader: a workgroup runs the whole program of a member, step by step with a barrier
 * between, and a dispatch has one workgroup for each member. So the whole population advances in one dispatch,
 * whatever the members' widths, which are read from their tables.
 */
import type { Dim } from "../dim.ts";
import { lower } from "../lowering/lower.ts";
import { MemoryTable, type TableEntry } from "../lowering/memoryTable.ts";
import type { Location, LoopStep, Step, StepArg } from "../lowering/schedule.ts";
import type { Program } from "../program.ts";
import type { Tensor } from "../tensor.ts";
import { columnKernelWgsl } from "./columnCode.ts";
import { groupKernel } from "./groupCode.ts";
import { prelude } from "./prelude.ts";
import { each, type WgslFunction } from "./wgslFunction.ts";

export interface Shader {
  readonly code: string;
  readonly table: readonly TableEntry[];
  /** Names of its functions, but for the prelude's. */
  readonly kernels: readonly string[];
}

/** (state, index, rows, count, row length). Rows are written one by one: of equal indices the last one wins. */
const writeRows = (): WgslFunction => ({
  parameters: ["to", "index", "rows", "count", "length"],
  code: each(
    "j",
    "length",
    `  for (var i = 0; i < count; i++) { heap[to + loadI(index + i) * length + j] = heap[rows + i * length + j]; }`,
  ),
});

const copy: WgslFunction = {
  parameters: ["to", "source", "words"],
  code: each("i", "words", "  heap[to + i] = heap[source + i];"),
};

/** The shader of a program, with as many invocations in a workgroup. */
export function shaderOf(program: Program, workgroupSize: number): Shader {
  const writer = new ShaderWriter();
  const { steps } = lower<WgslFunction>(program, {
    addKernel: (name, build) => writer.named(name, build),
    ask: (op, node, request) => op.wgsl(node, request),
    // WGSL allows functions 255 parameters.
    mostInGroup: 80,
    writeRows,
  });
  const main = writer.main(steps);
  const code = [
    `// ${program.name}`,
    prelude(workgroupSize),
    ...writer.functions,
    `@compute @workgroup_size(WG) fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
lid = i32(local);
let base = members[group.x];
${main}
}`,
  ].join("\n");
  return { code, table: writer.table.entries, kernels: writer.names };
}

/** What a fused kernel does, in operations. */
const namesOf = (nodes: readonly Tensor[]): string =>
  nodes
    .map(({ op }) => op.name)
    .filter((name) => name !== "constant")
    .join(" ") || "constant";

class ShaderWriter {
  readonly table = new MemoryTable();
  readonly functions: string[] = [];
  readonly names: string[] = [];
  readonly #byName = new Map<string, number>();
  readonly #byCode = new Map<string, number>();
  readonly #lines: string[] = [];
  readonly #loops = new Map<LoopStep, string>();

  named(name: string, build: () => WgslFunction): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const index = this.#add(build(), name);
    this.#byName.set(name, index);
    return index;
  }

  /** Adds a function, or finds an equal one, and returns its number. Readers see its `name`. */
  #add({ parameters, code }: WgslFunction, name: string): number {
    const signature = `(${parameters.map((p) => `${p}: i32`).join(", ")}) {\n${code}\n}`;
    const known = this.#byCode.get(signature);
    if (known !== undefined) return known;
    const index = this.functions.push(`// ${name}\nfn k${this.functions.length}${signature}\n`) - 1;
    this.#byCode.set(signature, index);
    this.names.push(name);
    return index;
  }

  main(steps: readonly Step[]): string {
    this.#steps(steps);
    return this.#lines.join("\n");
  }

  #steps(steps: readonly Step[]): void {
    for (const step of steps) {
      this.table.advance();
      switch (step.kind) {
        case "kernel":
          this.#call(step.func, step.args);
          break;
        case "group": {
          if (step.stores.length + step.reductions.length === 0) break;
          const { args, body } = groupKernel(step);
          this.#call(this.#add(body, namesOf(step.nodes)), args);
          break;
        }
        case "column": {
          const { args, body } = columnKernelWgsl(step);
          this.#call(this.#add(body, namesOf([...step.chain, step.node])), args);
          break;
        }
        case "copy":
          this.#call(
            this.named("copy", () => copy),
            [{ location: step.to }, { location: step.from }, { dim: step.words }],
          );
          break;
        case "loop":
          this.#loop(step);
          break;
      }
    }
  }

  #call(func: number, args: readonly StepArg[]): void {
    const values = args.map((arg) => ("dim" in arg ? this.#dim(arg.dim) : this.#address(arg.location)));
    this.#lines.push(`k${func}(${values.join(", ")});`, "storageBarrier();");
  }

  #dim(dim: Dim): string {
    return typeof dim === "number" ? `${dim}` : `table[base + ${this.table.dim(dim)}]`;
  }

  #address({ memory, offsets }: Location): string {
    const start = `table[base + ${this.table.slot(memory)}]`;
    const rows = offsets.map(({ loop, words }) => ` + ${this.#loops.get(loop)} * ${this.#dim(words)}`);
    return start + rows.join("");
  }

  #loop(step: LoopStep): void {
    const i = `i${this.#loops.size}`;
    this.#loops.set(step, i);
    const count = `count_${i}`;
    const from =
      "dim" in step.count ? this.#dim(step.count.dim) : `uniformLoad(${this.#address(step.count.location)})`;
    this.#lines.push(`let ${count} = ${from};`);
    this.table.loop(step.held, () => {
      this.#lines.push(
        step.reverse
          ? `for (var ${i} = ${count} - 1; ${i} >= 0; ${i}--) {`
          : `for (var ${i} = 0; ${i} < ${count}; ${i}++) {`,
      );
      if (step.t)
        this.#lines.push(`if (lid == 0) { storeI(${this.#address(step.t)}, ${i}); }`, "storageBarrier();");
      this.#steps(step.body);
      if (step.until) this.#lines.push(`if (uniformLoad(${this.#address(step.until)}) != 0) { break; }`);
      this.#lines.push("}");
    });
  }
}
