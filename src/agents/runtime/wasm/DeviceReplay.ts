/** The replay buffer of one device, and the rows that a turn wrote into it. */
import type { WasmArena, WasmDevice } from "../../../kernels/devices.ts";
import { type StateDecl, trace } from "../../../kernels/index.ts";
import {
  keptLayout,
  type MemoryKind,
  PLAIN_MEMORY,
  REPLAY_FIELDS,
  type ReplayFieldName,
  replayStates,
} from "../../../rl/programs.ts";
import type { AgentSpaces } from "../../../rl/spaces.ts";
import {
  appended,
  type FieldOf,
  type ReplayArray,
  type ReplayRows,
  ringPieces,
  segmentRows,
  withMasks,
} from "../../buffers/replayRows.ts";
import { prioritiesIn } from "../agentBuffers.ts";
import type { OffPolicyTurn, TurnResult } from "../turn.ts";
import type { Residence } from "./Residence.ts";

/** The replay buffer's memory on a device. */
export class DeviceReplay {
  readonly arena: WasmArena;
  /** Capacity of one member's segment, in transitions. */
  readonly segment: number;
  readonly kind: MemoryKind;

  constructor(
    device: WasmDevice,
    layout: AgentSpaces,
    population: number,
    segment: number,
    kind: MemoryKind = PLAIN_MEMORY,
  ) {
    this.kind = kind;
    const states: StateDecl[] = [
      ...trace("replay", () => void replayStates(keptLayout(layout, kind))).states.values(),
    ];
    this.segment = segment;
    this.arena = device.arena(states, { capacity: population * segment });
  }

  /** Numbers in a row of a field. */
  width(field: ReplayFieldName, population: number): number {
    return this.arena.view(`replay.${field}`).length / (population * this.segment);
  }

  /** Copies rows `start .. start + count - 1` of a segment, wrapping around its ring. */
  read(slot: number, population: number, start: number, count: number): ReplayRows {
    const field: FieldOf = (name) => this.arena.view(`replay.${name}`) as ReplayArray;
    return segmentRows(field, { population, segment: this.segment }, { slot, start, count });
  }

  /** Writes rows to the place that `read` takes them from. */
  write(slot: number, population: number, start: number, count: number, given: ReplayRows): void {
    const rows = withMasks(given, this.width("obs", population));
    for (const field of REPLAY_FIELDS) {
      const view = this.arena.view(`replay.${field}`);
      const width = this.width(field, population);
      for (const [at, from, n] of ringPieces(this.segment, start, count)) {
        view.set(rows[field].subarray(at * width, (at + n) * width), (slot * this.segment + from) * width);
      }
    }
  }

  /** Marks rows of a segment as the last ones of their episodes. */
  end(slot: number, rows: readonly number[]): void {
    const ended = this.arena.view("replay.ended");
    for (const row of rows) ended[slot * this.segment + row] = 1;
  }

  release(): void {
    this.arena.release();
  }
}

/**
 * The results of an off-policy turn besides the agent: the transitions that it added, its ring, and its
 * epsilon.
 * @param again As in `appended`.
 * @internal
 */
export function writtenRows(
  residence: Residence,
  replay: DeviceReplay | null,
  slot: number,
  { ring, visible, priorities }: OffPolicyTurn,
  env_steps: number,
  again = 0,
): NonNullable<TurnResult["off_policy"]> {
  if (!replay) throw new Error("an off-policy turn needs a replay buffer");
  const { ring: after, start, count } = appended(ring, replay.segment, env_steps, again);
  const written = { start, count, rows: replay.read(slot, visible.length, start, count) };
  return {
    epsilon: residence.number("epsilon"),
    ring: after,
    fill: after.count / replay.segment,
    written,
    priorities: priorities && prioritiesIn(priorities, (name) => residence.arena.read(name)),
  };
}
