/** What a run learns about its data while it first reads them: moments of observations, and what may be wrong. */
import { type ReplayArray, type RunningStatistics, unpackRows } from "../../agents/members.ts";
import { numbersIn, type ReplayFieldName, replayFields } from "../../rl/programs.ts";
import {
  type AgentSpaces,
  type BoxScale,
  boxScale,
  elementSize,
  normalizedRuns,
  OFFLINE_RANGE,
  type PolicyRange,
} from "../../rl/spaces.ts";

/** Tolerance for actions that rounding moved outside the policy's range. */
const ROUNDING = 1e-5;
/** Rows that statistics count at most, as in roll-outs. */
const MOST_COUNTED = 2 ** 24;

/** Sums of a column's numbers less its first one, so that an offset costs few digits. */
interface Column {
  /** Index in an observation. */
  readonly at: number;
  first: number;
  sum: number;
  squares: number;
}

/** How a policy's numbers become actions of a Box. */
export interface PolicyScale {
  /** Where the policy's numbers are cut; null for nowhere. */
  readonly range: PolicyRange;
  /** Null for numbers that keep their scale. */
  readonly scaling: BoxScale | null;
}

/** The scale of policies that learn from data; null for actions other than those of a Box, which are stored as they are. */
export const offlineScale = ({ action_space }: AgentSpaces): PolicyScale | null =>
  action_space.kind === "Box"
    ? { range: OFFLINE_RANGE, scaling: boxScale(action_space, OFFLINE_RANGE) }
    : null;

/** Converts actions of a Box, in place, to a policy's scale. Those outside are cut. */
export function toPolicyScale(actions: ReplayArray, policy: PolicyScale | null): void {
  if (!policy?.scaling) return;
  const { scale, offset } = policy.scaling;
  const [least, most] = policy.range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < actions.length; i++) {
    const at = i % scale.length;
    const own = ((actions[i] as number) - (offset[at] as number)) / (scale[at] as number);
    actions[i] = Math.min(most, Math.max(least, own));
  }
}

/** Hears the words of every field of all rows, in order. */
export class DataSurvey {
  readonly #source: string;
  readonly #layout: AgentSpaces;
  readonly #columns: readonly Column[];
  readonly #scaling: BoxScale | null;
  #first: Float32Array | null = null;
  #rows = 0;
  #acted = 0;
  #outside = 0;
  #firstOutside = "";
  #isStill = true;
  #isUnrewarded = true;

  constructor(layout: AgentSpaces, source: string) {
    this.#layout = layout;
    this.#source = source;
    this.#scaling = offlineScale(layout)?.scaling ?? null;
    this.#columns = normalizedRuns(layout.observation_space).flatMap(({ start, size }) =>
      Array.from({ length: size }, (_, i) => ({ at: start + i, first: 0, sum: 0, squares: 0 })),
    );
  }

  hear(name: ReplayFieldName, words: ReplayArray): void {
    if (name === "obs") this.#hearObservations(words);
    else if (name === "action") this.#hearActions(words);
    else if (name === "reward") this.#isUnrewarded &&= words.every((reward) => reward === 0);
  }

  #hearObservations(words: ReplayArray): void {
    const { obs } = replayFields(this.#layout);
    const numbers = unpackRows(words, obs);
    // Action masks follow the observation.
    const [width, own] = [numbersIn(obs.shape), elementSize(this.#layout.observation_space)];
    if (this.#first === null) {
      this.#first = numbers.slice(0, own);
      for (const column of this.#columns) column.first = numbers[column.at] as number;
    }
    for (let row = 0; row < numbers.length; row += width) {
      for (let i = 0; this.#isStill && i < own; i++) this.#isStill = numbers[row + i] === this.#first[i];
      for (const column of this.#columns) {
        const x = (numbers[row + column.at] as number) - column.first;
        column.sum += x;
        column.squares += x * x;
      }
      this.#rows++;
    }
  }

  #hearActions(words: ReplayArray): void {
    if (!this.#scaling) return;
    const { scale, offset } = this.#scaling;
    const width = scale.length;
    for (let row = 0; row < words.length; row += width, this.#acted++) {
      for (let i = 0; i < width; i++) {
        const [own, from] = [scale[i] as number, offset[i] as number];
        const x = words[row + i] as number;
        if (Math.abs(x - from) <= own * (1 + ROUNDING)) continue;
        if (this.#outside === 0)
          this.#firstOutside = `row ${this.#acted}: found ${x} at [${i}], allowed ${from - own} to ${from + own}`;
        this.#outside++;
        break;
      }
    }
  }

  /** Emitted before training starts. */
  get warnings(): readonly string[] {
    const [source, of] = [this.#source, `of ${this.#rows} rows`];
    return [
      ...(this.#outside === 0
        ? []
        : [
            `${source}: actions of ${this.#outside} ${of} are outside of the environment's space and are cut to it (first ${this.#firstOutside})`,
          ]),
      ...(this.#isStill && this.#rows > 1
        ? [`${source}: all ${this.#rows} observations are the same, so a policy can learn one action only`]
        : []),
      ...(this.#isUnrewarded
        ? [
            `${source}: all rewards are 0, so no action is worth more than another: only BC learns from such data`,
          ]
        : []),
    ];
  }

  /** Moments of the observations' numbers that agents may normalise. */
  get observations(): RunningStatistics {
    const [n, columns] = [this.#rows, this.#columns];
    const each = (of: (column: Column) => number) => Float32Array.from(columns, of);
    return {
      count: each(() => Math.min(n, MOST_COUNTED)),
      mean: each(({ first, sum }) => first + sum / n),
      variance: each(({ sum, squares }) => Math.max(0, (squares - (sum / n) * sum) / n)),
    };
  }
}
