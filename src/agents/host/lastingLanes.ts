/** Where the lanes of a turn stand in environments that the host steps, and the bytes that carry them to the next turn. */
import {
  type AnyVectorEnvironment,
  type Info,
  lastingLanes,
  maskedInfos,
  packed,
  unpacked,
} from "../../rl/faces.ts";
import { RUNNING } from "../../rl/programs.ts";
import { elementSize } from "../../rl/spaces.ts";
import { type AgentState, type HiddenState, withoutEnded } from "../member/agentState.ts";
import { type Slice, settled, type Turn } from "../runtime/turn.ts";
import { goOnLanes, resetLanes } from "../runtime/wasm/hostLanes.ts";

/** Lanes between two steps. */
export interface LaneStand {
  /** Observations to act on, [num_envs, ...], with their infos. */
  readonly observation: Float32Array;
  readonly info: readonly Info[];
  /** As the result of `leftAfter`. */
  readonly left: Uint8Array | null;
  /** 1 where an episode ended in the last step, [num_envs]. */
  readonly done: Uint8Array;
  /** Returns so far of the running episodes, [num_envs]; null if the learner counts them. */
  readonly returns: Float32Array | null;
  /** Recurrent state of members that act in rollouts; null for zeros. */
  readonly hidden: HiddenState | null;
}

/** Lanes at the start of a turn. */
export interface LaneStart extends LaneStand {
  readonly returns: Float32Array;
  /** 1 where the lasting episode begins, [num_envs]. */
  readonly begun: Uint8Array;
}

/** What the bytes hold: lanes, without those who left, which the environments know. */
interface Carried extends Omit<LaneStand, "info" | "left"> {
  readonly info: readonly Info[] | null;
  readonly places: unknown;
}

/** Bytes of the length of the text. */
const HEAD = 4;

function bytesOf(carried: Carried): Uint8Array {
  const { text, bytes } = packed(carried);
  const words = new TextEncoder().encode(text);
  const all = new Uint8Array(HEAD + words.length + bytes.length);
  new DataView(all.buffer).setUint32(0, words.length, true);
  all.set(words, HEAD);
  all.set(bytes, HEAD + words.length);
  return all;
}

function carriedIn(all: Uint8Array): Carried {
  const end = HEAD + new DataView(all.buffer, all.byteOffset).getUint32(0, true);
  const packet = { text: new TextDecoder().decode(all.subarray(HEAD, end)), bytes: all.subarray(end) };
  // Of this library's own bytes, whose file has a checksum.
  return unpacked(packet) as Carried;
}

/**
 * The lanes at the start of a turn: of new episodes, or of those that go on.
 * @param seed Of new episodes.
 * @param goesOn Whether the turn's lanes fit the member's programs.
 */
export function* startLanes(
  env: AnyVectorEnvironment,
  { index }: AgentState,
  { lanes }: Pick<Turn, "lanes">,
  { seed, goesOn }: { readonly seed: number; readonly goesOn: boolean },
): Generator<Slice, LaneStart> {
  const { num_envs } = env;
  const empty = { done: new Uint8Array(num_envs), returns: new Float32Array(num_envs), hidden: null };
  if (lanes === undefined) {
    const { observation, info } = yield* settled(resetLanes(env, { seed }));
    return { observation, info, left: null, begun: new Uint8Array(num_envs), ...empty };
  }
  const carried = goesOn && lanes?.host ? carriedIn(lanes.host) : null;
  const size = num_envs * elementSize(env.single_observation_space);
  // With a different number of lanes, or in another environment, new episodes start.
  const before = carried?.done.length === num_envs && carried.observation.length === size ? carried : null;
  const placed = yield* settled(goOnLanes(env, seed, before));
  const { observation, left, begun } = placed;
  if (!before) return { observation, info: placed.info, left, begun, ...empty };
  const width = observation.length / num_envs;
  const info = [...placed.info];
  const returns = before.returns ?? Float32Array.from(lanes?.buffers[RUNNING] ?? empty.returns);
  for (const [lane, isNew] of begun.entries()) {
    if (isNew) {
      before.done[lane] = 1;
      returns[lane] = 0;
      continue;
    }
    observation.set(before.observation.subarray(lane * width, (lane + 1) * width), lane * width);
    info[lane] = before.info?.[lane] ?? {};
  }
  const hidden = lanes?.agent === index && before.hidden ? withoutEnded(before.hidden, begun) : null;
  return { observation, info, left, begun, done: before.done, returns, hidden };
}

/** The bytes of lanes after a turn. */
export function* carriedLanes(env: AnyVectorEnvironment, stand: LaneStand): Generator<Slice, Uint8Array> {
  const { left: _, info, ...rest } = stand;
  const places = yield* settled(lastingLanes(env)?.places() ?? null);
  const isOfAgents = env.single_observation_space.kind === "Agents";
  return bytesOf({ ...rest, info: maskedInfos(info, isOfAgents), places });
}
