/**
 * Lowers operations to steps. Element-wise operations join a group with the same iteration space whenever the
 * order of effects allows it; everything else becomes its own step. Values stay in registers unless code
 * outside their group needs them in memory.
 */
import type { Dim } from "../dim.ts";
import { sizeOf } from "../dim.ts";
import type { Program } from "../program.ts";
import { scanResultOp } from "../scan.ts";
import { readOp, writeOp } from "../state.ts";
import type { Tensor } from "../tensor.ts";
import { columnClasses, reducesRows } from "./iteration.ts";
import type { Target } from "./kernelRequest.ts";
import { liveNodes, usersOf } from "./liveness.ts";
import { lowerKernel } from "./lowerKernel.ts";
import { lowerScan } from "./lowerScan.ts";
import { isConstant, RegionSteps } from "./RegionSteps.ts";
import type { Location, Step, StepArg } from "./schedule.ts";
import { at } from "./schedule.ts";

export function lower<Body>(program: Program, target: Target<Body>): readonly Step[] {
  const live = liveNodes(program.region);
  const users = usersOf(program.region, live);
  const shared = { target, live, users, states: new Map() };
  const region = new RegionSteps(shared, program.region, new Map());
  lowerNodes(region);
  return region.steps;
}

/** Creates the steps of a region's operations, in order. */
function lowerNodes<Body>(region: RegionSteps<Body>): void {
  const nodes = region.region.nodes.filter((n) => region.shared.live.has(n));
  region.findDeferred(nodes);
  for (const node of nodes) {
    if (region.deferred.has(node)) continue;
    switch (node.op.kind) {
      case "elementwise":
        if (!isConstant(node)) place(region, node);
        break;
      case "reduction":
        if (reducesRows(node)) placeReduction(region, node);
        else column(region, node);
        break;
      case "view":
        view(region, node, node.inputs[0] as Tensor);
        break;
      case "kernel":
        lowerKernel(region, node, node.op);
        break;
      case "source":
        source(region, node);
        break;
      case "effect":
        effect(region, node);
        break;
      case "scan":
        lowerScan(region, node, lowerNodes);
        break;
    }
  }
}

function place<Body>(region: RegionSteps<Body>, node: Tensor): void {
  const group = region.groupFor(node, node.shape);
  region.join(node, group);
  region.groupOf.set(node, group);
  region.madeBy.set(node, region.indexOf.get(group) ?? -1);
}

function placeReduction<Body>(region: RegionSteps<Body>, node: Tensor): void {
  const x = node.inputs[0] as Tensor;
  const group = region.groupFor(node, x.shape);
  region.join(node, group);
  group.nodes.pop();
  const to = region.temp(sizeOf(node.shape));
  group.reductions.push({ node, to });
  if (isConstant(x) && !group.nodes.includes(x)) group.nodes.push(x);
  region.where.set(node, to);
  region.madeBy.set(node, region.indexOf.get(group) ?? -1);
}

function column<Body>(region: RegionSteps<Body>, node: Tensor): void {
  const chain: Tensor[] = [];
  const operands = new Map<Tensor, Location>();
  const gather = (t: Tensor) => {
    if (region.deferred.has(t) || isConstant(t)) {
      if (chain.includes(t)) return;
      t.inputs.forEach(gather);
      chain.push(t);
    } else operands.set(t, region.locate(t));
  };
  const x = node.inputs[0] as Tensor;
  gather(x);
  if (!columnClasses(x.shape, node.attrs.axis as number, [...operands.keys()])) {
    for (const t of chain) {
      region.deferred.delete(t);
      if (!isConstant(t)) place(region, t);
    }
    chain.length = 0;
    operands.clear();
    operands.set(x, region.locate(x));
  }
  const to = region.temp(sizeOf(node.shape));
  const index = region.steps.length;
  for (const location of operands.values()) region.noteRead(location, index);
  region.steps.push({ kind: "column", node, chain, operands, to });
  region.where.set(node, to);
  region.madeBy.set(node, index);
}

function view<Body>(region: RegionSteps<Body>, node: Tensor, of: Tensor): void {
  region.where.set(node, region.locate(of));
  region.madeBy.set(node, isConstant(of) ? region.steps.length - 1 : region.available(of));
}

function source<Body>(region: RegionSteps<Body>, node: Tensor): void {
  if (node.op === readOp) {
    const memory = region.state(node.attrs.name as string);
    region.where.set(node, at(memory));
    region.madeBy.set(node, region.lastWrite.get(memory) ?? -1);
  } else if (node.op === scanResultOp) {
    region.madeBy.set(node, region.available(node.inputs[0] as Tensor));
  }
}

function effect<Body>(region: RegionSteps<Body>, node: Tensor): void {
  const memory = region.state(node.attrs.name as string);
  region.keepOldValue(memory, node);
  if (node.op === writeOp) {
    const value = node.inputs[0] as Tensor;
    region.writeTo(value, at(memory));
    return;
  }
  const [index, rows] = node.inputs as [Tensor, Tensor];
  const sources = [index, rows].map((t) => region.locate(t));
  const args: StepArg[] = [
    { location: at(memory) },
    ...sources.map((location) => ({ location })),
    { dim: index.shape[0] as Dim },
    { dim: sizeOf(rows.shape.slice(1)) },
  ];
  const step = region.steps.length;
  for (const location of sources) region.noteRead(location, step);
  region.steps.push({
    kind: "kernel",
    func: region.shared.target.addKernel("writeRows", () => region.shared.target.writeRows()),
    args,
  });
  region.lastWrite.set(memory, step);
}
