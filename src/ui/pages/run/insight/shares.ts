import { mean } from "../../../../evolution/members.ts";
import { Random } from "../../../../evolution/random.ts";
import { around, type Interval, studentQuantile } from "../../../../tracking/history.ts";
import type { Rows } from "./forest.ts";

/** A share of the outputs' variance that an input explains alone. */
export interface Share {
  /** May be slightly below 0 by chance. */
  readonly share: number;
  /** Interval of 95 %; null where outputs do not differ. */
  readonly interval: Interval | null;
}

const average = (of: ArrayLike<number>): number => mean(Array.from(of));

const SEED = 1;

/**
 * The first-order share of functional ANOVA, from the differences of outputs that are neighbours along the input (Gamboa et
 * al. 2022). Noise counts to the variance that is not explained. The error is that of a mean of values of which neighbours
 * are correlated.
 */
function shareOf(values: Float64Array, outputs: Float64Array, random: Random): Share {
  const count = outputs.length;
  // Equal values have a random order, so that only their spread counts.
  const keys = values.map(() => random.uniform());
  const order = Array.from(values.keys()).sort(
    (a, b) => (values[a] ?? 0) - (values[b] ?? 0) || (keys[a] ?? 0) - (keys[b] ?? 0),
  );
  const centre = average(outputs);
  const centred = order.map((row) => (outputs[row] ?? 0) - centre);
  const variance = centred.reduce((sum, value) => sum + value ** 2, 0) / (count - 1);
  if (outputs.every((value) => value === outputs[0])) return { share: 0, interval: null };
  const pairs = centred.slice(1).map((value, i) => [centred[i] ?? 0, value] as const);
  const left = average(pairs.map(([a, b]) => (b - a) ** 2 / 2)) / variance;
  // How each pair moves the share, the variance included.
  const effects = pairs.map(([a, b]) => (b - a) ** 2 / 2 - (left * (a * a + b * b)) / 2);
  const own = average(effects.map((effect) => effect ** 2));
  const between = average(effects.slice(1).map((effect, i) => effect * (effects[i] ?? 0)));
  const error = Math.sqrt(Math.max(own, own + 2 * between) / pairs.length) / variance;
  const share = 1 - left;
  return { share, interval: around(share, error * studentQuantile(count - 1)) };
}

/** The share of each input. Shares of independent inputs add up to at most 1; the rest is interactions and noise. */
export const sharesOf = ({ inputs, outputs }: Rows): readonly Share[] =>
  inputs.map((values) => shareOf(values, outputs, new Random({ seed: SEED })));
