import { WasmDevice } from "../../src/kernels/index.ts";
import { findLlmAlgorithm, type LlmSpec } from "../../src/llm/algorithms.ts";
import { RolloutHarness } from "../../src/llm/environments.ts";
import { AgentOnDevice, type LlmMember, RolloutRunner } from "../../src/llm/members.ts";
import { loadModelParts } from "../../src/llm/models.ts";
import { AlgoSpec } from "../../src/manifests/index.ts";
import type { EvolutionTask } from "./tasks.ts";

/** Differs from every training seed. */
const SEED = 987_654_321;

/** Scores language models with the same sampled episodes every time, outside of the run that trains them. */
export class LanguageJudge {
  readonly #runner: RolloutRunner;
  readonly #seed: number;

  private constructor(runner: RolloutRunner, seed: number) {
    this.#runner = runner;
    this.#seed = seed;
  }

  /** @param draw Selects other episodes; each number has its own. */
  static async in(task: EvolutionTask, episodes: number, draw: number): Promise<LanguageJudge> {
    const model = String(task.network.pretrained_model_name_or_path);
    const spec = AlgoSpec.parse({ ...task.algorithm, pretrained_model_name_or_path: model }) as LlmSpec;
    const algorithm = findLlmAlgorithm(spec.name);
    if (!algorithm) throw new Error(`no language-model algorithm ${spec.name}`);
    const parts = await loadModelParts(model, null);
    const agent = await AgentOnDevice.open({ parts, algorithm, spec, lora: null }, new WasmDevice());
    const runner = new RolloutRunner({
      agent,
      makeHarness: () =>
        new RolloutHarness({
          env: task.environment,
          tokenizer: parts.tokenizer,
          max_turns: 1,
          max_model_len: agent.max_model_len,
          max_output_tokens: 1,
        }),
      max_turns: 1,
      eval_loop: episodes,
      max_reward: null,
      io_timeout_s: null,
    });
    return new LanguageJudge(runner, SEED + draw);
  }

  /** Mean return. */
  async score(member: LlmMember): Promise<number> {
    const { returns } = await this.#runner.evaluate(member, { seed: this.#seed, slot: 0 });
    return returns.reduce((sum, value) => sum + value, 0) / returns.length;
  }
}
