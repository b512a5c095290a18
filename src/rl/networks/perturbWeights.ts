import type { TensorSpec } from "../../evolution/members.ts";
import { type DrawKey, Random, subKey } from "../../evolution/random.ts";
import type { Tensors } from "./networkData.ts";

/** Fraction of a tensor's elements that are drawn, with replacement. */
const FRACTION = 0.1;
/** Fractions of the drawn elements that get strong noise, and that are reset. */
const STRONG = 0.05;
const RESET = 0.05;
/** Standard deviation of strong noise, relative to the weight. */
const STRONG_SD = 10;
const LIMIT = 1e6;

/**
 * Adds noise to weights: draws one or more of the weight tensors (matrices and log_std; no biases, no
 * normalisation), and a tenth of the elements of each. w becomes w + N(0, |10 w|) with probability 0.05,
 * N(0, 1) with probability 0.05, otherwise w + N(0, |mutation_sd w|), clipped to +-1e6. If an element is
 * drawn twice, the last value counts. The result shares no array with `tensors`.
 */
export function perturbWeights(
  specs: readonly TensorSpec[],
  tensors: Readonly<Tensors>,
  mutation_sd: number,
  key: DrawKey,
): Tensors {
  const candidates = specs
    .filter(({ role }) => role === "weight" || role === "log_std")
    .map(({ name }) => name);
  const random = new Random(subKey(key, "tensors"));
  const chosen = new Set(random.sample(candidates, 1 + random.integer(candidates.length)));
  return Object.fromEntries(
    Object.entries(tensors).map(([name, values]) => [
      name,
      chosen.has(name) ? perturb(values, mutation_sd, new Random(subKey(key, name))) : values.slice(),
    ]),
  );
}

function perturb(values: Float32Array, mutation_sd: number, random: Random): Float32Array {
  const result = values.slice();
  const count = Math.ceil(FRACTION * values.length);
  for (let i = 0; i < count; i++) {
    const at = random.integer(values.length);
    const weight = values[at] as number;
    const kind = random.uniform();
    const noise = random.normal();
    const isReset = kind >= STRONG && kind < STRONG + RESET;
    const sd = kind < STRONG ? STRONG_SD : mutation_sd;
    const next = isReset ? noise : weight + Math.abs(sd * weight) * noise;
    result[at] = Math.min(Math.max(next, -LIMIT), LIMIT);
  }
  return result;
}
