/** Reverse-mode differentiation of a traced graph, by appending operations to it. */
import type { Dim } from "./dim.ts";
import { mulDims, sameDim, sizeOf } from "./dim.ts";
import { add } from "./ops/arithmetic.ts";
import { sumOfNeighbours } from "./ops/indexing.ts";
import { reshape } from "./ops/layout.ts";
import { broadcastTo } from "./ops/logic.ts";
import { ones, zeros } from "./ops/operand.ts";
import { sum } from "./ops/reduction.ts";
import { rowSum } from "./rowSum.ts";
import {
  bodyValues,
  captures,
  inlineRegion,
  nodesIn,
  parameter,
  parameterOp,
  type ScanRole,
  scan,
  scanAttrs,
  scanInputs,
  scanResultOp,
  stackBodyValue,
  stackedBodyValue,
} from "./scan.ts";
import { readOp } from "./state.ts";
import { currentRegion, inRegion, Region, type Tensor } from "./tensor.ts";

/** A gradient in the shape of a broadcast result, summed back to the shape of the operand. */
function unbroadcast(gradient: Tensor, like: Tensor): Tensor {
  let g = gradient;
  const extra = g.rank - like.rank;
  if (extra < 0) g = broadcastTo(g, like.shape);
  if (extra > 0) {
    const rest = g.shape.slice(extra);
    g = sum(reshape(g, [sizeOf(g.shape.slice(0, extra)), ...rest]), 0);
  }
  like.shape.forEach((dim, axis) => {
    const wide = g.shape[axis];
    if (dim === 1 && wide !== undefined && !sameDim(wide, 1)) g = sum(g, axis, true);
  });
  return g.rank === like.rank && g.shape.every((d, i) => sameDim(d, like.shape[i] ?? 1))
    ? g
    : broadcastTo(g, like.shape);
}

/** An output and the gradient that arrives at it. */
export interface Seed {
  readonly output: Tensor;
  readonly gradient: Tensor;
}

/**
 * Vector-Jacobian product: gradients of sum(output . gradient) with respect to `wrt`, in their shapes; zeros
 * where no output depends on them. If one of `wrt` is computed from another, the other's gradient includes
 * that path.
 * @throws Error when the path goes through a scan that writes state, ends on a condition or has a computed
 *   count.
 */
export function vjp(seeds: readonly Seed[], wrt: readonly Tensor[]): Tensor[] {
  return pullBack(seeds, wrt, false);
}

/** `vjp`; with `leaves` the walk ends at each of `wrt`, as if none were computed from another. */
function pullBack(seeds: readonly Seed[], wrt: readonly Tensor[], leaves: boolean): Tensor[] {
  const targets = new Set(wrt);
  const dependsOnTarget = dependence(targets);

  const gradients = new Map<Tensor, Tensor>();
  const accumulate = (t: Tensor, gradient: Tensor) => {
    if (t.dtype !== "f32" || !dependsOnTarget(t)) return;
    const g = unbroadcast(gradient, t);
    const known = gradients.get(t);
    gradients.set(t, known ? (sumOfNeighbours(known, g) ?? add(known, g)) : g);
    if (!known && !(leaves && targets.has(t))) queue.push(t);
  };

  const queue: Tensor[] = [];
  const scanGradients = new Map<Tensor, Map<Tensor, Tensor>>();
  for (const { output, gradient } of seeds) accumulate(output, gradient);

  while (queue.length > 0) {
    // Users come after their inputs, so the gradient of the youngest node is complete.
    queue.sort((a, b) => a.id - b.id);
    const node = queue.pop() as Tensor;
    if (node.op.kind === "scan") {
      backThroughScan(node, scanGradients.get(node) ?? new Map(), dependsOnTarget, accumulate);
      continue;
    }
    const gradient = gradients.get(node);
    if (!gradient) continue;
    if (node.op === scanResultOp) {
      const loop = node.inputs[0] as Tensor;
      const results = scanGradients.get(loop) ?? new Map<Tensor, Tensor>();
      if (!scanGradients.has(loop)) queue.push(loop);
      scanGradients.set(loop, results.set(node, gradient));
      continue;
    }
    const rule = node.op.gradient;
    if (!rule) continue;
    rule(node, gradient).forEach((g, i) => {
      const input = node.inputs[i];
      if (g && input) accumulate(input, g);
    });
  }
  return wrt.map((t) => gradients.get(t) ?? zeros(t.shape));
}

