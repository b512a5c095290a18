/** All members' turns as work on a GPU: each in one program, or in slices. */
import type { WebGpuDevice } from "../../kernels/wgsl/device.ts";
import { type CompiledPurpose, SLICED_TURN } from "../../rl/runtime/programSet.ts";
import { vectorSteps } from "../../rl/runtime/turn.ts";
import type { GpuMembers, Together } from "../../rl/runtime/webgpu/GpuMembers.ts";
import type { MemberTurn } from "../rl/kinds.ts";
import type { Work } from "./drive.ts";
import { offPolicyTurns, onPolicyTurns } from "./slicedTurns.ts";
import { runsOf } from "./turnSteps.ts";

const isOffPolicy = (turns: readonly MemberTurn[]): boolean => turns[0]?.turn.off_policy != null;

/** What the programs of the turns are for. */
export function turnPurposes(turns: readonly MemberTurn[], sliced: boolean): readonly CompiledPurpose[] {
  if (!sliced) return ["turn"];
  return SLICED_TURN[isOffPolicy(turns) ? "off_policy" : "on_policy"];
}

/** Work that was started. `programs` are those of all members for a purpose, bound and filled. */
export function turnWork(
  { device, members }: { readonly device: WebGpuDevice; readonly members: GpuMembers },
  turns: readonly MemberTurn[],
  sliced: boolean,
  programs: (purpose: CompiledPurpose) => Together,
): Work {
  if (!sliced) return wholeTurns(members, turns, programs("turn"));
  return isOffPolicy(turns)
    ? offPolicyTurns(members, turns, programs)
    : onPolicyTurns(device, turns, programs);
}

function wholeTurns(members: GpuMembers, turns: readonly MemberTurn[], programs: Together): Work {
  for (const { turn } of turns) {
    if (turn.off_policy)
      members.write(turn.slot, new Map([["turn.steps", [vectorSteps(turn.evo_steps, turn.num_envs)]]]));
  }
  const runs = new Map(turns.map((turn) => [turn.turn.slot, runsOf(turn)]));
  programs.start((slot) => runs.get(slot) ?? 0);
  return programs;
}
