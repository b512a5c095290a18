/** The replay buffer of one device, and the rows that a turn wrote into it. */
import type { WasmArena, WasmDevice } from "../../../kernels/devices.ts";
import { type StateDecl, trace } from "../../../kernels/index.ts";
import {
  DEMONSTRATIONS,
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
  capacityOf,
  type FieldOf,
  type MemorySize,
  type ReplayArray,
  type ReplayRows,
  ringOf,
  ringPieces,
  segmentRows,
  withMasks,
} from "../../buffers/replayRows.ts";
import type { AgentState } from "../../member/agentState.ts";
import { type Contents, prioritiesIn } from "../agentBuffers.ts";
import { offPolicySizes, rolloutSizes, type Sizes } from "../programInputs.ts";
import type { OffPolicyTurn, Turn, TurnResult } from "../turn.ts";
import type { Residence } from "./Residence.ts";

/** The replay buffer's memory on a device. */
export class DeviceReplay {
  readonly arena: WasmArena;
  /** Capacity of one member's segment, in transitions. */
  readonly segment: number;
  readonly kind: MemoryKind;
  readonly #population: number;
  /** Rows of demonstrations, which follow the segments. @internal */
  readonly demonstrations: number;

  constructor(
    device: WasmDevice,
    layout: AgentSpaces,
    population: number,
    segment: number,
    kind: MemoryKind = PLAIN_MEMORY,
    demonstrations = 0,
  ) {
    this.kind = kind;
    this.#population = population;
    this.demonstrations = demonstrations;
    const states: StateDecl[] = [
      ...trace("replay", () => void replayStates(keptLayout(layout, kind))).states.values(),
    ];
    this.segment = segment;
    this.arena = device.arena(states, { capacity: this.capacity });
  }

  get #size(): MemorySize {
    const { segment, demonstrations } = this;
    return { population: this.#population, segment, demonstrations };
  }

  /** Rows in all. @internal */
  get capacity(): number {
    return capacityOf(this.#size);
  }

  /** Where programs find the demonstrations. @internal */
  get demonstrationContents(): Contents {
    return new Map([
      [DEMONSTRATIONS.first, [this.#population * this.segment]],
      [DEMONSTRATIONS.count, [this.demonstrations]],
    ]);
  }

  /** Numbers in a row of a field. */
  width(field: ReplayFieldName): number {
    return this.arena.view(`replay.${field}`).length / this.capacity;
  }

  /** Copies rows `start .. start + count - 1` of a segment, wrapping around its ring. */
  read(slot: number, start: number, count: number): ReplayRows {
    const field: FieldOf = (name) => this.arena.view(`replay.${name}`) as ReplayArray;
    return segmentRows(field, this.#size, { slot, start, count });
  }

  /** Writes rows to the place that `read` takes them from. */
  write(slot: number, start: number, count: number, given: ReplayRows): void {
    const rows = withMasks(given, this.width("obs"));
    for (const field of REPLAY_FIELDS) {
      const view = this.arena.view(`replay.${field}`);
      const width = this.width(field);
      for (const [at, from, n] of ringPieces(ringOf(this.#size, slot), start, count)) {
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

/** Sizes of a turn's programs on a device with a replay buffer, if it has one. @internal */
export function learningSizes(
  agent: AgentState,
  { num_envs, off_policy, imitation }: Pick<Turn, "num_envs" | "off_policy" | "imitation">,
  replay: DeviceReplay | null,
): Sizes {
  const { segment = 0, demonstrations = 0, capacity = 0 } = replay ?? {};
  if (off_policy) return offPolicySizes(agent, num_envs, off_policy, segment, demonstrations);
  return { ...rolloutSizes(agent, num_envs), ...(imitation && { capacity }) };
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
  { ring, priorities }: OffPolicyTurn,
  env_steps: number,
  again = 0,
): NonNullable<TurnResult["off_policy"]> {
  if (!replay) throw new Error("an off-policy turn needs a replay buffer");
  const { ring: after, start, count } = appended(ring, replay.segment, env_steps, again);
  const written = { start, count, rows: replay.read(slot, start, count) };
  return {
    epsilon: residence.number("epsilon"),
    ring: after,
    fill: after.count / replay.segment,
    written,
    priorities: priorities && prioritiesIn(priorities, (name) => residence.arena.read(name)),
  };
}
