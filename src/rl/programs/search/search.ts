/** Monte-Carlo tree search in all lanes at once: each simulation adds one node to each lane's tree. */
import {
  add,
  cast,
  type Dim,
  div,
  equal,
  greater,
  lessEqual,
  maxAll,
  mul,
  not,
  ones,
  reshape,
  scan,
  select,
  sum,
  type Tensor,
} from "../../../kernels/index.ts";
import type { CompiledEnvironment, EnvState } from "../../environments/definition/compiledEnvironment.ts";
import { choicesOf } from "../../spaces.ts";
import { gameOf, legalIn, unsearchable } from "../game.ts";
import type { Evaluated, SearchRule } from "./SearchRule.ts";
import { Trees } from "./Trees.ts";

export interface SearchOptions {
  /** Nodes that are added to each tree. */
  readonly simulations: number;
  readonly rule: SearchRule;
  /** 1 in lanes whose game runs, f32 [n]; results of others are zeros (default: all run). */
  readonly playing?: Tensor;
  /** Begins the names of the trees' buffers (default: "search"). */
  readonly name?: string;
}

export interface SearchResult {
  /** How often each action of the root was taken, f32 [n, actions]. */
  readonly visits: Tensor;
  /** The rule's improved policy, f32 [n, actions]. */
  readonly policy: Tensor;
  /** Mean of the values that the root's player was led to and the evaluator's own, f32 [n]. */
  readonly value: Tensor;
  /** The rule's best action, i32 [n]. */
  readonly action: Tensor;
}

/**
 * Searches from positions of a game of two players. A simulation goes down from the root by the rule until an action that
 * has no node, takes it, evaluates the position it leads to, and counts the value on the way back. An action that ends the
 * game gets no node: its reward is counted each time.
 *
 * @param evaluate Policy and value of positions, for the player whose turn it is. Called while the program is traced.
 * @param root Positions of n lanes.
 * @throws RangeError for an environment that is no game of two players, that has chance, or that hides
 * information from its players.
 */
export function search(
  env: CompiledEnvironment,
  evaluate: (state: EnvState) => Evaluated,
  root: EnvState,
  { simulations, rule, playing, name = "search" }: SearchOptions,
): SearchResult {
  const { mover } = gameOf(env);
  const hinders = unsearchable(env);
  if (hinders)
    throw new RangeError(
      `${env.id}: ${hinders}, allowed in a tree search: games without chance of which players see all`,
    );
  const actions = choicesOf(env.action_space);
  const lanes = mover(root).shape[0] as Dim;
  const trees = new Trees(name, env, { lanes, nodes: simulations + 1, actions });
  const legal = legalIn(env, root);
  const known = evaluate(root);
  trees.plant({ state: root, prior: rule.root.prior(known.logits, legal), value: known.value });
  scan({ count: simulations, carry: rule.root.start(legal) }, (carried, _x, t) => {
    const first = rule.root.select(trees.node(trees.row(0)), carried);
    const { row, action } = descend(trees, rule, first.action, t);
    const before = trees.state(row);
    const { state, reward, terminated } = env.step(before, action, []);
    const { logits, value } = evaluate(state);
    const returned = select(terminated, 0, value);
    const link = {
      parent: row,
      edge: trees.edge(row, action),
      reward,
      sign: select(equal(mover(before), mover(state)), ones([lanes]), -1),
    };
    const number = add(t, 1);
    const leaf = trees.row(number);
    const prior = rule.prior(logits, legalIn(env, state));
    trees.grow(leaf, { state, prior, value: returned }, link, select(terminated, 0, number));
    backUp(trees, leaf, returned, number);
    return { carry: first.carried };
  });
  const found = trees.node(trees.row(0));
  const { action, policy } = rule.conclude(found);
  const value = div(add(found.value, sum(found.totals)), add(1, sum(found.visits)));
  if (!playing) return { visits: found.visits, policy, value, action };
  const each = reshape(playing, [lanes, 1]);
  return {
    visits: select(greater(each, 0), found.visits, 0),
    policy: select(greater(each, 0), policy, 0),
    value: select(greater(playing, 0), value, 0),
    action: select(greater(playing, 0), action, 0),
  };
}

/** Goes down from the root to an action without a node. @param t Number of the simulation: no way is longer. */
function descend(trees: Trees, rule: SearchRule, first: Tensor, t: Tensor) {
  const root = trees.row(0);
  const start = [root, first, trees.child(trees.edge(root, first))];
  const { carry } = scan({ count: t, carry: start }, (values) => {
    const [row, action, child] = values as [Tensor, Tensor, Tensor];
    const goes = greater(child, 0);
    const below = select(goes, trees.row(child), row);
    const chosen = select(goes, rule.select(trees.node(below)), action);
    const next = select(goes, trees.child(trees.edge(below, chosen)), 0);
    return { carry: [below, chosen, next], until: lessEqual(maxAll(cast(next, "f32")), 0) };
  });
  return { row: carry[0] as Tensor, action: carry[1] as Tensor };
}

/** Counts the value of a new node on the way to the root. @param most Most actions on the way, i32 scalar. */
function backUp(trees: Trees, leaf: Tensor, value: Tensor, most: Tensor): void {
  scan({ count: most, carry: [leaf, value, ones(value.shape)] }, (values) => {
    const [row, below, goes] = values as [Tensor, Tensor, Tensor];
    const { parent, edge, reward, sign } = trees.link(row);
    const own = add(reward, mul(sign, below));
    trees.count(edge, own, goes);
    const left = mul(goes, cast(not(equal(parent, trees.row(0))), "f32"));
    return { carry: [parent, own, left], until: lessEqual(maxAll(left), 0) };
  });
}
