import { prioritiesIn } from "../priorities.ts";
import { appended } from "../replaySegments.ts";
import type { OffPolicyTurn, TurnResult } from "../turn.ts";
import type { DeviceReplay } from "./DeviceReplay.ts";
import type { Residence } from "./Residence.ts";

/**
 * The results of an off-policy turn besides the agent: the transitions that it added, its ring, and its
 * epsilon.
 */
export function writtenRows(
  residence: Residence,
  replay: DeviceReplay | null,
  slot: number,
  { ring, visible, priorities }: OffPolicyTurn,
  env_steps: number,
): NonNullable<TurnResult["off_policy"]> {
  if (!replay) throw new Error("an off-policy turn needs a replay buffer");
  const { ring: after, start, count } = appended(ring, replay.segment, env_steps);
  const written = { start, count, rows: replay.read(slot, visible.length, start, count) };
  return {
    epsilon: residence.number("epsilon"),
    ring: after,
    fill: after.count / replay.segment,
    written,
    priorities: priorities && prioritiesIn(priorities, (name) => residence.arena.read(name)),
  };
}
