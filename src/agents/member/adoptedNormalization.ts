/** The normalisation of agents that start with another agent's weights, which mean nothing without its statistics. */
import { show } from "../../specs/messages.ts";
import { type AgentState, mapStatistics, type NormalizationState } from "./agentState.ts";

type Normalizing = Pick<AgentState, "normalization">;

/** The normalisation that weights of `source` need; rewards are scaled and cut as `member` has it. */
function adopted(member: Normalizing, source: Normalizing): NormalizationState | null {
  const [own, given] = [member.normalization, source.normalization];
  const settings = given?.settings ?? own?.settings;
  if (!settings) return null;
  const { reward_scale = 1, reward_clip = null } = own?.settings ?? {};
  const normalizes = given ? {} : { observations: false, rewards: false };
  const all = { ...settings, ...normalizes, reward_scale, reward_clip };
  if (!all.observations && !all.rewards && reward_scale === 1 && reward_clip === null) return null;
  return { ...mapStatistics(given ?? { settings }, (values) => values.slice()), settings: all };
}

/** The member with the normalisation of the agent whose weights it has. */
export function withNormalizationOf(member: AgentState, source: Normalizing): AgentState {
  const { normalization: _, ...others } = member;
  const normalization = adopted(member, source);
  return { ...others, ...(normalization && { normalization }) };
}

/** What of an agent is normalised, as text. */
function described({ normalization }: Normalizing): string {
  if (!normalization) return "none";
  const { settings } = normalization;
  const { observations, rewards, ...numbers } = settings;
  const parts = [...(observations ? ["observations"] : []), ...(rewards ? ["rewards"] : [])];
  const values = Object.entries(numbers).map(([name, value]) => `${name} ${show(value)}`);
  return parts.length === 0 ? "none" : `${parts.join(" and ")} (${values.join(", ")})`;
}

/**
 * A notice that an agent's normalisation replaces that of the manifest; null if both are the same.
 * @param of What holds the agent.
 */
export function normalizationNotice(asked: Normalizing, held: Normalizing, of: string): string | null {
  const [own, found] = [described(asked), described(held)];
  if (own === found) return null;
  return `environment.normalize: found ${own}, but agents of ${of} have ${found}; theirs is used`;
}
