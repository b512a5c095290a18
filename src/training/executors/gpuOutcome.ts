/** What a member's buffers on a GPU say of its turn, once it is trained and evaluated. */
import { agentFrom, learnedIn, metricsIn, type ReadBuffer } from "../../rl/runtime/agentBuffers.ts";
import { DivergedError, requireFinite, requireFitness } from "../../rl/runtime/divergence.ts";
import { prioritiesIn } from "../../rl/runtime/priorities.ts";
import type { ReplayArray } from "../../rl/runtime/replayRows.ts";
import { appended, segmentRows } from "../../rl/runtime/replaySegments.ts";
import { type TurnResult, withFitness } from "../../rl/runtime/turn.ts";
import type { ReadMembers } from "../../rl/runtime/webgpu/GpuMembers.ts";
import { reasonOf } from "../../storage/storageError.ts";
import { type MemberTurn, namingMember, type RunSetup, type TurnOutcome } from "../loop/executor.ts";
import { turnSteps } from "./turnSteps.ts";

/** @param memory Of the run, off-policy. */
export function gpuOutcome(
  member: MemberTurn,
  fitness: number,
  { own, shared }: ReadMembers,
  memory: RunSetup["replay"],
): TurnOutcome {
  const { agent, turn } = member;
  const { slot } = turn;
  const read = own.get(slot) as ReadBuffer;
  try {
    const env_steps = turnSteps(member);
    const trained = { ...agentFrom(agent, read), steps: agent.steps + env_steps };
    requireFinite(trained, slot);
    const value = requireFitness(fitness, slot);
    const finished = read("episode.finished")?.[0] ?? 0;
    const result: TurnResult = {
      slot,
      agent: { ...trained, fitness: withFitness(agent.fitness, value) },
      fitness: value,
      score: finished > 0 ? (read("episode.total")?.[0] ?? 0) / finished : null,
      env_steps,
      learn_steps: learnedIn(read),
      metrics: metricsIn(agent, read),
      off_policy: memory && shared ? offPolicyResult(member, memory, read, shared) : null,
    };
    return { ok: true, result };
  } catch (error) {
    const diverged = error instanceof DivergedError;
    return namingMember({ ok: false, slot, message: reasonOf(error), diverged, cause: error });
  }
}

/** The transitions that a turn added, the ring after them, its exploration and its priorities. */
function offPolicyResult(
  member: MemberTurn,
  memory: NonNullable<RunSetup["replay"]>,
  read: ReadBuffer,
  shared: ReadBuffer,
): TurnResult["off_policy"] {
  const { slot, off_policy } = member.turn;
  if (!off_policy) return null;
  const { ring, start, count } = appended(off_policy.ring, memory.segment, turnSteps(member));
  const fieldOf = (field: string) => shared(`replay.${field}`) as ReplayArray;
  return {
    epsilon: read("epsilon")?.[0] ?? 0,
    ring,
    written: { start, count, rows: segmentRows(fieldOf, memory, { slot, start, count }) },
    priorities: off_policy.priorities && prioritiesIn(off_policy.priorities, read),
  };
}
