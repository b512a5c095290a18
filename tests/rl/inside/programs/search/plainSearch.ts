/** Searches of one position over a game's rules, by the trees of games that the host steps. */
import type { GameRules, GameState } from "../../../../../src/rl/environments/face/GameRules.ts";
import {
  type HostNode,
  type HostRule,
  HostTree,
  type Judged,
} from "../../../../../src/rl/programs/search/HostTree.ts";
import { legalSoftmax } from "../../../../../src/rl/programs/search/hostRules.ts";

export { hostGumbel, hostPuct } from "../../../../../src/rl/programs/search/hostRules.ts";

export interface Evaluation {
  readonly logits: readonly number[];
  readonly value: number;
}

export interface PlainResult {
  readonly visits: readonly number[];
  readonly value: number;
  readonly action: number;
  readonly root: HostNode;
}

export function plainSearch(
  rules: GameRules,
  judge: (state: GameState) => Evaluation,
  start: GameState,
  options: { simulations: number; rule: HostRule; noised?: (policy: number[]) => number[] },
): PlainResult {
  const { simulations, rule, noised = (policy) => policy } = options;
  const judged = (position: GameState): Judged<GameState> => {
    const legal = rules.legal(position);
    const { logits, value } = judge(position);
    return { position, player: rules.player(position), legal, policy: legalSoftmax(logits, legal), value };
  };
  const root = judged(start);
  const tree = new HostTree(rule, { ...root, policy: noised([...root.policy]) });
  for (let i = 0; i < simulations; i++) {
    const { position, player, action } = tree.descend();
    const state = rules.next(position, action);
    const returns = rules.returns(state);
    tree.grow(returns?.[player] ?? 0, returns ? null : judged(state));
  }
  return { visits: tree.root.visits, value: tree.value, action: tree.action, root: tree.root };
}
