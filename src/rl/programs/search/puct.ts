/**
 * Selection by an upper confidence bound with a prior policy, as AlphaZero does (Silver et al. 2018, "A general
 * reinforcement learning algorithm that masters chess, shogi, and Go through self-play", Science 362, methods: Search):
 * the action with the largest Q(s, a) + C(s) P(s, a) sqrt(N(s)) / (1 + N(s, a)), where
 * C(s) = c_init + log((1 + N(s) + c_base) / c_base). N(s) counts the evaluation of s too. Q is 0 for untaken actions.
 */
import {
  add,
  argmax,
  type Dim,
  div,
  greater,
  greaterEqual,
  log,
  maximum,
  mul,
  reshape,
  select,
  softmax,
  sqrt,
  sum,
  type Tensor,
} from "../../../kernels/index.ts";
import { NEVER, type SearchNode, type SearchRule } from "./SearchRule.ts";

export interface PuctOptions {
  /** How much the prior policy counts (default: 1.25). */
  readonly c_init?: number;
  /** Number of visits that raises it noticeably (default: 19,652). */
  readonly c_base?: number;
  /**
   * Noise in the root's policy: a distribution over its legal actions, f32 [n, actions], and its share from 0 to 1
   * (default: none).
   */
  readonly noise?: { readonly distribution: Tensor; readonly fraction: number };
}

/** Stands for the prior of an illegal action. */
const ILLEGAL = -1;

const probabilities = (logits: Tensor, legal: Tensor): Tensor =>
  softmax(select(greater(legal, 0), logits, NEVER));

const kept = (policy: Tensor, legal: Tensor): Tensor => select(greater(legal, 0), policy, ILLEGAL);

export function puct({ c_init = 1.25, c_base = 19_652, noise }: PuctOptions = {}): SearchRule {
  const scores = ({ prior, visits, totals }: SearchNode): Tensor => {
    const n = visits.shape[0] as Dim;
    const all = reshape(add(sum(visits), 1), [n, 1]);
    const weight = mul(add(log(div(add(all, 1 + c_base), c_base)), c_init), sqrt(all));
    const bound = div(mul(weight, prior), add(visits, 1));
    const q = div(totals, maximum(visits, 1));
    return select(greaterEqual(prior, 0), add(q, bound), NEVER);
  };
  const select_ = (node: SearchNode): Tensor => argmax(scores(node));
  return {
    prior: (logits, legal) => kept(probabilities(logits, legal), legal),
    select: select_,
    root: {
      prior: (logits, legal) => {
        const policy = probabilities(logits, legal);
        if (!noise) return kept(policy, legal);
        const { distribution, fraction } = noise;
        return kept(add(mul(policy, 1 - fraction), mul(distribution, fraction)), legal);
      },
      start: () => [],
      select: (node) => ({ action: select_(node), carried: [] }),
    },
    conclude: ({ visits, prior }) => {
      const total = reshape(maximum(sum(visits), 1), [visits.shape[0] as Dim, 1]);
      return {
        action: argmax(select(greaterEqual(prior, 0), visits, NEVER)),
        policy: div(visits, total),
      };
    },
  };
}
