/** The searches of one position over a game's rules, in plain JavaScript. */
import type { GameRules, GameState } from "../../../../../src/rl/environments/face/GameRules.ts";

export interface Judged {
  readonly logits: readonly number[];
  readonly value: number;
}

interface Node {
  readonly state: GameState;
  readonly legal: readonly number[];
  readonly logits: readonly number[];
  /** Probabilities of all actions; 0 for illegal ones. */
  policy: number[];
  readonly value: number;
  readonly visits: number[];
  readonly totals: number[];
  readonly children: Map<number, Node>;
}

/** Chooses an action; `simulation` is a number at the root, null below it. */
export type Selects = (node: Node, simulation: number | null) => number;

export interface PlainResult {
  readonly visits: readonly number[];
  readonly value: number;
  readonly root: Node;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

function softmax(logits: readonly number[], legal: readonly number[]): number[] {
  const most = Math.max(...legal.map((a) => logits[a] as number));
  const weights = logits.map((x, a) => (legal.includes(a) ? Math.exp(x - most) : 0));
  return weights.map((w) => w / sum(weights));
}

/** The first action with the best score. */
const best = (actions: readonly number[], score: (action: number) => number): number =>
  actions.reduce((first, action) => (score(action) > score(first) + 1e-7 ? action : first));

export function plainSearch(
  rules: GameRules,
  judge: (state: GameState) => Judged,
  start: GameState,
  options: { simulations: number; select: Selects; noised?: (policy: number[]) => number[] },
): PlainResult {
  const grown = (state: GameState): Node => {
    const legal = rules.legal(state);
    const { logits, value } = judge(state);
    const none = () => logits.map(() => 0);
    return {
      state,
      legal,
      logits,
      policy: softmax(logits, legal),
      value,
      visits: none(),
      totals: none(),
      children: new Map(),
    };
  };
  /** Value of a node for the player whose turn it is there. */
  const simulate = (node: Node, simulation: number | null): number => {
    const action = options.select(node, simulation);
    const mover = rules.player(node.state);
    const child = node.children.get(action);
    let value: number;
    if (child) {
      const sign = rules.player(child.state) === mover ? 1 : -1;
      value = sign * simulate(child, null);
    } else {
      const state = rules.next(node.state, action);
      const returns = rules.returns(state);
      if (returns) value = returns[mover] as number;
      else {
        const made = grown(state);
        node.children.set(action, made);
        value = (rules.player(state) === mover ? 1 : -1) * made.value;
      }
    }
    node.visits[action] = (node.visits[action] as number) + 1;
    node.totals[action] = (node.totals[action] as number) + value;
    return value;
  };
  const root = grown(start);
  if (options.noised) root.policy = options.noised(root.policy);
  for (let i = 0; i < options.simulations; i++) simulate(root, i);
  return { visits: root.visits, value: (root.value + sum(root.totals)) / (1 + options.simulations), root };
}

export const plainPuct =
  (c_init = 1.25, c_base = 19_652): Selects =>
  (node) => {
    const all = 1 + sum(node.visits);
    const c = c_init + Math.log((1 + all + c_base) / c_base);
    return best(node.legal, (a) => {
      const visits = node.visits[a] as number;
      const q = visits === 0 ? 0 : (node.totals[a] as number) / visits;
      return q + (c * (node.policy[a] as number) * Math.sqrt(all)) / (1 + visits);
    });
  };

/** Visits of the actions that are tried in each simulation, when so many are considered. */
export function consideredVisits(considered: number, simulations: number): number[] {
  if (considered <= 1) return Array.from({ length: simulations }, (_, i) => i);
  const phases = Math.ceil(Math.log2(considered));
  const visits: number[] = [];
  let tried = 0;
  for (let size = considered; visits.length < simulations; size = Math.max(2, Math.floor(size / 2))) {
    const rounds = Math.max(1, Math.floor(simulations / (phases * size)));
    for (let round = 0; round < rounds; round++, tried++) for (let i = 0; i < size; i++) visits.push(tried);
  }
  return visits.slice(0, simulations);
}

export interface PlainGumbel {
  readonly select: Selects;
  /** Logarithms of the improved policy, but for a constant. */
  readonly improved: (node: Node) => number[];
  readonly action: (root: Node) => number;
  readonly policy: (root: Node) => number[];
}

export function plainGumbel(options: {
  simulations: number;
  max_considered: number;
  noise: readonly number[];
  c_visit?: number;
  c_scale?: number;
}): PlainGumbel {
  const { simulations, max_considered, noise, c_visit = 50, c_scale = 1 } = options;
  const improved = ({ legal, policy, visits, totals, value }: Node): number[] => {
    const taken = legal.filter((a) => (visits[a] as number) > 0);
    const q = (a: number) => (totals[a] as number) / (visits[a] as number);
    const mass = sum(taken.map((a) => policy[a] as number));
    const mean = taken.length === 0 ? 0 : sum(taken.map((a) => (policy[a] as number) * q(a))) / mass;
    const count = sum(visits);
    const mixed = (value + count * mean) / (1 + count);
    const scale = (c_visit + Math.max(...visits)) * c_scale;
    return policy.map((p, a) =>
      legal.includes(a) ? Math.log(p) + (scale * ((taken.includes(a) ? q(a) : mixed) + 1)) / 2 : -Infinity,
    );
  };
  const bestOf = (node: Node, visits: number): number => {
    const scores = improved(node).map((x, a) => x + (noise[a] as number));
    const tried = node.legal.filter((a) => node.visits[a] === visits);
    return best(tried, (a) => scores[a] as number);
  };
  return {
    improved,
    select: (node, simulation) => {
      if (simulation !== null) {
        const considered = Math.min(max_considered, node.legal.length);
        return bestOf(node, consideredVisits(considered, simulations)[simulation] as number);
      }
      const policy = softmax(improved(node), node.legal);
      const share = 1 + sum(node.visits);
      return best(node.legal, (a) => (policy[a] as number) - (node.visits[a] as number) / share);
    },
    action: (root) => bestOf(root, Math.max(...root.visits)),
    policy: (root) => softmax(improved(root), root.legal),
  };
}
