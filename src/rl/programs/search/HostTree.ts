/** Tree search in JavaScript, for games that the host steps. As in kernels, each simulation adds one node to the tree. */

/** A node as rules of selection see it. Values are those of the player whose turn it is there. */
export interface HostNode {
  /** Legal actions, at least one. */
  readonly legal: readonly number[];
  /** Probabilities of all actions; 0 for illegal ones. */
  readonly policy: readonly number[];
  /** The evaluator's value. */
  readonly value: number;
  /** How often each action was taken. */
  readonly visits: readonly number[];
  /** Sum of the values that each action led to. */
  readonly totals: readonly number[];
}

/** How a tree search selects actions, as `SearchRule` does in kernels. */
export interface HostRule {
  /** The action that a simulation takes. @param simulation Its number at the root, from 0; null below the root. */
  readonly select: (node: HostNode, simulation: number | null) => number;
  /** The best action at the root after all simulations. */
  readonly action: (root: HostNode) => number;
}

/** A position and what an evaluator says of it. */
export interface Judged<Position> extends Omit<HostNode, "visits" | "totals"> {
  readonly position: Position;
  /** Whose turn it is: 0 or 1. */
  readonly player: number;
}

/** An action that is tried in a position. */
export interface Try<Position> {
  readonly position: Position;
  readonly player: number;
  readonly action: number;
}

class Node<Position> implements HostNode {
  readonly judged: Judged<Position>;
  /** What the action that led here brought to its player. */
  readonly reward: number;
  readonly children = new Map<number, Node<Position>>();
  readonly visits: number[];
  readonly totals: number[];

  constructor(judged: Judged<Position>, reward: number) {
    this.judged = judged;
    this.reward = reward;
    this.visits = judged.policy.map(() => 0);
    this.totals = [...this.visits];
  }

  get legal(): readonly number[] {
    return this.judged.legal;
  }

  get policy(): readonly number[] {
    return this.judged.policy;
  }

  get value(): number {
    return this.judged.value;
  }
}

/** The tree of a position in a game of two players, in which one wins what the other loses. */
export class HostTree<Position> {
  readonly #rule: HostRule;
  readonly #root: Node<Position>;
  /** Nodes and actions of the simulation that runs, from the root down. */
  #way: (readonly [node: Node<Position>, action: number])[] = [];
  #simulations = 0;

  constructor(rule: HostRule, root: Judged<Position>) {
    this.#rule = rule;
    this.#root = new Node(root, 0);
  }

  /** Begins a simulation: goes down from the root to an action that has no node. */
  descend(): Try<Position> {
    let node = this.#root;
    let action = this.#rule.select(node, this.#simulations++);
    this.#way = [[node, action]];
    for (let child = node.children.get(action); child; child = node.children.get(action)) {
      node = child;
      action = this.#rule.select(node, null);
      this.#way.push([node, action]);
    }
    const { position, player } = node.judged;
    return { position, player, action };
  }

  /**
   * Ends the simulation: counts what its action led to on the way back.
   * @param reward What the action brought to its player.
   * @param next Null where the game ended: such actions get no node.
   */
  grow(reward: number, next: Judged<Position> | null): void {
    const leaf = next && new Node(next, reward);
    const [node, action] = this.#way.at(-1) as [Node<Position>, number]; // `descend` went one way at least.
    if (leaf) node.children.set(action, leaf);
    let [brought, below, value] = [reward, leaf, next?.value ?? 0];
    for (const [parent, taken] of this.#way.toReversed()) {
      const isSame = below?.judged.player === parent.judged.player;
      value = brought + (isSame ? value : -value);
      parent.visits[taken] = (parent.visits[taken] as number) + 1;
      parent.totals[taken] = (parent.totals[taken] as number) + value;
      [brought, below] = [parent.reward, parent];
    }
  }

  get root(): HostNode {
    return this.#root;
  }

  /** Mean of the values that the root's player was led to and the evaluator's own. */
  get value(): number {
    const { value, totals } = this.#root;
    return totals.reduce((sum, total) => sum + total, value) / (1 + this.#simulations);
  }

  get action(): number {
    return this.#rule.action(this.#root);
  }
}
