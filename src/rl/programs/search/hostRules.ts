/** The rules of `puct.ts` and `gumbel.ts`, whose sources they have, for trees in JavaScript. */
import { exponential, logarithm } from "../../../evolution/members.ts";
import type { GumbelOptions } from "./gumbel.ts";
import type { HostNode, HostRule } from "./HostTree.ts";
import type { PuctOptions } from "./puct.ts";

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Probabilities of all actions; 0 for illegal ones. */
export function legalSoftmax(logits: readonly number[], legal: readonly number[]): number[] {
  const most = Math.max(...legal.map((action) => logits[action] as number));
  const weights = logits.map((x, action) => (legal.includes(action) ? exponential(x - most) : 0));
  const all = sum(weights);
  return weights.map((weight) => weight / all);
}

/** The first action with the best score. Kernels count in 32 bits, in which nearly equal scores are equal. */
const best = (actions: readonly number[], score: (action: number) => number): number =>
  actions.reduce((first, action) => (score(action) > score(first) + 1e-7 ? action : first));

export function hostPuct({ c_init = 1.25, c_base = 19_652 }: Omit<PuctOptions, "noise"> = {}): HostRule {
  return {
    select: ({ legal, policy, visits, totals }) => {
      const all = 1 + sum(visits);
      const c = c_init + logarithm((1 + all + c_base) / c_base);
      return best(legal, (action) => {
        const taken = visits[action] as number;
        const q = taken === 0 ? 0 : (totals[action] as number) / taken;
        return q + (c * (policy[action] as number) * Math.sqrt(all)) / (1 + taken);
      });
    },
    action: ({ legal, visits }) => best(legal, (action) => visits[action] as number),
  };
}

/**
 * The schedule of sequential halving: for each simulation, how often the action that it tries was visited before.
 * @param considered Number of actions that are tried at all.
 */
function consideredVisits(considered: number, simulations: number): number[] {
  if (considered <= 1) return Array.from({ length: simulations }, (_, i) => i);
  const phases = 32 - Math.clz32(considered - 1);
  const visits: number[] = [];
  let tried = 0;
  for (let size = considered; visits.length < simulations; size = Math.max(2, Math.floor(size / 2))) {
    const rounds = Math.max(1, Math.floor(simulations / (phases * size)));
    for (let round = 0; round < rounds; round++, tried++) for (let i = 0; i < size; i++) visits.push(tried);
  }
  return visits.slice(0, simulations);
}

export interface HostGumbelOptions extends Omit<GumbelOptions, "noise"> {
  /** Gumbel noise of the root's actions (default: none). */
  readonly noise?: readonly number[];
}

/** Logarithms of the improved policy, but for a constant. */
export function improvedLogits(
  { legal, policy, visits, totals, value }: HostNode,
  { c_visit = 50, c_scale = 1 }: Pick<GumbelOptions, "c_visit" | "c_scale">,
): number[] {
  const taken = legal.filter((action) => (visits[action] as number) > 0);
  const q = (action: number) => (totals[action] as number) / (visits[action] as number);
  const mass = sum(taken.map((action) => policy[action] as number));
  const mean = taken.length === 0 ? 0 : sum(taken.map((a) => (policy[a] as number) * q(a))) / mass;
  const count = sum(visits);
  const mixed = (value + count * mean) / (1 + count);
  const scale = (c_visit + Math.max(...visits)) * c_scale;
  return policy.map((p, action) =>
    legal.includes(action)
      ? logarithm(p) + (scale * ((taken.includes(action) ? q(action) : mixed) + 1)) / 2
      : Number.NEGATIVE_INFINITY,
  );
}

export function hostGumbel(options: HostGumbelOptions): HostRule {
  const { simulations, max_considered = 16, noise } = options;
  const bestOf = (node: HostNode, visits: number): number => {
    const scores = improvedLogits(node, options).map((x, action) => x + (noise?.[action] ?? 0));
    const tried = node.legal.filter((action) => node.visits[action] === visits);
    return best(tried, (action) => scores[action] as number);
  };
  return {
    select: (node, simulation) => {
      if (simulation !== null) {
        const considered = Math.min(max_considered, node.legal.length);
        return bestOf(node, consideredVisits(considered, simulations)[simulation] as number);
      }
      const policy = legalSoftmax(improvedLogits(node, options), node.legal);
      const share = 1 + sum(node.visits);
      return best(
        node.legal,
        (action) => (policy[action] as number) - (node.visits[action] as number) / share,
      );
    },
    action: (root) => bestOf(root, Math.max(...root.visits)),
  };
}
