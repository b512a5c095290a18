import { mean } from "../../evolution/members.ts";

const known = (values: readonly number[]): readonly number[] =>
  values.filter((value) => !Number.isNaN(value));

/**
 * The mean return of each copy; NaN for one without any reward.
 * @param returns Of the copies' episodes, one for each prompt; NaN for one without a reward.
 * @param common Whether the copies have the same prompts. Those with fewer rewards are then compared on equal terms:
 *   a missing return is the mean of the other copies with this prompt, so that a copy
 *   gains nothing where it has no reward for a hard prompt.
 */
export function copyReturns(returns: readonly (readonly number[])[], common: boolean): readonly number[] {
  const usual = common
    ? (returns[0] ?? []).map((_, i) => mean(known(returns.map((own) => own[i] ?? Number.NaN))))
    : [];
  return returns.map((own) => {
    const filled = own.map((value, i) => (Number.isNaN(value) ? (usual[i] ?? value) : value));
    return known(own).length === 0 ? Number.NaN : mean(known(filled));
  });
}
