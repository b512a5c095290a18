/** Classes of agents, from their algorithms' names. */
import type { LlmAlgorithmName } from "../../algorithms/registry.ts";
import { type PreferenceExperiences, readPairs, readResponses, type SftExperiences } from "../experiences.ts";
import { type LanguageAgentOptions, startOf } from "./agentOptions.ts";
import { AgentCopy } from "./LLMAlgorithm.ts";
import { LLMDatasetAlgorithm } from "./LLMDatasetAlgorithm.ts";
import { LLMRolloutAlgorithm } from "./LLMRolloutAlgorithm.ts";

/** What batches of labelled rows are, by algorithm. */
interface DatasetBatches {
  readonly DPO: PreferenceExperiences;
  readonly SFT: SftExperiences;
}

type AgentBase<N extends LlmAlgorithmName> = N extends keyof DatasetBatches
  ? LLMDatasetAlgorithm<DatasetBatches[N]>
  : LLMRolloutAlgorithm;

/** An agent of the algorithm of that name. */
export type LanguageAgentNamed<N extends LlmAlgorithmName> = {
  readonly algo: N;
  clone(index?: number): LanguageAgentNamed<N>;
} & AgentBase<N>;

export interface LanguageAgentClass<N extends LlmAlgorithmName> {
  readonly prototype: LanguageAgentNamed<N>;
  /**
   * @throws SpecError for fields that the spec does not allow, and for an adapter that does not fit; TypeError or RangeError
   *   naming an option.
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
  if (name === "DPO") return datasetClass(name, readPairs);
  return name === "SFT" ? datasetClass(name, readResponses) : rolloutClass(name);
}

/** The class of an algorithm's agents, named after it. */
export function languageAgentClass<N extends LlmAlgorithmName>(name: N): LanguageAgentClass<N> {
  const made = classOf(name);
  Object.defineProperty(made, "name", { value: name });
  // What the name decides is known to the type alone.
  return made as unknown as LanguageAgentClass<N>;
}
