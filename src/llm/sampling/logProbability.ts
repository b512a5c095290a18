import { logarithm } from "../../evolution/members.ts";
import { decay, inverseOf } from "./decay.ts";

/**
 * Computes the log-probability of a token under the full softmax: z/tau - logsumexp(z/tau), in f64.
 *
 * @param logits One row, [vocabulary].
 * @param temperature tau, above 0.
 */
export function logProbability(logits: Float32Array, id: number, temperature: number): number {
  let largest = -Infinity;
  for (let i = 0; i < logits.length; i++) largest = Math.max(largest, logits[i] ?? 0);
  const scale = inverseOf(temperature);
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += decay(((logits[i] ?? 0) - largest) * scale);
  return ((logits[id] ?? Number.NaN) - largest) * scale - logarithm(sum);
}
