/**
 * The one construct of control flow: a counted loop with carried values, stacked inputs and outputs,
 * and state writes in order. Rollouts, minibatches, GAE and evaluation are scans.
 */
import type { Dim, Shape } from "./dim.ts";
import { sameDim, sameShape, shapeKey } from "./dim.ts";
import type { ScanOp, SourceOp } from "./op.ts";
import { requireType } from "./ops/operand.ts";
import type { DType } from "./tensor.ts";
import { currentRegion, emit, inRegion, Region, Tensor } from "./tensor.ts";

export const parameterOp: SourceOp = { kind: "source", name: "parameter" };
export const scanResultOp: SourceOp = { kind: "source", name: "scanResult" };

/** Results of a scan: last carried values, stacked outputs, and stacked values of its body (see `bodyValues`). */
export type ScanRole = "carry" | "ys" | "body";
export const scanOp: ScanOp = { kind: "scan", name: "scan" };

export interface ScanSpec {
  /** Number of iterations: a dimension, or an i32 scalar when nothing is stacked. */
  readonly count: Dim | Tensor;
  /** Initial values of the carried values. */
  readonly carry: readonly Tensor[];
  /** Stacked inputs [count, ...]; iteration t sees row t. */
  readonly xs?: readonly Tensor[];
  /** Runs t from count - 1 down to 0. */
  readonly reverse?: boolean;
}

export interface ScanBodyResult {
  readonly carry: readonly Tensor[];
  /** Stacked outputs: row t of [count, ...]. */
  readonly ys?: readonly Tensor[];
  /** A bool scalar: the loop ends after the iteration in which it is true (rows not reached are undefined). */
  readonly until?: Tensor;
}

export interface ScanResult {
  readonly carry: readonly Tensor[];
  readonly ys: readonly Tensor[];
}

/** Attributes of a scan node. */
export interface ScanAttrs {
  readonly [key: string]: unknown;
  readonly region: Region;
  /** Absent when the count is the first input. */
  readonly count: Dim | undefined;
  readonly reverse: boolean;
  readonly carryParameters: readonly Tensor[];
  readonly xParameters: readonly Tensor[];
  /** The iteration number, i32 scalar. */
  readonly t: Tensor;
  readonly carryResults: readonly Tensor[];
  readonly yResults: readonly Tensor[];
  readonly until: Tensor | undefined;
}

export const scanAttrs = (node: Tensor): ScanAttrs => node.attrs as ScanAttrs;

/** The nodes of a region and of the scans in it, each scan before its body. */
export function* nodesIn(region: Region): Generator<Tensor> {
  for (const node of region.nodes) {
    yield node;
    if (node.op.kind === "scan") yield* nodesIn(scanAttrs(node).region);
  }
}

/** Names of the states that a region writes, directly or in nested scans. */
export function writtenStates(region: Region): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { op, attrs } of nodesIn(region)) if (op.kind === "effect") names.add(attrs.name as string);
  return names;
}

/** Whether a node is an effect, or a scan with one in its body. */
export const writes = (node: Tensor): boolean =>
  node.op.kind === "effect" || (node.op.kind === "scan" && writtenStates(scanAttrs(node).region).size > 0);

/** Inputs of a scan node by role. @internal */
export function scanInputs(node: Tensor): {
  count: Tensor | undefined;
  carry: readonly Tensor[];
  xs: readonly Tensor[];
} {
  const { count, carryParameters } = scanAttrs(node);
  const start = count === undefined ? 1 : 0;
  return {
    count: count === undefined ? node.inputs[0] : undefined,
    carry: node.inputs.slice(start, start + carryParameters.length),
    xs: node.inputs.slice(start + carryParameters.length),
  };
}

function requireScalar(what: string, x: Tensor, dtype: DType): void {
  requireType(what, x, dtype);
  if (x.rank !== 0) throw new RangeError(`${what}: found shape ${shapeKey(x.shape)}, allowed a scalar`);
}

/** Adds to a region a value that is supplied when the region runs. */
export function parameter(region: Region, shape: Shape, dtype: DType): Tensor {
  const node = new Tensor(parameterOp, [], {}, shape, dtype, region);
  region.nodes.push(node);
  return node;
}

/**
 * Runs `body(carry, xs at t, t)` `count` times.
 * @throws RangeError when the body changes the shape of a carried value, or stacked inputs differ in length.
 */
