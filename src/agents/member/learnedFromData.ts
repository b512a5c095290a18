/** What an algorithm that acts can go on from, of an agent that learned from data. */
import { type NetworkData, type NetworkState, withLatent } from "../../rl/networks.ts";
import type { AgentState } from "./agentState.ts";
import { algorithmOf } from "./registry.ts";
import { resizeNetwork } from "./resizeNetwork.ts";

/** Last layer of a head. */
const [WEIGHT, BIAS] = ["head_net.output.weight", "head_net.output.bias"] as const;
/** Log standard deviation of a policy that had none: about a third of the policy's range. */
const LOG_STD = -1;

/** How many numbers an action has; null for a policy of choices. */
function sizeOf({ kind, head, distribution }: NetworkData): number | null {
  if (kind === "deterministic_actor") return head.outputs;
  return distribution?.kind === "normal" || distribution?.kind === "squashed_normal"
    ? distribution.size
    : null;
}

/** Columns of rows of `from` numbers, [n, from] -> [n, to]; those that are new are filled. */
const columns = (values: Float32Array, from: number, to: number, fill: (column: number) => number) =>
  Float32Array.from({ length: (values.length / from) * to }, (_, i) => {
    const column = i % to;
    return column < from ? (values[Math.floor(i / to) * from + column] as number) : fill(column - from);
  });

/** The policy in the form of `wanted`, with the same greedy actions; null if it has none. */
function policyAs({ data, tensors }: NetworkState, wanted: NetworkData): NetworkState | null {
  const isOfValues = data.kind === "q" && wanted.kind === "q" && data.head.outputs === wanted.head.outputs;
  if (isOfValues) return { data, tensors };
  const size = sizeOf(wanted);
  if (size === null || sizeOf(data) !== size)
    return data.distribution?.kind === "categorical" && wanted.distribution?.kind === "categorical"
      ? { data, tensors }
      : null;
  const { kind, distribution } = wanted;
  const isSquashed =
    distribution === null || distribution.kind === "squashed_normal" || squashes(distribution);
  if (!isSquashed || !("output_activation" in data.head)) return null;
  const { log_std, [WEIGHT]: weight, [BIAS]: bias, ...others } = tensors;
  if (!weight || !bias) return null;
  const outputs = wanted.head.outputs;
  const deviation = (column: number): number => log_std?.[column] ?? LOG_STD;
  const output_activation = kind === "deterministic_actor" ? ("Tanh" as const) : null;
  return {
    data: { ...data, kind, distribution, head: { ...data.head, outputs, output_activation } },
    tensors: {
      ...others,
      [WEIGHT]: columns(weight, data.head.outputs, outputs, () => 0),
      [BIAS]: columns(bias, data.head.outputs, outputs, deviation),
      ...(distribution?.kind === "normal" && {
        log_std: Float32Array.from({ length: size }, (_, i) => deviation(i)),
      }),
    },
  };
}

const squashes = (distribution: NonNullable<NetworkData["distribution"]>): boolean =>
  distribution.kind === "normal" && distribution.squash_output;

/** Whether another algorithm can go on from the agent: it learned from data. */
export const learnsFromData = (agent: AgentState): boolean => algorithmOf(agent).spec.offline;

/**
 * The member with the policy of an agent that learned from data, and with those of its critics that are of the same
 * kind. All others stay the member's own.
 * @throws RangeError for a policy that the member's algorithm cannot act with.
 */
export function withDataPolicy(member: AgentState, source: AgentState): AgentState {
  const { policy, targets } = algorithmOf(member);
  const networks: Record<string, NetworkState> = {};
  for (const [name, own] of Object.entries(member.networks)) {
    const given = source.networks[name === policy ? algorithmOf(source).policy : name];
    const isAlike = given?.data.kind === own.data.kind && given.data.head.outputs === own.data.head.outputs;
    const online = targets[name];
    if (name === policy) networks[name] = (given && policyAs(given, own.data)) ?? refuse(member, source);
    else if (given && isAlike && own.data.encoder !== "shared") networks[name] = given;
    else networks[name] = (online && networks[online]) || own;
  }
  const latent = networks[policy]?.data.latent_dim;
  for (const [name, network] of Object.entries(networks)) {
    const { data } = network;
    if (data.encoder !== "shared" || latent === undefined || data.latent_dim === latent) continue;
    const key = { seed: member.index, stream: `weights/${name}` };
    networks[name] = resizeNetwork(network, withLatent(data, latent), key);
  }
  const { parameters } = member;
  const known = Object.entries(parameters ?? {}).map(([name, own]) => [
    name,
    source.parameters?.[name] ?? own,
  ]);
  return {
    ...member,
    networks,
    ...(parameters && { parameters: Object.fromEntries(known) }),
    ...(source.normalization && { normalization: source.normalization }),
  };
}

function refuse(member: AgentState, source: AgentState): never {
  const hint = member.algorithm === "PPO" ? "; for numbers, set network.squash_output to true" : "";
  throw new RangeError(
    `holds a ${source.algorithm} agent, whose policy ${member.algorithm} cannot act with: allowed are TD3, SAC and PPO with squash_output for numbers; for choices PPO, and from CQN only DQN${hint}`,
  );
}
