/** Which nodes of a program effects depend on, and the users of each value. */
import { scanAttrs, stackedBodyValue, writes } from "../scan.ts";
import type { Region, Tensor } from "../tensor.ts";

/** Nodes that an effect depends on, directly or not. */
export function liveNodes(root: Region): ReadonlySet<Tensor> {
  const live = new Set<Tensor>();
  const mark = (root: Tensor) => {
    const stack = [root];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (live.has(node)) continue;
      live.add(node);
      stack.push(...node.inputs);
      const stacked = stackedBodyValue(node);
      if (stacked) stack.push(stacked);
      if (node.op.kind === "scan") {
        const { region, carryResults, yResults, until } = scanAttrs(node);
        stack.push(...carryResults, ...yResults, ...(until ? [until] : []));
        markEffects(region);
      }
    }
  };
  const markEffects = (region: Region) => {
    for (const node of region.nodes) if (writes(node)) mark(node);
  };
  markEffects(root);
  return live;
}

/** Live users of each value, in any region; a scan counts as a user of the values that its body returns. */
export function usersOf(root: Region, live: ReadonlySet<Tensor>): ReadonlyMap<Tensor, readonly Tensor[]> {
  const users = new Map<Tensor, Tensor[]>();
  const use = (t: Tensor, user: Tensor) => {
    const list = users.get(t);
    if (list) list.push(user);
    else users.set(t, [user]);
  };
  const visit = (region: Region) => {
    for (const node of region.nodes) {
      if (!live.has(node)) continue;
      for (const input of node.inputs) use(input, node);
      const stacked = stackedBodyValue(node);
      if (stacked) use(stacked, node);
      if (node.op.kind === "scan") {
        const { region: body, carryResults, yResults, until } = scanAttrs(node);
        for (const t of [...carryResults, ...yResults, ...(until ? [until] : [])]) use(t, node);
        visit(body);
      }
    }
  };
  visit(root);
  return users;
}
