/** The turns of all members as work on a GPU: each in one program, or in slices. */

import {
  algorithmOf,
  type CompiledPurpose,
  type GpuMembers,
  programSteps,
  SLICED_TURN,
  type Together,
} from "../../agents/members.ts";
import type { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import type { MemberTurn } from "../rl/kinds.ts";
import type { Work } from "./drive.ts";
import { offPolicyTurns, onPolicyTurns } from "./slicedTurns.ts";
import { runsOf } from "./turnSteps.ts";

/** Whether the members of a run are evolution strategies, whose turns are whole episodes and are never sliced. */
export const areEvolution = ([first]: readonly MemberTurn[]): boolean =>
  first !== undefined && algorithmOf(first.agent).kind === "evolution";

/** How the members of a run learn; the same for all of them. */
export function learningKind(turns: readonly MemberTurn[]): keyof typeof SLICED_TURN {
  const off_policy = turns[0]?.turn.off_policy;
  if (!off_policy) return "on_policy";
  return off_policy.offline ? "offline" : "off_policy";
}

/** Purposes of the programs that the turns need. */
export function turnPurposes(turns: readonly MemberTurn[], sliced: boolean): readonly CompiledPurpose[] {
  const kind = learningKind(turns);
  if (sliced) return SLICED_TURN[kind];
  return [kind === "offline" ? "lessons" : "turn"];
}

/** Whether members play in their turns, which requires resetting the environments. */
export const playsInTurns = (turns: readonly MemberTurn[]): boolean => learningKind(turns) !== "offline";

/** Starts the work. `programs` returns those of all members for a purpose, bound to loaded buffers. */
export function turnWork(
  { device, members }: { readonly device: WebGpuDevice; readonly members: GpuMembers },
  turns: readonly MemberTurn[],
  sliced: boolean,
  programs: (purpose: CompiledPurpose) => Together,
): Work {
  const kind = learningKind(turns);
  if (!sliced) return wholeTurns(members, turns, programs(kind === "offline" ? "lessons" : "turn"));
  return kind === "on_policy"
    ? onPolicyTurns(device, turns, programs)
    : offPolicyTurns(members, turns, programs);
}

function wholeTurns(members: GpuMembers, turns: readonly MemberTurn[], programs: Together): Work {
  for (const { turn } of turns) {
    if (turn.off_policy) members.write(turn.slot, new Map([["turn.steps", [programSteps(turn)]]]));
  }
  const runs = new Map(turns.map((turn) => [turn.turn.slot, runsOf(turn)]));
  programs.start((slot) => runs.get(slot) ?? 0);
  return programs;
}
