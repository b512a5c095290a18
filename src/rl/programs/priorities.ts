/**
 * Prioritised sampling (Schaul et al. 2016, proportional). Each member has its own priorities, one for each
 * transition that it sees. A transition that is new to the member gets the largest priority so far.
 */
import { SumTree } from "../../kernels/functions.ts";
import {
  add,
  cast,
  type Dim,
  div,
  equal,
  exp,
  floor,
  log,
  maxAll,
  maximum,
  minimum,
  mul,
  scan,
  state,
  sub,
  sym,
  type Tensor,
  zeros,
} from "../../kernels/index.ts";
import { counter, hyperparameter, SYMBOLS, uniforms } from "../contract/inputs.ts";
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
 */
export function drawByPriority(step: Tensor): { drawn: Drawn; weight: Tensor } {
  const batch: Dim = sym(SYMBOLS.batch);
  const [uniform] = uniforms("sample", step, batch, 1) as [Tensor];
  const priorities = tree();
  const index = priorities.findStratified(uniform);
  const segment = state("ring.segment", [], { dtype: "i32" }).read();
  // Adding half a row keeps the quotient away from integers, so rounding errors do not matter.
  const owner = cast(floor(div(add(cast(index, "f32"), 0.5), cast(segment, "f32"))), "i32");
  // w = (N P)^-beta, divided by its largest value, which the least priority has: N and the sum cancel.
  const relative = div(priorities.read(index), priorities.least());
  return { drawn: drawnAt(index, owner), weight: power(relative, mul(beta(), -1)) };
}

/** Sets the new priorities of the transitions learned from: error + prior_eps. */
export function reprioritise(rows: Tensor, errors: Tensor): void {
  const priority = maximum(add(errors, hyperparameter("prior_eps")), LEAST_PRIORITY);
  tree().write(rows, power(priority, scalar("alpha").read()));
  const largest = scalar("largest");
  largest.write(maximum(largest.read(), maxAll(priority)));
}