/** Whether a value is, or depends on, one of the targets. Uses an explicit stack, since chains get long. */
function dependence(targets: ReadonlySet<Tensor>): (t: Tensor) => boolean {
  const known = new Map<Tensor, boolean>();
  return (root) => {
    const stack = [root];
    for (let t = stack.at(-1); t; t = stack.at(-1)) {
      if (known.has(t)) {
        stack.pop();
        continue;
      }
      const sources = t.op.kind === "scan" ? [...t.inputs, ...captures(scanAttrs(t))] : t.inputs;
      const open = targets.has(t) ? [] : sources.filter((s) => !known.has(s));
      if (open.length > 0) {
        stack.push(...open);
        continue;
      }
      known.set(t, targets.has(t) || sources.some((s) => known.get(s)));
      stack.pop();
    }
    return known.get(root) ?? false;
  };
}

/**
 * The gradient rule of scan: walks back over the initial values of each iteration, differentiating one
 * iteration at a time (back-propagation through time). Costly values of the body are reused from the forward
 * pass; the rest of the body runs again.
 */
function backThroughScan(
  node: Tensor,
  results: ReadonlyMap<Tensor, Tensor>,
  needed: (t: Tensor) => boolean,
  accumulate: (t: Tensor, gradient: Tensor) => void,
): void {
  const attrs = scanAttrs(node);
  const { count } = attrs;
  if (count === undefined)
    throw new Error("a scan with a computed count has no gradient; give the count as a dimension");
  if (attrs.until) throw new Error("a scan that ends on a condition has no gradient; carry a mask instead");
  requireUnchangedReads(node);
  const { carry, xs } = scanInputs(node);
  const captured = captures(attrs).filter((t) => t.dtype === "f32" && needed(t));
  const of = (role: ScanRole) => [...results].filter(([t]) => t.attrs.role === role);
  const carryGradients = carry.map(
    (c, i) => of("carry").find(([t]) => t.attrs.index === i)?.[1] ?? zeros(c.shape),
  );
  const stackedResults = [...of("ys"), ...of("body")];

  // One iteration, drafted in its own region: its parameters stand for the values that the loop provides.
  const outer = currentRegion();
  const draft = new Region(outer, outer.tracer);
  const like = (values: readonly Tensor[]) => values.map((v) => parameter(draft, v.shape, v.dtype));
  const body = attrs.region.nodes;
  const inputs = new Map(body.filter((n) => n.op === parameterOp).map((p) => [p, like([p])[0] as Tensor]));
  const gCarry = like(carry);
  const gStacked = stackedResults.map(([, { shape, dtype }]) => parameter(draft, shape.slice(1), dtype));
  const totals = like(captured);
  const walked = inRegion(draft, () => {
    const find = inlineRegion(attrs.region, inputs);
    const valueOf = (result: Tensor) =>
      find(stackedBodyValue(result) ?? (attrs.yResults[result.attrs.index as number] as Tensor));
    const seeds = [
      ...attrs.carryResults.map((r, i) => ({ output: find(r), gradient: gCarry[i] as Tensor })),
      ...stackedResults.map(([t], i) => ({ output: valueOf(t), gradient: gStacked[i] as Tensor })),
    ].filter(({ output }) => output.dtype === "f32");
    const [ofCarry, ofXs] = [attrs.carryParameters, attrs.xParameters].map((ps) => ps.map(find));
    // A captured value computed from another one passes its gradient on once, outside the loop.
    const gradients = pullBack(seeds, [...(ofCarry ?? []), ...(ofXs ?? []), ...captured], true).values();
    const next = (values: readonly Tensor[]) => values.map(() => gradients.next().value as Tensor);
    const [carried, stacked, ofCaptured] = [next(carry), next(xs), next(captured)];
    const sums = ofCaptured.map(rowSum);
    return {
      carried,
      stacked,
      sums,
      totals: ofCaptured.map((g, i) => (sums[i] ? (totals[i] as Tensor) : add(totals[i] as Tensor, g))),
      /** Values of the body by their copies in the draft. */
      originals: new Map(bodyValues(attrs).map((v) => [find(v), v])),
    };
  });
  const { carried, stacked, sums } = walked;
  /** Values needed from every iteration: for the inputs, and for sums over all rows. */
  const wanted = [...new Set([...stacked, ...sums.flatMap((s) => s?.parts ?? [])])];
  const used = sourcesOf([...carried, ...walked.totals, ...wanted], walked.originals, draft);
  const recalled = [...walked.originals].filter(([copy]) => used.has(copy));

  /** Values of the draft that are stacked outside the loop, mapped to their stacks. */
  const given = new Map<Tensor, Tensor>([
    ...recalled.map(([copy, value]) => [copy, stackBodyValue(node, value)] as const),
    ...attrs.xParameters.map((p, i) => [inputs.get(p) as Tensor, xs[i] as Tensor] as const),
    ...stackedResults.map(([, g], i) => [gStacked[i] as Tensor, g] as const),
  ]);
  const made = wanted.filter((t) => !given.has(t));
  const back = scan(
    {
      count,
      carry: [...carryGradients, ...captured.map((t) => zeros(t.shape))],
      xs: [...given.values()],
      reverse: !attrs.reverse,
    },
    (g, x, t) => {
      const find = inlineRegion(
        draft,
        new Map([
          ...[...given.keys()].map((value, i) => [value, x[i] as Tensor] as const),
          ...[...gCarry, ...totals].map((value, i) => [value, g[i] as Tensor] as const),
          [inputs.get(attrs.t) as Tensor, t],
        ]),
        used,
      );
      return { carry: [...carried, ...walked.totals].map(find), ys: made.map(find) };
    },
  );
  const stackOf = (t: Tensor): Tensor => given.get(t) ?? (back.ys[made.indexOf(t)] as Tensor);
  const allRows = (t: Tensor): Tensor =>
    reshape(stackOf(t), [mulDims(count, t.shape[0] as Dim), ...t.shape.slice(1)]);
  carry.forEach((c, i) => accumulate(c, back.carry[i] as Tensor));
  xs.forEach((x, i) => accumulate(x, stackOf(stacked[i] as Tensor)));
  captured.forEach((t, i) => {
    const s = sums[i];
    accumulate(t, s ? s.over(s.parts.map(allRows)) : (back.carry[carry.length + i] as Tensor));
  });
}

