/** Creates agent classes from the names of algorithms. */
import { LLM_ALGORITHMS, type LlmAlgorithmName, type LlmDefinitionNamed } from "../../algorithms/registry.ts";
import { type PreferenceExperiences, readPairs, readResponses, type SftExperiences } from "../experiences.ts";
import { type LanguageAgentOptions, startOf } from "./agentOptions.ts";
import { AgentCopy } from "./LLMAlgorithm.ts";
import { LLMDatasetAlgorithm } from "./LLMDatasetAlgorithm.ts";
import { LLMRolloutAlgorithm } from "./LLMRolloutAlgorithm.ts";

/** Batch types of algorithms that learn from labelled rows, by their objective. */
interface DatasetBatches {
  readonly preference: PreferenceExperiences;
  readonly sft: SftExperiences;
}

type AgentBase<N extends LlmAlgorithmName> =
  LlmDefinitionNamed<N>["objective"] extends infer Objective extends keyof DatasetBatches
    ? LLMDatasetAlgorithm<DatasetBatches[Objective]>
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

type AnyOptions = LanguageAgentOptions<LlmAlgorithmName>;

const rolloutClass = (name: LlmAlgorithmName) =>
  class Agent extends LLMRolloutAlgorithm {
    constructor(options: AnyOptions | AgentCopy) {
      super(options instanceof AgentCopy ? options : startOf(name, options));
    }

    clone(index = this.index): Agent {
      return new Agent(this.copied(index));
    }
  };

function datasetClass<B extends object>(
  name: LlmAlgorithmName,
  read: (batch: B, limits: Parameters<typeof readPairs>[1]) => ReturnType<typeof readPairs>,
) {
  return class Agent extends LLMDatasetAlgorithm<B> {
    constructor(options: AnyOptions | AgentCopy) {
      super(options instanceof AgentCopy ? options : startOf(name, options));
    }

    clone(index = this.index): Agent {
      return new Agent(this.copied(index));
    }

    protected read(batch: B) {
      return read(batch, this.limits);
    }
  };
}

function classOf(name: LlmAlgorithmName) {
  const { objective } = LLM_ALGORITHMS[name].spec;
  if (objective === null) return rolloutClass(name);
  return objective === "preference" ? datasetClass(name, readPairs) : datasetClass(name, readResponses);
}

/** The agent class of an algorithm, with the algorithm's name. */
export function languageAgentClass<N extends LlmAlgorithmName>(name: N): LanguageAgentClass<N> {
  const made = classOf(name);
  Object.defineProperty(made, "name", { value: name });
  // The compiler cannot infer the properties that depend on the name.
  return made as unknown as LanguageAgentClass<N>;
}
