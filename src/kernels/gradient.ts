/** Reverse-mode differentiation: from a traced graph to operations appended to it. */
import type { Dim } from "./dim.ts";
import { mulDims, sameDim, sizeOf } from "./dim.ts";
import { add } from "./ops/arithmetic.ts";
import { sumOfNeighbours } from "./ops/indexing.ts";
import { broadcastTo } from "./ops/logic.ts";
import { ones, zeros } from "./ops/operand.ts";
import { sum } from "./ops/reduction.ts";
import {
  captures,
  carriesBefore,
  inlineRegion,
  scan,
  scanAttrs,
  scanInputs,
  scanResultOp,
} from "./ops/scan.ts";
import { readOp } from "./ops/state.ts";
import { reshape } from "./ops/view.ts";
import { type RowSum, rowSum } from "./rowSum.ts";
import { currentRegion, type Region, type Tensor } from "./tensor.ts";

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
 * Vector-Jacobian product: gradients of sum(output . gradient) with respect to `wrt`, in their shapes;
 * zeros where nothing depends. Where one of `wrt` is made from another, the other's gradient counts that path.
 * @throws Error when the path goes through a scan that writes state, ends by a condition or has a computed count.
 */
export function vjp(seeds: readonly Seed[], wrt: readonly Tensor[]): Tensor[] {
  return pullBack(seeds, wrt, false);
}

/** `vjp`; with `leaves` the walk ends at each of `wrt`, as if none were made from another. */
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
    // Users come after what they use, so the youngest node has its gradient complete.
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

/** Whether a value is one of the targets or made from one; with a stack of its own, since chains get long. */
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
 * The reverse rule of scan: walk back over what each iteration started from, running its body again and
 * differentiating one iteration at a time (back-propagation through time).
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
    throw new Error("a scan whose count is computed has no gradient; give the count as a dimension");
  if (attrs.until) throw new Error("a scan that ends by a condition has no gradient; carry a mask instead");
  requireUnchangedReads(node);
  const { carry, xs } = scanInputs(node);
  const captured = captures(attrs).filter((t) => t.dtype === "f32" && needed(t));

  const body = (c: readonly Tensor[], x: readonly Tensor[], t: Tensor) => {
    const replace = new Map<Tensor, Tensor>([[attrs.t, t]]);
    attrs.carryParameters.forEach((p, i) => replace.set(p, c[i] as Tensor));
    attrs.xParameters.forEach((p, i) => replace.set(p, x[i] as Tensor));
    return inlineRegion(attrs.region, replace);
  };
  const resultGradient = (role: string, index: number): Tensor | undefined => {
    for (const [t, g] of results) if (t.attrs.role === role && t.attrs.index === index) return g;
    return undefined;
  };
  const carryGradients = carry.map((c, i) => resultGradient("carry", i) ?? zeros(c.shape));
  const yGradients = attrs.yResults.map((y, i) => resultGradient("ys", i) ?? zeros([count, ...y.shape]));
  const nCarry = carry.length;
  // Only a gradient's own gradient comes by way of what an iteration started from.
  const early = carry.flatMap((_, index) => {
    const gradient = resultGradient("before", index);
    return gradient ? [{ index, gradient }] : [];
  });
  const stacked = [...carriesBefore(node), ...xs, ...yGradients, ...early.map(({ gradient }) => gradient)];
  let parameters: readonly Tensor[] = [];
  let ofXs: readonly Tensor[] = [];
  let sums: readonly (RowSum | null)[] = [];
  /** Values of the body that are needed of every iteration. */
  const kept = new Set<Tensor>();

  const back = scan(
    {
      count,
      carry: [...carryGradients, ...captured.map((t) => zeros(t.shape))],
      xs: stacked,
      reverse: !attrs.reverse,
    },
    (g, x, t) => {
      parameters = x;
      const c = x.slice(0, nCarry);
      const xt = x.slice(nCarry, nCarry + xs.length);
      const gy = x.slice(nCarry + xs.length, nCarry + xs.length + yGradients.length);
      const gEarly = x.slice(nCarry + xs.length + yGradients.length);
      const find = body(c, xt, t);
      const seeds = [
        ...attrs.carryResults.map((r, i) => ({ output: find(r), gradient: g[i] as Tensor })),
        ...attrs.yResults.map((r, i) => ({ output: find(r), gradient: gy[i] as Tensor })),
      ].filter(({ output }) => output.dtype === "f32");
      const wrt = [...c, ...xt, ...captured];
      // A captured value made from another one passes its gradient on outside the loop, once.
      const gradients = pullBack(seeds, wrt, true);
      const ofCaptured = gradients.slice(nCarry + xs.length);
      sums = ofCaptured.map(rowSum);
      ofXs = gradients.slice(nCarry, nCarry + xs.length);
      for (const value of [...ofXs, ...sums.flatMap((s) => s?.parts ?? [])])
        if (!x.includes(value)) kept.add(value);
      return {
        carry: [
          ...gradients.slice(0, nCarry).map((gradient, i) => {
            const more = gEarly[early.findIndex(({ index }) => index === i)];
            return more ? add(gradient, more) : gradient;
          }),
          ...ofCaptured.map((gradient, i) => {
            const total = g[nCarry + i] as Tensor;
            return sums[i] ? total : add(total, gradient);
          }),
        ],
        ys: [...kept],
      };
    },
  );
  const stackOf = (t: Tensor): Tensor =>
    (stacked[parameters.indexOf(t)] ?? back.ys[[...kept].indexOf(t)]) as Tensor;
  const allRows = (t: Tensor): Tensor =>
    reshape(stackOf(t), [mulDims(count, t.shape[0] as Dim), ...t.shape.slice(1)]);
  carry.forEach((c, i) => accumulate(c, back.carry[i] as Tensor));
  xs.forEach((x, i) => accumulate(x, stackOf(ofXs[i] as Tensor)));
  captured.forEach((t, i) => {
    const s = sums[i];
    accumulate(t, s ? s.over(s.parts.map(allRows)) : (back.carry[nCarry + i] as Tensor));
  });
}

/** Backward, the body runs again: what it reads must not have changed since. */
function requireUnchangedReads(node: Tensor): void {
  const names = new Set<unknown>();
  visitNodes(scanAttrs(node).region, (n) => n.op === readOp && names.add(n.attrs.name));
  for (let region: Region | null = currentRegion(); region; region = region.parent) {
    visitNodes(region, (n) => {
      if (n.op.kind !== "effect" || n.id < node.id || !names.has(n.attrs.name)) return;
      throw new Error(
        `a scan that reads state ${n.attrs.name}, written since, has no gradient; read the state before the scan`,
      );
    });
  }
}

function visitNodes(region: Region, visit: (node: Tensor) => void): void {
  for (const node of region.nodes) {
    visit(node);
    if (node.op.kind === "scan") visitNodes(scanAttrs(node).region, visit);
  }
}

/** Gradients of a scalar loss with respect to `wrt`. */
export function grad(loss: Tensor, wrt: readonly Tensor[]): Tensor[] {
  return vjp([{ output: loss, gradient: ones(loss.shape) }], wrt);
}
