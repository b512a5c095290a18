/** Demonstrations of a run: a data set whose rows follow the members' segments in the replay buffer. */

import { type AgentState, algorithmOf } from "../../agents/members.ts";
import { DatasetError } from "../../datasets/reading.ts";
import { scaleOf } from "../../rl/definitions.ts";
import type { PolicyScale } from "./dataSurvey.ts";
import type { RunData } from "./datasetReplay.ts";
import type { Written } from "./kinds.ts";
import type { RunState } from "./runState.ts";

/** The scale of the actions that a member stores; null if it stores those of the environment. */
function scaleOfMember(member: AgentState, { action_space }: RunData["layout"]): PolicyScale | null {
  const algorithm = algorithmOf(member);
  const actor = member.networks[algorithm.policy]?.data;
  if (action_space.kind !== "Box" || !actor) return null;
  const { distribution } = actor;
  const isSquashed = distribution?.kind === "normal" && distribution.squash_output;
  if (algorithm.kind !== "off_policy")
    return {
      range: isSquashed ? INSIDE : null,
      scaling: scaleOf(action_space, isSquashed ? SQUASHED : null, actor),
    };
  const range = algorithm.actionRange?.(actor) ?? null;
  return { range, scaling: scaleOf(action_space, range, actor) };
}

const SQUASHED = [-1, 1] as const;
/** Where actions that go through tanh are cut: at a bound, they are infinite before it. */
const INSIDE = [-0.99, 0.99] as const;

/** The rows in parts, for the slot after the last of `population` members. */
async function* partsOf(
  data: RunData,
  policy: PolicyScale | null,
  population: number,
): AsyncGenerator<Written> {
  let start = 0;
  for await (const { rows, count } of data.blocks({ policy, ends: true })) {
    yield { slot: population, start, count, rows };
    start += count;
  }
}

/**
 * A first or saved state with the demonstrations of its run, or without if it has none.
 * @param path Path of a checkpoint, for errors.
 * @throws DatasetError when the data differ from those of the checkpoint.
 */
export function withDemonstrations(state: RunState, data: RunData | null, path: string): RunState {
  const { demonstrations: before, ...others } = state;
  const [first] = state.members;
  if (!data || !first) return others;
  const { identity, layout } = data;
  if (before && before.identity.sha256 !== identity.sha256)
    throw new DatasetError(
      identity.source,
      `found ${identity.rows} transitions with SHA-256 ${identity.sha256}, and ${path} learned from ${before.identity.rows} of ${before.identity.source} with ${before.identity.sha256}; give it the same demonstrations`,
    );
  const policy = scaleOfMember(first, layout);
  const read = (population: number) => partsOf(data, policy, population);
  const masked = layout.masked && { masked: true as const };
  return { ...others, demonstrations: { identity, read, ...masked } };
}
