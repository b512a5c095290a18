/**
 * Search with few simulations that improves the policy in expectation (Danihelka et al. 2022, "Policy improvement by
 * planning with Gumbel", ICLR): sequential halving over actions sampled without replacement at the root, completed values,
 * and visits in proportion to the improved policy below it.
 */
import {
  add,
  argmax,
  type Dim,
  div,
  equal,
  exp,
  greater,
  log,
  logSoftmax,
  max,
  maximum,
  mul,
  neg,
  reshape,
  select,
  softmax,
  sub,
  sum,
  type Tensor,
} from "../../../kernels/index.ts";
import { NEVER, type SearchNode, type SearchRule } from "./SearchRule.ts";
import { Halving } from "./sequentialHalving.ts";

export interface GumbelOptions {
  readonly simulations: number;
  /** Most actions that are tried at the root (default: 16). */
  readonly max_considered?: number;
  /** With the most visits of an action, scales values against logits (default: 50). */
  readonly c_visit?: number;
  /** Scales values against logits (default: 1). */
  readonly c_scale?: number;
  /** Gumbel noise of the root's actions, f32 [n, actions] (default: none, the policy's best actions are tried). */
  readonly noise?: Tensor;
}

/** Gumbel noise from uniform numbers in [0, 1). */
export const gumbelNoise = (uniform: Tensor): Tensor =>
  // 2^-25 keeps the logarithms finite: uniform numbers are multiples of 2^-24.
  neg(log(neg(log(add(mul(uniform, 1 - 2 ** -24), 2 ** -25)))));

/** A number of each lane beside its actions, [n, 1]. */
const beside = (x: Tensor): Tensor => reshape(x, [x.shape[0] as Dim, 1]);

export function gumbel(options: GumbelOptions): SearchRule {
  const { simulations, max_considered = 16, c_visit = 50, c_scale = 1, noise } = options;
  const halving = new Halving(simulations, max_considered);

  /** sigma of the completed values (equations 8 and 10, appendix D), from returns of -1 to 1 as 0 to 1. */
  const transformed = ({ prior, visits, totals, value }: SearchNode): Tensor => {
    const isTaken = greater(visits, 0);
    const q = div(totals, maximum(visits, 1));
    const p = select(isTaken, maximum(exp(prior), 1e-30), 0);
    const mean = div(sum(mul(p, q)), maximum(sum(p), 1e-30));
    const taken = sum(visits);
    const mixed = div(add(value, mul(taken, mean)), add(taken, 1));
    const completed = select(isTaken, q, beside(mixed));
    const scale = mul(add(max(visits), c_visit), c_scale);
    return mul(beside(scale), mul(add(completed, 1), 0.5));
  };
  const isLegal = (prior: Tensor): Tensor => greater(prior, NEVER / 2);
  /** Logarithms of the improved policy, but for a constant of each lane. */
  const improved = (node: SearchNode): Tensor =>
    select(isLegal(node.prior), add(node.prior, transformed(node)), NEVER);
  const noisy = (node: SearchNode): Tensor => (noise ? add(improved(node), noise) : improved(node));
  /** The best of the legal actions with this many visits. */
  const best = (node: SearchNode, visits: Tensor): Tensor => {
    const isIn = equal(node.visits, beside(visits));
    return argmax(select(isLegal(node.prior), select(isIn, noisy(node), NEVER), 2 * NEVER));
  };
  const logarithms = (logits: Tensor, legal: Tensor): Tensor => {
    const isAllowed = greater(legal, 0);
    return select(isAllowed, logSoftmax(select(isAllowed, logits, NEVER)), NEVER);
  };
  return {
    prior: logarithms,
    select: (node) => {
      const share = div(node.visits, beside(add(sum(node.visits), 1)));
      return argmax(select(isLegal(node.prior), sub(softmax(improved(node)), share), NEVER));
    },
    root: {
      prior: logarithms,
      start: (legal) => halving.start(legal),
      select: (node, carried) => ({
        action: best(node, halving.visits(carried)),
        carried: halving.next(carried),
      }),
    },
    conclude: (root) => ({
      action: best(root, max(root.visits)),
      policy: select(isLegal(root.prior), softmax(improved(root)), 0),
    }),
  };
}
