/** A contextual bandit over a labelled table, and the table that rlkit brings. */
import { entropySeed, Random } from "../../../evolution/random.ts";
import { Box, Discrete, describeValue, isArrayLike } from "../../spaces.ts";
import type {
  Action,
  EnvironmentSpec,
  HostEnvironment,
  ResetOptions,
  ResetResult,
  StepResult,
} from "../face/HostEnvironment.ts";

type Row = ArrayLike<number>;

/**
 * Each observation is the features of a row drawn at random. The arms are the classes; the reward is 1 for
 * the row's class, otherwise 0. An episode never ends.
 *
 * @example
 * ```ts
 * const env = new BanditEnvironment([[0, 1], [1, 0], [0.9, 0.1]], ["cold", "warm", "warm"]);
 * const { observation } = env.reset({ seed: 1 });
 * console.log(observation.length, env.classes, env.step(0).reward);
 * ```
 */
export class BanditEnvironment implements HostEnvironment<Float32Array> {
  readonly observation_space: Box;
  readonly action_space: Discrete;
  readonly spec: EnvironmentSpec = { id: "BanditEnv", max_episode_steps: null };
  /** The distinct targets, in the order of the arms: numbers ascending, text by character code. */
  readonly classes: readonly (number | string)[];
  readonly #features: readonly Float32Array[];
  /** Arm of each row. */
  readonly #arms: Int32Array;
  #random = new Random({ seed: entropySeed() });
  #row = 0;

  /**
   * @param features Rows of numbers, [rows][numbers].
   * @param targets The class of each row: integers or text.
   * @throws TypeError or RangeError when there is no row or only one class, or naming the first invalid row
   * or target.
   */
  constructor(features: readonly Row[], targets: ArrayLike<number | string>) {
    this.#features = rowsOf(features);
    if (targets.length !== features.length)
      throw new RangeError(
        `BanditEnvironment targets: found ${targets.length}, allowed ${features.length} (one for each row of features)`,
      );
    this.classes = classesOf(targets);
    const places = new Map(this.classes.map((name, arm) => [name, arm]));
    this.#arms = Int32Array.from(targets, (target) => places.get(target) ?? 0);
    const [width = 0] = [this.#features[0]?.length];
    const low = Array.from({ length: width }, (_, i) => extreme(this.#features, i, Math.min));
    const high = Array.from({ length: width }, (_, i) => extreme(this.#features, i, Math.max));
    this.observation_space = new Box({ low, high, shape: [width] });
    this.action_space = new Discrete(this.classes.length);
  }

  reset({ seed }: ResetOptions = {}): ResetResult<Float32Array> {
    if (seed !== undefined) this.#random = new Random({ seed });
    this.#row = this.#random.integer(this.#features.length);
    return { observation: this.#observation(), info: {} };
  }

  /** @throws RangeError when the arm does not exist. */
  step(action: Action): StepResult<Float32Array> {
    const arm = typeof action === "number" ? action : action[0];
    if (arm === undefined || !this.action_space.contains(arm))
      throw new RangeError(
        `BanditEnvironment.step: found ${describeValue(action)}, allowed 0 to ${this.classes.length - 1}`,
      );
    const reward = this.#arms[this.#row] === arm ? 1 : 0;
    this.#row = this.#random.integer(this.#features.length);
    return { observation: this.#observation(), reward, terminated: false, truncated: false, info: {} };
  }

  #observation(): Float32Array {
    return Float32Array.from(this.#features[this.#row] ?? []);
  }
}

const extreme = (rows: readonly Row[], column: number, of: (a: number, b: number) => number): number =>
  rows.map((row) => row[column] ?? 0).reduce((a, b) => of(a, b));

function rowsOf(features: readonly Row[]): Float32Array[] {
  if (!Array.isArray(features) || features.length === 0)
    throw new TypeError(
      `BanditEnvironment features: found ${describeValue(features)}, allowed rows of numbers, one or more`,
    );
  const width = features[0]?.length ?? 0;
  return features.map((row: unknown, i) => {
    if (!isArrayLike(row) || row.length !== width || width === 0)
      throw new RangeError(
        `BanditEnvironment features[${i}]: found ${describeValue(row)}, allowed ${width || "one or more"} numbers`,
      );
    return Float32Array.from(row, (value, column) => {
      if (typeof value === "number" && Number.isFinite(Math.fround(value))) return value;
      throw new RangeError(
        `BanditEnvironment features[${i}][${column}]: found ${describeValue(value)}, allowed finite numbers`,
      );
    });
  });
}

/** @throws RangeError unless there are two classes or more. */
function classesOf(targets: ArrayLike<number | string>): (number | string)[] {
  const all = Array.from(targets);
  const wrong = all.findIndex((x) => typeof x !== "string" && !Number.isInteger(x));
  if (wrong >= 0)
    throw new RangeError(
      `BanditEnvironment targets[${wrong}]: found ${describeValue(all[wrong])}, allowed integers or text`,
    );
  const classes = [...new Set(all)].toSorted((a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : 1,
  );
  if (classes.length < 2)
    throw new RangeError(`BanditEnvironment targets: found ${classes.length} class, allowed two or more`);
  return classes;
}

/** The data of a {@link BanditEnvironment}: plain data that can be sent between threads. */
export interface BanditTable {
  /** [rows][numbers]. */
  readonly features: readonly (readonly number[])[];
  /** The class of each row: integers or text. */
  readonly targets: readonly (number | string)[];
}

/** One per species; two of them are close together, as in Fisher's iris data. */
const CENTRES = [
  [-1.0, 0.9, -1.3, -1.25],
  [0.1, -0.7, 0.3, 0.15],
  [0.9, -0.1, 1.1, 1.2],
];
const SPREAD = 0.3;
const ROWS = 50;
const SEED = 7;

/** 50 rows per species around its centre; always the same table. */
export function flowers(): BanditTable {
  const random = new Random({ seed: SEED });
  const features: number[][] = [];
  const targets: number[] = [];
  for (const [target, centre] of CENTRES.entries())
    for (let row = 0; row < ROWS; row++) {
      features.push(centre.map((x) => x + SPREAD * random.normal()));
      targets.push(target);
    }
  return { features, targets };
}
