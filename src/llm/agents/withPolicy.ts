import { type AgentPlan, firstPolicy } from "./AgentOnDevice.ts";
import type { LlmMember } from "./LlmMember.ts";

/**
 * The member with a policy. If it has none yet, the initial one, which depends
 * only on the seed and its index.
 */
export const withPolicy = (plan: AgentPlan, member: LlmMember, seed: number): LlmMember =>
  Object.keys(member.policy).length > 0
    ? member
    : { ...member, policy: firstPolicy(plan, seed + member.index) };
