/** Creates agent classes from the names of algorithms. */
import { LLM_ALGORITHMS, type LlmAlgorithmName, type LlmDefinitionNamed } from "../../algorithms/registry.ts";
import type { TokenLimits } from "../../inference/readTokens.ts";
import { labelledReaders } from "../experiences.ts";
import type { LabelledSequences } from "../learntBatches.ts";
import { type LanguageAgentOptions, startOf } from "./agentOptions.ts";
import { AgentCopy } from "./LLMAlgorithm.ts";
import { LLMDatasetAlgorithm } from "./LLMDatasetAlgorithm.ts";
import { LLMRolloutAlgorithm } from "./LLMRolloutAlgorithm.ts";

type Readers = typeof labelledReaders;

type AgentBase<N extends LlmAlgorithmName> =
  LlmDefinitionNamed<N>["objective"] extends infer Objective extends keyof Readers
    ? LLMDatasetAlgorithm<Parameters<Readers[Objective]>[0]>
    : LLMRolloutAlgorithm;

/** An agent of the algorithm with this name. */
export type LanguageAgentNamed<N extends LlmAlgorithmName> = {
  readonly algo: N;
  clone(index?: number): LanguageAgentNamed<N>;
} & AgentBase<N>;

export interface LanguageAgentClass<N extends LlmAlgorithmName> {
  readonly prototype: LanguageAgentNamed<N>;
  /**
   * @throws SpecError for fields that the spec does not allow, and for an adapter that does not fit;
   *   TypeError or RangeError naming an invalid option.
   */
  new (options: LanguageAgentOptions<N>): LanguageAgentNamed<N>;
}

type AnyOptions = LanguageAgentOptions<LlmAlgorithmName> | AgentCopy;

const startFrom = (name: LlmAlgorithmName, options: AnyOptions) =>
  options instanceof AgentCopy ? options : startOf(name, options);

function classOf(name: LlmAlgorithmName) {
  const { objective } = LLM_ALGORITHMS[name].spec;
  if (objective === null)
    return class extends LLMRolloutAlgorithm {
      constructor(options: AnyOptions) {
        super(startFrom(name, options));
      }
    };
  // Its batches are those of this reader, which the class's own type states.
  const read: (batch: never, limits: TokenLimits) => LabelledSequences = labelledReaders[objective];
  return class extends LLMDatasetAlgorithm<never> {
    constructor(options: AnyOptions) {
      super(startFrom(name, options));
    }

    protected read(batch: never): LabelledSequences {
      return read(batch, this.limits);
    }
  };
}

/** The agent class of an algorithm, with the algorithm's name. */
export function languageAgentClass<N extends LlmAlgorithmName>(name: N): LanguageAgentClass<N> {
  const made = classOf(name);
  Object.defineProperty(made, "name", { value: name });
  // The compiler cannot infer the properties that depend on the name.
  return made as unknown as LanguageAgentClass<N>;
}