/** The values of a region that `values` are computed from, including themselves; stops at `ends`. */
function sourcesOf(
  values: readonly Tensor[],
  ends: ReadonlyMap<Tensor, unknown>,
  region: Region,
): ReadonlySet<Tensor> {
  const found = new Set<Tensor>();
  const stack = [...values];
  for (let t = stack.pop(); t; t = stack.pop()) {
    if (found.has(t) || t.region !== region) continue;
    found.add(t);
    if (!ends.has(t)) stack.push(...t.inputs, ...(t.op.kind === "scan" ? captures(scanAttrs(t)) : []));
  }
  return found;
}

/** The backward pass runs the body again, so the state it reads must not have changed since. */
function requireUnchangedReads(node: Tensor): void {
  const names = new Set<unknown>();
  for (const { op, attrs } of nodesIn(scanAttrs(node).region)) if (op === readOp) names.add(attrs.name);
  for (let region: Region | null = currentRegion(); region; region = region.parent) {
    for (const { op, id, attrs } of nodesIn(region)) {
      if (op.kind !== "effect" || id < node.id || !names.has(attrs.name)) continue;
      throw new Error(
        `a scan that reads state ${attrs.name}, written since, has no gradient; read the state before the scan`,
      );
    }
  }
}

/** Gradients of a scalar loss with respect to `wrt`. */
export function grad(loss: Tensor, wrt: readonly Tensor[]): Tensor[] {
  return vjp([{ output: loss, gradient: ones(loss.shape) }], wrt);
}
