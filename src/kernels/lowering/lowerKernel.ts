/** Lowers operations that have their own kernels: the calls, and data prepared or staged for them. */
import { sameShape, sizeOf } from "../dim.ts";
import type { KernelOp } from "../op.ts";
import { readOp } from "../state.ts";
import type { Tensor } from "../tensor.ts";
import type { KernelArg } from "./kernelRequest.ts";
import type { RegionSteps } from "./RegionSteps.ts";
import type { Location, LoopStep, Staged, StepArg } from "./schedule.ts";
import { sameLocation } from "./schedule.ts";

export function lowerKernel<Body>(region: RegionSteps<Body>, node: Tensor, op: KernelOp): void {
  const to = region.temp(sizeOf(node.shape));
  const inputs = node.inputs.map((t) => region.locate(t));
  const scratch = new Map<KernelArg, Location>();
  const resolve = (arg: KernelArg): StepArg => {
    switch (arg.kind) {
      case "input":
        return { location: inputs[arg.index] as Location };
      case "output":
        return { location: to };
      case "dim":
        return { dim: arg.dim };
      case "scratch": {
        const known = scratch.get(arg) ?? region.temp(arg.size);
        scratch.set(arg, known);
        return { location: known };
      }
      case "staged":
        return { staged: stage(region, node.inputs[arg.index] as Tensor, arg) };
    }
  };
  const call = (
    home: RegionSteps<Body>,
    reads: readonly Location[],
    args: readonly StepArg[],
    func: number,
  ) => {
    for (const location of reads) home.noteRead(location, home.steps.length);
    home.steps.push({ kind: "kernel", func, args });
  };
  region.shared.target.kernels[op.name](node, {
    call: (name, args, build) =>
      call(region, inputs, args.map(resolve), region.shared.target.addKernel(name, build)),
    prepare: (from, name, args, build) => {
      const t = node.inputs[from] as Tensor;
      const { home, location } = originOf(region, t);
      const places = args.filter(({ kind }) => kind === "scratch");
      const prepared = preparedOf(home, t);
      const known = prepared.get(name);
      if (known) {
        places.forEach((arg, i) => scratch.set(arg, known[i] as Location));
        return;
      }
      const resolved = args.map((arg) => (arg.kind === "input" ? { location } : resolve(arg)));
      call(home, [location], resolved, region.shared.target.addKernel(name, build));
      prepared.set(
        name,
        places.map((arg) => scratch.get(arg) as Location),
      ); // All were resolved above.
    },
    isStageable: (index) =>
      region.shared.target.stages && originOf(region, node.inputs[index] as Tensor).home !== region,
  });
  region.where.set(node, to);
  region.madeBy.set(node, region.steps.length - 1);
}

/** The region that computes a value (of a state: the outermost that does not change it) and its location. */
function originOf<Body>(
  region: RegionSteps<Body>,
  t: Tensor,
): { home: RegionSteps<Body>; location: Location } {
  let root = t;
  while (root.op.kind === "view") root = root.inputs[0] as Tensor;
  let home: RegionSteps<Body> = region;
  while (home.parent && home.region !== root.region) home = home.parent;
  const location = home.locate(root);
  if (root.op === readOp)
    while (home.parent && !home.written.has(root.attrs.name as string)) home = home.parent;
  return { home, location };
}

/** Data prepared from a value of the region: scratch memory by kernel name. */
function preparedOf<Body>(region: RegionSteps<Body>, t: Tensor): Map<string, readonly Location[]> {
  const known = region.prepared.get(t) ?? new Map<string, readonly Location[]>();
  region.prepared.set(t, known);
  return known;
}

/** Stages a matrix before the outermost loop that leaves it unchanged. */
function stage<Body>(
  region: RegionSteps<Body>,
  t: Tensor,
  { rows, columns }: Pick<Staged, "rows" | "columns">,
): Staged {
  const { home, location: there } = originOf(region, t);
  let body: RegionSteps<Body> = region;
  while (body.parent && body.parent !== home) body = body.parent;
  // The location that the body sees: a copy if it writes to the matrix, since a loop may be re-entered.
  let seen = t;
  while (seen.op.kind === "view" && !body.where.has(seen)) seen = seen.inputs[0] as Tensor;
  const location = body.find(seen) ?? there;
  const { staged } = body.loop as LoopStep; // Its home lies further out, so it is a loop's body.
  const known = staged.find(
    (other) =>
      sameLocation(other.location, location) && sameShape([other.rows, other.columns], [rows, columns]),
  );
  if (known) return known;
  const added = { location, rows, columns };
  staged.push(added);
  return added;
}
