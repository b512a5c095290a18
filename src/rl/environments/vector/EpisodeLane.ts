/** A lane whose episodes can go on in a later turn. */
import { philox } from "../../../evolution/random.ts";
import { elementSize } from "../../spaces.ts";
import type { Info, ResetOptions } from "../face/HostEnvironment.ts";
import type { Lane, LaneStep, SavedLane, StepRows } from "./Lane.ts";

/**
 * Where an episode stands: the environment's saved state, or the seed that the episode began with and the actions
 * since.
 */
export type EpisodePlace = SavedLane | RepeatedEpisode;

interface RepeatedEpisode {
  readonly seed: number;
  readonly actions: Float64Array;
}

/** Most numbers of the actions that are kept of an episode, 1 MB. */
const MOST_NUMBERS = 131_072;

/** Names of environments that a warning was printed for, by what it says. */
const warned = new Set<string>();

function warnOnce(name: string, what: string): void {
  const text = `rlkit: ${name}: ${what}; give the environment save() and load(state)`;
  if (!warned.has(text)) console.warn(text);
  warned.add(text);
}

/** A turn whose episodes go on in the next. */
interface LastingTurn {
  readonly seed: number;
  /** Episodes that began in the turn. */
  begun: number;
  /** Seed of the running episode, and the numbers of its actions; null if its environment saves, or it became too long. */
  record: { readonly seed: number; numbers: number[] | null };
}

/** Whether the running episode is where a place says. */
const stands = ({ seed, numbers }: LastingTurn["record"], { seed: own, actions }: RepeatedEpisode): boolean =>
  seed === own &&
  numbers?.length === actions.length &&
  numbers.every((number, i) => Object.is(number, actions[i]));

export class EpisodeLane {
  readonly lane: Lane;
  readonly #index: number;
  readonly #name: string;
  readonly #saves: boolean;
  #turn: LastingTurn | null = null;

  /** @param name Of the environment, for messages. */
  constructor(
    lane: Lane,
    index: number,
    { name, saves }: { readonly name: string; readonly saves: boolean },
  ) {
    this.lane = lane;
    this.#index = index;
    this.#name = name;
    this.#saves = saves;
  }

  /** As `reset` of a lane. Episodes end with the turn. */
  reset(options: ResetOptions | undefined, batch: Float32Array): Info {
    this.#turn = null;
    return this.lane.reset(options, batch);
  }

  /** Begins the next episode after one that ended. */
  again(batch: Float32Array): Info {
    const turn = this.#turn;
    if (!turn) return this.lane.reset(undefined, batch);
    const [word] = philox([++turn.begun, this.#index, 0, 0], [turn.seed >>> 0, 1]);
    return this.#begin(turn, word >>> 1, batch);
  }

  step(action: readonly number[], rows: StepRows): LaneStep {
    const numbers = this.#turn?.record.numbers;
    if (numbers) {
      if (numbers.length + action.length > MOST_NUMBERS) this.#forget();
      else for (const number of action) numbers.push(number);
    }
    return this.lane.step(action, rows);
  }

  /**
   * Goes on where an episode stands.
   * @param place Undefined to begin one.
   * @param observation What was observed there, [num_envs, ...]; null if it is not known.
   * @returns the info of an episode that begins, with its observation in the batch; null if one goes on.
   */
  goOn(
    seed: number,
    place: EpisodePlace | null | undefined,
    { rows, observation }: { readonly rows: StepRows; readonly observation: Float32Array | null },
    batch: Float32Array,
  ): Info | null {
    const before = this.#turn?.record;
    const turn: LastingTurn = { seed, begun: 0, record: { seed: 0, numbers: null } };
    this.#turn = turn;
    if (before && place && "actions" in place && stands(before, place)) {
      turn.record = before;
      return null;
    }
    if (place && "state" in place && this.#saves) {
      this.lane.load(place);
      return null;
    }
    if (place && "actions" in place && this.#repeats(turn, place, rows, observation)) return null;
    return this.#begin(turn, seed + this.#index, batch);
  }

  /** Where the running episode stands; null if the next turn has to begin another. */
  place(): EpisodePlace | null {
    if (this.#saves) return this.lane.save();
    const record = this.#turn?.record;
    return record?.numbers ? { seed: record.seed, actions: Float64Array.from(record.numbers) } : null;
  }

  #begin(turn: LastingTurn, seed: number, batch: Float32Array): Info {
    turn.record = { seed, numbers: this.#saves ? null : [] };
    return this.lane.reset({ seed }, batch);
  }

  /** Takes an episode's actions again. @returns whether they led where they did before. */
  #repeats(
    turn: LastingTurn,
    { seed, actions }: RepeatedEpisode,
    rows: StepRows,
    observation: Float32Array | null,
  ): boolean {
    const { width, action_space } = this.lane;
    const size = elementSize(action_space);
    const [from, to] = [this.#index * width, (this.#index + 1) * width];
    const row = rows.final_observation.subarray(from, to);
    this.#begin(turn, seed, rows.final_observation);
    let runs = true;
    for (let at = 0; at < actions.length && runs; at += size) {
      // Lanes write the observations of those agents only that take part.
      row.fill(0);
      runs = !this.step([...actions.subarray(at, at + size)], rows).ended;
    }
    if (runs && (!observation || row.every((value, i) => Object.is(value, observation[from + i]))))
      return true;
    warnOnce(
      this.#name,
      "the same seed and actions lead elsewhere, so that episodes cannot go on in another generation",
    );
    return false;
  }

  #forget(): void {
    if (this.#turn) this.#turn.record.numbers = null;
    warnOnce(
      this.#name,
      `an episode has more than ${MOST_NUMBERS} numbers of actions, so that another begins with the next generation`,
    );
  }
}
