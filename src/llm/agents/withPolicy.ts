import { type AgentPlan, firstPolicy } from "./AgentOnDevice.ts";
import type { LlmMember } from "./LlmMember.ts";

/** A member with its policy: the first one of all, a function of the seed and its index, where it has none. */
export const withPolicy = (plan: AgentPlan, member: LlmMember, seed: number): LlmMember =>
  Object.keys(member.policy).length > 0
    ? member
    : { ...member, policy: firstPolicy(plan, seed + member.index) };
