/**
 * Prioritised sampling (Schaul et al. 2016, proportional). Each member has its own priorities, one for each
 * transition that it sees. A transition that is new to the member gets the largest priority so far.
 */
import { SumTree } from "../../kernels/functions.ts";
import {
  add,
  cast,
  constant,
  type Dim,
  dimValue,
  div,
  equal,
  exp,
  floor,
  iota,
  log,
  maxAll,
  maximum,
  minimum,
  mul,
  reshape,
  scan,
  select,
  state,
  sub,
  sym,
  type Tensor,
  takeRows,
  zeros,
} from "../../kernels/index.ts";
import { counter, hyperparameter, SYMBOLS, uniforms } from "../contract/inputs.ts";
import { areDemonstrated, demonstratedRows, withDemonstrations } from "./demonstrations.ts";
import { type Drawn, drawnAt } from "./replay.ts";

/** Name of the tree's buffers. */
export const PRIORITY_TREE = "priority";
/** Names of scalars: largest priority so far, its exponent, and the run's progress. */
export const PRIORITY_SCALARS = {
  largest: "priority.largest",
  alpha: "priority.alpha",
  progress: "priority.progress",
  progress_step: "priority.progress_step",
} as const;

/** Lower bound of priorities, so that every transition can be sampled. */
export const LEAST_PRIORITY = 1e-5;

const tree = () => new SumTree(PRIORITY_TREE, sym(SYMBOLS.priority_fan));
const scalar = (name: keyof typeof PRIORITY_SCALARS) => state(PRIORITY_SCALARS[name]);

/** x^y of positive numbers. */
const power = (x: Tensor, y: Tensor): Tensor => exp(mul(log(x), y));

/**
 * Builds the tree from the host's priorities in a turn's first vector step. `step`: vector steps before this
 * one.
 */
export function gather(step: Tensor): void {
  scan({ count: cast(equal(step, 0), "i32"), carry: [] }, () => {
    tree().gather();
    return { carry: [] };
  });
}

/** Gives the largest priority to replay buffer rows (i32 [n]) that were just written. */
export function welcome(rows: Tensor): void {
  const largest = power(scalar("largest").read(), scalar("alpha").read());
  tree().write(rows, add(zeros(rows.shape), largest));
}

/** beta: from the hyperparameter at the run's start to 1 at its end. */
function beta(): Tensor {
  const steps = cast(counter("vector_step").read(), "f32");
  const done = add(scalar("progress").read(), mul(steps, scalar("progress_step").read()));
  const first = hyperparameter("beta");
  return add(first, mul(sub(1, first), minimum(done, 1)));
}

/**
 * A batch drawn by stratified sampling (one transition per equal part of the priority sum), with importance
 * weights.
 * @param share Part of the batch that is drawn uniformly from demonstrations, with weight 1 (default: none).
 */
export function drawByPriority(step: Tensor, share?: number): { drawn: Drawn; weight: Tensor } {
  const batch: Dim = sym(SYMBOLS.batch);
  const [uniform] = uniforms("sample", step, batch, 1) as [Tensor];
  const priorities = tree();
  const index =
    share === undefined
      ? priorities.findStratified(uniform)
      : priorities.find(massAfter(demonstratedRows(share), uniform, priorities.total()));
  const segment = state("ring.segment", [], { dtype: "i32" }).read();
  // Adding half a row keeps the quotient away from integers, so rounding errors do not matter.
  const owner = cast(floor(div(add(cast(index, "f32"), 0.5), cast(segment, "f32"))), "i32");
  // w = (N P)^-beta, divided by its largest value, which the least priority has: N and the sum cancel.
  const relative = div(priorities.read(index), priorities.least());
  const drawn = drawnAt(index, owner);
  const weight = power(relative, mul(beta(), -1));
  if (share === undefined) return { drawn, weight };
  const shown = withDemonstrations(drawn, share, step);
  return { drawn: shown, weight: select(areDemonstrated(share), 1, weight) };
}

/** Masses of the rows after the first `many`, one from each equal part of the total; those of the first are not used. */
function massAfter(many: Tensor, uniform: Tensor, total: Tensor): Tensor {
  const batch: Dim = sym(SYMBOLS.batch);
  const part = div(total, cast(sub(dimValue(batch, "i32"), many), "f32"));
  const place = maximum(sub(iota(batch), many), constant(0, "i32"));
  return mul(add(uniform, cast(place, "f32")), part);
}

/**
 * Sets the new priorities of the transitions learned from: error + prior_eps. Demonstrations have none.
 * @param shown Which rows are demonstrations, bool [batch] (default: none).
 */
export function reprioritise(given: Tensor, found: Tensor, shown?: Tensor): void {
  // In place of demonstrations, the batch's last row, which never is one, is written again, to the same priority.
  const own = (x: Tensor): Tensor =>
    shown ? select(shown, takeRows(x, reshape(sub(dimValue(x.shape[0] as Dim, "i32"), 1), [1])), x) : x;
  const [rows, errors] = [own(given), own(found)];
  const priority = maximum(add(errors, hyperparameter("prior_eps")), LEAST_PRIORITY);
  tree().write(rows, power(priority, scalar("alpha").read()));
  const largest = scalar("largest");
  largest.write(maximum(largest.read(), maxAll(priority)));
}
