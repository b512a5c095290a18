/** A program: one traced function for one member, ready for a target. */
import { dimKey, shapeKey } from "./dim.ts";
import { scanAttrs } from "./scan.ts";
import type { StateDecl, Tracer } from "./tensor.ts";
import { inRegion, Region } from "./tensor.ts";

export interface Program {
  readonly name: string;
  /** Structure of the agents it was traced for, for display; "" if it serves any. */
  readonly structure: string;
  readonly region: Region;
  /** Buffers it reads and writes, by name. */
  readonly states: ReadonlyMap<string, StateDecl>;
}

/** Traces `body` once. The body reads and writes buffers through `state(...)`. */
export function trace(name: string, body: () => void): Program {
  const tracer: Tracer = { nextId: 0, states: new Map() };
  const region = new Region(null, tracer);
  inRegion(region, body);
  return { name, structure: "", region, states: tracer.states };
}

/** -0 and 0 are different constants. */
function attrText(value: unknown): string {
  if (typeof value === "object" && value !== null && "key" in value) return `${value.key}`;
  return Object.is(value, -0) ? "-0" : `${value}`;
}

/** Canonical text of a program: equal texts compile to equal code. Also the readable dump. */
export function programText(program: Program): string {
  const numbers = new Map<number, number>();
  const lines: string[] = [];
  const visit = (region: Region, indent: string) => {
    for (const node of region.nodes) {
      numbers.set(node.id, numbers.size);
      const inputs = node.inputs.map((t) => `%${numbers.get(t.id)}`).join(" ");
      const ref = (ts: readonly { id: number }[]) => ts.map((t) => `%${numbers.get(t.id)}`).join(" ");
      if (node.op.kind === "scan") {
        const a = scanAttrs(node);
        lines.push(
          `${indent}scan ${inputs} count=${a.count === undefined ? "?" : dimKey(a.count)}${a.reverse ? " reverse" : ""}`,
        );
        visit(a.region, `${indent}  `);
        lines.push(
          `${indent}end carry=${ref(a.carryResults)} ys=${ref(a.yResults)} until=${ref(a.until ? [a.until] : [])}`,
        );
        continue;
      }
      const attrs = Object.entries(node.attrs).map(([k, v]) => `${k}=${attrText(v)}`);
      lines.push(
        `${indent}%${numbers.get(node.id)}=${node.op.name} ${inputs} ${attrs.join(" ")} ${node.dtype}${shapeKey(node.shape)}`,
      );
    }
  };
  visit(program.region, "");
  for (const s of program.states.values())
    lines.push(`state ${s.name} ${s.dtype}${shapeKey(s.shape)}${s.shared ? " shared" : ""}`);
  return lines.join("\n");
}
