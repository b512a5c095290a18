import type { Program } from "../program.ts";
import { readOp, writeOp } from "../state.ts";
import type { Tensor } from "../tensor.ts";

/** The value of a state that each part of a program sees: that of the last effect before it. */
export class StateVersions {
  /** The effect before each read and each write of rows; absent if there is none in this run. */
  readonly before: ReadonlyMap<Tensor, Tensor>;
  /** The last effect on each state that is written, in program order. */
  readonly last: ReadonlyMap<string, Tensor>;
  /** Written states whose value from before the run is also needed. */
  readonly carried: ReadonlySet<string>;

  constructor({ region }: Program) {
    const [before, last] = [new Map<Tensor, Tensor>(), new Map<string, Tensor>()];
    const fromBefore = new Set<string>();
    for (const node of region.nodes) {
      if (node.op !== readOp && node.op.kind !== "effect") continue;
      const name = node.attrs.name as string;
      const effect = last.get(name);
      if (node.op !== writeOp) {
        if (effect) before.set(node, effect);
        else fromBefore.add(name);
      }
      if (node.op.kind !== "effect") continue;
      last.delete(name);
      last.set(name, node);
    }
    this.before = before;
    this.last = last;
    this.carried = new Set([...last.keys()].filter((name) => fromBefore.has(name)));
  }
}
