/** Lanes that go on from turn to turn: where a slot's environments stand, in its programs' buffers. */
import type { Program } from "../../kernels/index.ts";
import { DRIFT, LANES, laneBuffer } from "../../rl/programs.ts";
import type { RolloutTarget } from "../buffers/RolloutCheck.ts";
import type { AgentState } from "../member/agentState.ts";
import type { ReadBuffer } from "./agentBuffers.ts";
import type { Turn } from "./turn.ts";

/** Where the environments of a slot stand between two turns: plain data. */
export interface LaneState {
  /** Identity of the member that played last. Recurrent state is carried on to no other. */
  readonly agent: number;
  /** Contents of programs' buffers, by name. */
  readonly buffers: Readonly<Record<string, Float32Array | Int32Array>>;
  /** Where episodes in environments of the host stand: plain data that only they read. */
  readonly host?: Uint8Array;
}

/** Names of the programs' buffers that belong to lanes. */
export const laneBuffersIn = (programs: readonly Program[]): readonly string[] => [
  ...new Set(
    programs.flatMap(({ states }) => [...states.keys()]).filter((name) => laneBuffer(name) !== null),
  ),
];

/**
 * Writes the lanes as a turn finds them. Recurrent state of another member is zero.
 *
 * @returns whether they go on; if not, their environments have to be reset.
 * @internal
 */
export function placeLanes(
  target: RolloutTarget,
  programs: readonly Program[],
  { index }: AgentState,
  { lanes }: Pick<Turn, "lanes">,
): boolean {
  const names = laneBuffersIn(programs).filter((name) => target.has(name));
  const carried = (name: string) => {
    const values = lanes?.buffers[name];
    const isOther = laneBuffer(name) === "memory" && lanes?.agent !== index;
    return isOther || values?.length !== target.lengthOf(name) ? undefined : values;
  };
  // With a different number of lanes, or in another environment, new episodes start.
  const goesOn = Boolean(lanes) && names.every((name) => laneBuffer(name) === "memory" || carried(name));
  for (const name of names)
    target.write(name, (goesOn && carried(name)) || new Float32Array(target.lengthOf(name)));
  const flags = { [LANES.carried]: goesOn, [LANES.lasting]: lanes !== undefined };
  for (const [name, value] of Object.entries(flags))
    if (target.has(name)) target.write(name, [Number(value)]);
  if (goesOn)
    for (const name of ["episode.total", "episode.finished"]) if (target.has(name)) target.write(name, [0]);
  return goesOn;
}

/**
 * Lanes, some of which start new episodes.
 * @param begun 1 for lanes that do, [num_envs]; their buffers are reset to the values of an episode's start.
 */
export function beginningIn(
  { buffers, ...rest }: LaneState,
  begun: Uint8Array,
  { hyperparameters }: Pick<AgentState, "hyperparameters">,
): LaneState {
  const anew = Object.entries(buffers).map(([name, before]) => {
    const values = before.slice();
    const width = values.length / begun.length;
    const first = name === DRIFT ? Number(hyperparameters.mean_noise) : 0;
    for (const [lane, is] of begun.entries()) if (is) values.fill(first, lane * width, (lane + 1) * width);
    return [name, values];
  });
  return { ...rest, buffers: Object.fromEntries(anew) };
}

/** The lanes after a turn; nothing if its episodes end with it. */
export function lanesAfter(
  read: ReadBuffer,
  programs: readonly Program[],
  { index }: AgentState,
  { lanes }: Pick<Turn, "lanes">,
): { readonly lanes?: LaneState } {
  if (lanes === undefined) return {};
  const buffers = laneBuffersIn(programs).flatMap((name) => {
    const values = read(name);
    return values instanceof Float32Array || values instanceof Int32Array ? [[name, values.slice()]] : [];
  });
  return { lanes: { agent: index, buffers: Object.fromEntries(buffers) } };
}
