/** Outputs of an agent's networks, from the reference evaluator. */

import type { AgentState } from "../../../src/agents/members.ts";
import type { NetworkState } from "../../../src/rl/networks.ts";
import { runNetwork } from "../inside/support/runNetwork.ts";

const network = (agent: AgentState, name: string): NetworkState => agent.networks[name] as NetworkState;

/** One-hot rows of the observations 0 .. n - 1. */
const oneHots = (n: number): Float32Array =>
  Float32Array.from({ length: n * n }, (_, i) => (Math.floor(i / n) === i % n ? 1 : 0));

/** Outputs of a network for each of n discrete observations. */
export function outputs(agent: AgentState, name: string, n: number): number[][] {
  const own = network(agent, name);
  const actor = network(agent, "actor");
  const shared = own.data.encoder === "shared";
  const data = shared ? { ...own.data, encoder: actor.data.encoder } : own.data;
  const encoder = Object.entries(actor.tensors).filter(([key]) => key.startsWith("encoder."));
  const tensors = shared ? { ...Object.fromEntries(encoder), ...own.tensors } : own.tensors;
  const values = Array.from(runNetwork(data, tensors, oneHots(n), n));
  const width = values.length / n;
  return Array.from({ length: n }, (_, i) => values.slice(i * width, (i + 1) * width));
}
