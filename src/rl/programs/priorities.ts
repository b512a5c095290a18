/**
 * Sampling by priority (Schaul et al. 2016, proportional): the priorities belong to the member, one for each
 * transition that it sees; a transition that is new to it gets the largest priority so far.
 */
import { SumTree } from "../../kernels/functions/sumTree.ts";
import type { Dim, Tensor } from "../../kernels/index.ts";
import {
  add,
  cast,
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
  zeros,
} from "../../kernels/index.ts";
import { counter, hyperparameter, SYMBOLS, uniforms } from "../contract/inputs.ts";
import { type Drawn, drawnAt } from "./replay.ts";

/** Name of the tree's buffers. */
export const PRIORITY_TREE = "priority";
/** Names of scalars: largest priority so far, its exponent, and how far the run is. */
export const PRIORITY_SCALARS = {
  largest: "priority.largest",
  alpha: "priority.alpha",
  progress: "priority.progress",
  progress_step: "priority.progress_step",
} as const;

/** No transition is left out for ever. */
export const LEAST_PRIORITY = 1e-5;

const tree = () => new SumTree(PRIORITY_TREE, sym(SYMBOLS.priority_fan));
const scalar = (name: keyof typeof PRIORITY_SCALARS) => state(PRIORITY_SCALARS[name]);

/** x^y of positive numbers. */
const power = (x: Tensor, y: Tensor): Tensor => exp(mul(log(x), y));

/** Sums up the priorities that the host gave, in a turn's first vector step. `step`: vector steps before this one. */
export function gather(step: Tensor): void {
  scan({ count: cast(equal(step, 0), "i32"), carry: [] }, () => {
    tree().gather();
    return { carry: [] };
  });
}

/** Gives rows of the memory (i32 [n]) that were just written the largest priority. */
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

/** A batch with one transition from each equal part of the priorities' sum, and the importance weights. */
export function drawByPriority(step: Tensor): { drawn: Drawn; weight: Tensor } {
  const batch: Dim = sym(SYMBOLS.batch);
  const [uniform] = uniforms("sample", step, batch, 1) as [Tensor];
  const priorities = tree();
  const index = priorities.findStratified(uniform);
  const segment = state("ring.segment", [], { dtype: "i32" }).read();
  // Half a row keeps the quotient off whole numbers, however it is rounded.
  const owner = cast(floor(div(add(cast(index, "f32"), 0.5), cast(segment, "f32"))), "i32");
  // w = (N P)^-beta over its largest value, that of the least priority: N and the sum cancel.
  const relative = div(priorities.read(index), priorities.least());
  return { drawn: drawnAt(index, owner), weight: power(relative, mul(beta(), -1)) };
}

/** Gives transitions that were learned from their new priorities: error + prior_eps. */
export function reprioritise(rows: Tensor, errors: Tensor): void {
  const priority = maximum(add(errors, hyperparameter("prior_eps")), LEAST_PRIORITY);
  tree().write(rows, power(priority, scalar("alpha").read()));
  const largest = scalar("largest");
  largest.write(maximum(largest.read(), maxAll(priority)));
}
