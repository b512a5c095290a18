/** Specs of language-model algorithms with some fields set. */

import type { LlmAlgorithmName } from "../../../src/llm/algorithms.ts";
import type { AlgoSpec, SpecInputNamed } from "../../../src/manifests/index.ts";
import { parseAlgorithm } from "../../../src/manifests/index.ts";

export type SpecOf<N extends LlmAlgorithmName> = Extract<AlgoSpec, { readonly name: N }>;

/** The spec of that name. */
export function specOf<N extends LlmAlgorithmName>(
  name: N,
  fields: Omit<SpecInputNamed<N>, "name"> = {} as Omit<SpecInputNamed<N>, "name">,
): SpecOf<N> {
  // The name is in what is parsed, so the result is of that name.
  return parseAlgorithm({ ...fields, name } as never) as SpecOf<N>;
}