export function scan(
  spec: ScanSpec,
  body: (carry: readonly Tensor[], x: readonly Tensor[], t: Tensor) => ScanBodyResult,
): ScanResult {
  const outer = currentRegion();
  const region = new Region(outer, outer.tracer);
  const { carry, xs = [], reverse = false } = spec;
  const count = spec.count instanceof Tensor ? undefined : spec.count;
  if (spec.count instanceof Tensor) requireScalar("scan count", spec.count, "i32");
  for (const x of xs) {
    if (count === undefined || x.rank < 1 || !sameDim(x.shape[0] as Dim, count)) {
      throw new RangeError(`scan: stacked input ${shapeKey(x.shape)} does not have one row per iteration`);
    }
  }
  const carryParameters = carry.map((c) => parameter(region, c.shape, c.dtype));
  const xParameters = xs.map((x) => parameter(region, x.shape.slice(1), x.dtype));
  const t = parameter(region, [], "i32");
  const result = inRegion(region, () => body(carryParameters, xParameters, t));
  const { ys = [], until } = result;
  if (result.carry.length !== carry.length)
    throw new RangeError(`scan: body returned ${result.carry.length} carried values, needs ${carry.length}`);
  result.carry.forEach((value, i) => {
    const initial = carry[i] as Tensor;
    if (!sameShape(value.shape, initial.shape) || value.dtype !== initial.dtype) {
      throw new RangeError(
        `scan: carried value ${i} is ${initial.dtype}${shapeKey(initial.shape)} and becomes ${value.dtype}${shapeKey(value.shape)}`,
      );
    }
  });
  if (ys.length > 0 && count === undefined)
    throw new RangeError("scan: stacked outputs need a count that is a dimension");
  if (until) requireScalar("scan until", until, "bool");
  for (const value of [...result.carry, ...ys, ...(until ? [until] : [])]) {
    if (!region.sees(value.region))
      throw new Error(`scan: ${value} belongs to a region that is closed; return it from that scan instead`);
  }
  const attrs: ScanAttrs = {
    region,
    count,
    reverse,
    carryParameters,
    xParameters,
    t,
    carryResults: result.carry,
    yResults: ys,
    until,
  };
  const inputs = [...(spec.count instanceof Tensor ? [spec.count] : []), ...carry, ...xs];
  const node = emit(scanOp, inputs, attrs, [], "i32");
  return {
    carry: result.carry.map((c, index) => scanResult(node, "carry", index, c)),
    ys: ys.map((y, index) => scanResult(node, "ys", index, y)),
  };
}

function scanResult(node: Tensor, role: ScanRole, index: number, { shape, dtype }: Tensor): Tensor {
  const whole: Shape = role === "carry" ? shape : [scanAttrs(node).count as Dim, ...shape];
  return emit(scanResultOp, [node], { role, index }, whole, dtype);
}

/** Body values that the backward pass may need: carried ones as an iteration starts, and costly ones. */
export const bodyValues = ({ carryParameters, region }: ScanAttrs): readonly Tensor[] => [
  ...carryParameters,
  ...region.nodes.filter((n) => n.op.costly),
];

/** The value of the body that a result of a scan stacks; null for its other results. */
export function stackedBodyValue(result: Tensor): Tensor | null {
  if (result.op !== scanResultOp || result.attrs.role !== "body") return null;
  return bodyValues(scanAttrs(result.inputs[0] as Tensor))[result.attrs.index as number] ?? null;
}

/** Stacks one of the `bodyValues` over all iterations of a scan whose count is a dimension. */
export function stackBodyValue(node: Tensor, value: Tensor): Tensor {
  const index = bodyValues(scanAttrs(node)).indexOf(value);
  // Emitted next to the scan, so that the caller's enclosing loops find it like the scan's other results.
  return inRegion(node.region, () => scanResult(node, "body", index, value));
}

/**
 * Values from outside that the body of a scan uses or returns, directly or in nested scans. Operations for
 * which `counts` returns false are skipped.
 */
export function captures(attrs: ScanAttrs, counts: (node: Tensor) => boolean = () => true): Tensor[] {
  const found = new Set<Tensor>();
  const inside = new Set<Region>();
  const use = (t: Tensor | undefined) => {
    if (t && !inside.has(t.region)) found.add(t);
  };
  const visit = ({ region, carryResults, yResults, until }: ScanAttrs) => {
    inside.add(region);
    for (const node of region.nodes) {
      if (!counts(node)) continue;
      node.inputs.forEach(use);
      if (node.op.kind === "scan") visit(scanAttrs(node));
    }
    [...carryResults, ...yResults, until].forEach(use);
  };
  visit(attrs);
  return [...found];
}

/**
 * Re-emits the operations of a region at this point, with some values replaced; if `only` is given, only the
 * operations in it. Returns a function that maps a value to its copy.
 * @throws Error when the region writes state: a copy would write twice.
 */
export function inlineRegion(
  region: Region,
  replace: ReadonlyMap<Tensor, Tensor>,
  only?: ReadonlySet<Tensor>,
): (t: Tensor) => Tensor {
  const copies = new Map<Tensor, Tensor>(replace);
  const copyOf = (t: Tensor): Tensor => copies.get(t) ?? t;
  for (const node of region.nodes) {
    if (copies.has(node) || only?.has(node) === false) continue;
    if (node.op.kind === "effect") throw new Error("a scan that writes state has no gradient");
    if (node.op.kind === "scan") {
      copies.set(node, copyScan(node, copyOf, copies));
      continue;
    }
    copies.set(node, emit(node.op, node.inputs.map(copyOf), node.attrs, node.shape, node.dtype));
  }
  return copyOf;
}

function copyScan(node: Tensor, copyOf: (t: Tensor) => Tensor, copies: ReadonlyMap<Tensor, Tensor>): Tensor {
  const attrs = scanAttrs(node);
  const outer = currentRegion();
  const region = new Region(outer, outer.tracer);
  const again = (p: Tensor) => parameter(region, p.shape, p.dtype);
  const carryParameters = attrs.carryParameters.map(again);
  const xParameters = attrs.xParameters.map(again);
  const t = again(attrs.t);
  const inner = new Map(copies);
  attrs.carryParameters.forEach((p, i) => inner.set(p, carryParameters[i] as Tensor));
  attrs.xParameters.forEach((p, i) => inner.set(p, xParameters[i] as Tensor));
  inner.set(attrs.t, t);
  const find = inRegion(region, () => inlineRegion(attrs.region, inner));
  const copied: ScanAttrs = {
    ...attrs,
    region,
    carryParameters,
    xParameters,
    t,
    carryResults: attrs.carryResults.map(find),
    yResults: attrs.yResults.map(find),
    until: attrs.until && find(attrs.until),
  }; // prettier-ignore
  return emit(scanOp, node.inputs.map(copyOf), copied, [], "i32");
}
