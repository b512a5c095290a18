/** The outcome of a member's turn, from its GPU buffers after training and evaluation. */

import {
  agentFrom,
  appended,
  type Evaluation,
  learnedIn,
  metricsIn,
  prioritiesIn,
  type ReadBuffer,
  type ReadMembers,
  type ReplayArray,
  requireReturns,
  scoreShare,
  segmentRows,
  ToldEpisodes,
  type TurnResult,
  toldIterations,
  trainedMember,
  turnResult,
} from "../../agents/members.ts";
import { DivergedError } from "../../evolution/members.ts";
import { EVOLUTION } from "../../rl/programs.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import { reasonOf } from "../../storage/files.ts";
import { namingMember } from "../loop/executor.ts";
import type { MemberTurn, RlKinds, RunSetup, TurnOutcome } from "../rl/kinds.ts";
import { turnSteps } from "./turnSteps.ts";

/** @param memory Layout of the run's replay buffer, if it is off-policy. */
export function gpuOutcome(
  member: MemberTurn,
  {
    evaluation,
    layout,
    lanes,
  }: Pick<TurnResult, "lanes"> & { readonly evaluation: Evaluation; readonly layout: AgentSpaces },
  { own, shared }: ReadMembers,
  memory: RunSetup["replay"],
): TurnOutcome {
  const { agent, turn } = member;
  const { slot } = turn;
  const read = own.get(slot) as ReadBuffer;
  try {
    const env_steps = turnSteps(member, read);
    const copies = read(EVOLUTION.returns);
    if (copies) requireReturns(copies, slot);
    const cells = (name: string) => read(name) ?? [];
    const told = turn.tells_episodes && !turn.off_policy?.offline;
    const episodes = () =>
      copies
        ? toldIterations(agent.steps, learnedIn(read), cells)
        : new ToldEpisodes(agent, turn, layout.observation_space).all(cells);
    const training = told && episodes();
    const result = turnResult(turn, {
      trained: trainedMember(agent, agentFrom(agent, read), turn, env_steps),
      episodes: {
        finished: read("episode.finished")?.[0] ?? 0,
        total: (read("episode.total")?.[0] ?? 0) * scoreShare(layout.observation_space, turn),
      },
      action_space: layout.action_space,
      evaluation,
      env_steps,
      learn_steps: learnedIn(read),
      metrics: metricsIn(agent, read),
      off_policy: memory && shared ? offPolicyResult(member, memory, read, shared) : null,
      ...(lanes && { lanes }),
      ...(training && { training }),
    });
    return { ok: true, result };
  } catch (error) {
    const diverged = error instanceof DivergedError;
    return namingMember<RlKinds>({ ok: false, slot, message: reasonOf(error), diverged, cause: error });
  }
}

/**
 * The transitions that a turn added, and the ring, epsilon and priorities after it; null for a member that only
 * learns.
 * @param again As in `appended`.
 */
export function offPolicyResult(
  member: MemberTurn,
  memory: NonNullable<RunSetup["replay"]>,
  read: ReadBuffer,
  shared: ReadBuffer,
  again = 0,
): TurnResult["off_policy"] {
  const { slot, off_policy } = member.turn;
  if (!off_policy || off_policy.offline) return null;
  const { ring, start, count } = appended(off_policy.ring, memory.segment, turnSteps(member), again);
  const fieldOf = (field: string) => shared(`replay.${field}`) as ReplayArray;
  return {
    epsilon: read("epsilon")?.[0] ?? 0,
    ring,
    fill: ring.count / memory.segment,
    written: { start, count, rows: segmentRows(fieldOf, memory, { slot, start, count }) },
    priorities: off_policy.priorities && prioritiesIn(off_policy.priorities, read),
  };
}
