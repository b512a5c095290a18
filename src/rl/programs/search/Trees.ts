/** Search trees in buffers, one for each lane. Node i of a lane is row `lane * nodes + i`; the root is node 0. */
import {
  add,
  type Dim,
  iota,
  mul,
  mulDims,
  ones,
  reshape,
  type State,
  state,
  type Tensor,
  takeRows,
  zeros,
} from "../../../kernels/index.ts";
import {
  type CompiledEnvironment,
  type EnvState,
  variableShape,
} from "../../environments/definition/compiledEnvironment.ts";
import type { SearchNode } from "./SearchRule.ts";

/** A new node of each lane. */
export interface NewNode {
  readonly state: EnvState;
  readonly prior: Tensor;
  /** f32 [n], for the player whose turn it is in the node. */
  readonly value: Tensor;
}

/** How new nodes hang in their trees: the action that led to them, and what it brought. */
export interface Link {
  /** Row of the parent, i32 [n]. */
  readonly parent: Tensor;
  /** Place of the parent's action among all actions of all nodes, i32 [n]. */
  readonly edge: Tensor;
  /** Reward of the player who took the action, f32 [n]. */
  readonly reward: Tensor;
  /** 1 where the same player has the next turn, else -1, f32 [n]. */
  readonly sign: Tensor;
}

export class Trees {
  readonly #name: string;
  readonly #env: CompiledEnvironment;
  readonly #lanes: Dim;
  readonly #nodes: number;
  readonly #actions: number;

  /** @param nodes Nodes of a tree: the root, and one for each simulation. */
  constructor(
    name: string,
    env: CompiledEnvironment,
    size: { readonly lanes: Dim; readonly nodes: number; readonly actions: number },
  ) {
    this.#name = name;
    this.#env = env;
    this.#lanes = size.lanes;
    this.#nodes = size.nodes;
    this.#actions = size.actions;
  }

  #buffer(name: string, shape: readonly Dim[], dtype: "f32" | "i32" = "f32"): State {
    return state(`${this.#name}.${name}`, shape, { dtype });
  }

  /** One number for each node. */
  #ofNodes(name: string, dtype: "f32" | "i32" = "f32"): State {
    return this.#buffer(name, [mulDims(this.#lanes, this.#nodes)], dtype);
  }

  /** One number for each action of each node. */
  #ofEdges(name: "visits" | "totals"): State {
    return this.#buffer(name, [mulDims(this.#lanes, this.#nodes * this.#actions)]);
  }

  /** Nodes that actions lead to; 0 for actions whose node is not in the tree. */
  get #children(): State {
    return this.#buffer("children", [mulDims(this.#lanes, this.#nodes * this.#actions)], "i32");
  }

  get #priors(): State {
    return this.#buffer("priors", [mulDims(this.#lanes, this.#nodes), this.#actions]);
  }

  #variable(name: string): State {
    const shape = variableShape(this.#env, name);
    return this.#buffer(`state.${name}`, [mulDims(this.#lanes, this.#nodes), ...shape]);
  }

  /** Row of a node in each lane, i32 [n]. @param node i32 scalar or [n]. */
  row(node: Tensor | number): Tensor {
    return add(mul(iota(this.#lanes), this.#nodes), node);
  }

  /** Place of an action of a node among all actions of all nodes, i32 [n]. */
  edge(row: Tensor, action: Tensor): Tensor {
    return add(mul(row, this.#actions), action);
  }

  /** Begins trees that have nothing but a root. */
  plant(root: NewNode): void {
    for (const name of ["visits", "totals"] as const) {
      const buffer = this.#ofEdges(name);
      buffer.write(zeros(buffer.decl.shape));
    }
    this.#children.write(zeros(this.#children.decl.shape, "i32"));
    const row = this.row(0);
    // A root leads to itself, so that lanes whose way up has ended can go on without effect.
    const link = {
      parent: row,
      edge: mul(row, this.#actions),
      reward: zeros([this.#lanes]),
      sign: ones([this.#lanes]),
    };
    this.#write(row, root, link);
  }

  /** Adds a node. @param child Its number where actions may go on from it, else 0, i32 [n]. */
  grow(row: Tensor, node: NewNode, link: Link, child: Tensor): void {
    this.#write(row, node, link);
    this.#children.writeRows(link.edge, child);
  }

  #write(row: Tensor, node: NewNode, link: Link): void {
    for (const name of this.#env.variables) this.#variable(name).writeRows(row, node.state[name] as Tensor);
    this.#priors.writeRows(row, node.prior);
    this.#ofNodes("value").writeRows(row, node.value);
    this.#ofNodes("parent", "i32").writeRows(row, link.parent);
    this.#ofNodes("edge", "i32").writeRows(row, link.edge);
    this.#ofNodes("reward").writeRows(row, link.reward);
    this.#ofNodes("sign").writeRows(row, link.sign);
  }

  node(row: Tensor): SearchNode {
    const rows = mulDims(this.#lanes, this.#nodes);
    const edges = (name: "visits" | "totals") =>
      takeRows(reshape(this.#ofEdges(name).read(), [rows, this.#actions]), row);
    return {
      prior: takeRows(this.#priors.read(), row),
      visits: edges("visits"),
      totals: edges("totals"),
      value: takeRows(this.#ofNodes("value").read(), row),
    };
  }

  state(row: Tensor): EnvState {
    return Object.fromEntries(
      this.#env.variables.map((name) => [name, takeRows(this.#variable(name).read(), row)]),
    );
  }

  child(edge: Tensor): Tensor {
    return takeRows(this.#children.read(), edge);
  }

  link(row: Tensor): Link {
    return {
      parent: takeRows(this.#ofNodes("parent", "i32").read(), row),
      edge: takeRows(this.#ofNodes("edge", "i32").read(), row),
      reward: takeRows(this.#ofNodes("reward").read(), row),
      sign: takeRows(this.#ofNodes("sign").read(), row),
    };
  }

  /** Counts a value of actions. @param weight 1, or 0 in lanes that count nothing, f32 [n]. */
  count(edge: Tensor, value: Tensor, weight: Tensor): void {
    for (const [name, by] of [
      ["visits", weight],
      ["totals", mul(weight, value)],
    ] as const) {
      const buffer = this.#ofEdges(name);
      buffer.writeRows(edge, add(takeRows(buffer.read(), edge), by));
    }
  }
}
