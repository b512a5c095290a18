/** What all agents of language models are: a member that learns, evolves, and can be kept in a directory. */

import { withFitness } from "../../../evolution/fitness.ts";
import { type Evolvable, type HyperparameterConfig, NO_MUTATION } from "../../../evolution/index.ts";
import { algorithmDefinition } from "../../../specs/index.ts";
import { checkSpec } from "../../../specs/parseSpec.ts";
import { defaultStore } from "../../../storage/defaultStore.ts";
import { type FileStore, joinPath } from "../../../storage/index.ts";
import { LoraAdapter } from "../../adapters/LoraAdapter.ts";
import type { LlmSpec } from "../../algorithms/registry.ts";
import type { ShapedArray } from "../../data/ShapedArray.ts";
import { VALUE_HEAD } from "../../engine/names.ts";
import type { LanguageModel } from "../../inference/LanguageModel.ts";
import { foldersOf } from "../../models/loadModelParts.ts";
import { ownName } from "../../models/WeightSource.ts";
import type { Experiences, LabelledSequences, LearnResult } from "../AgentCore.ts";
import type { AgentOnDevice, AgentPlan } from "../AgentOnDevice.ts";
import { policyShapeOf } from "../AgentOnDevice.ts";
import { readAttributes } from "../files/attributes.ts";
import {
  foldersIn,
  memberFiles,
  readMoments,
  readWeights,
  type WeightOptions,
} from "../files/memberFiles.ts";
import { adapterOfRole } from "../files/roleFiles.ts";
import type { Metrics } from "../Learner.ts";
import { type LlmMember, specOf } from "../LlmMember.ts";
import { SharedAgent } from "../SharedAgent.ts";
import { type AgentStart, planOf } from "./agentOptions.ts";

export interface CheckpointStoreOption {
  /** Where the directory lies; the disk in Node, OPFS in a browser unless given. */
  readonly store?: FileStore;
}

export interface LoadCheckpointOptions extends WeightOptions, CheckpointStoreOption {
  /** Takes the optimisers' moments over too; without, as unless given, they begin anew. */
  readonly load_optimizer?: boolean;
}

export interface TestLoopOptions {
  /** Episodes, or batches of held-out rows; 1 unless given. */
  readonly loop?: number;
}

/** Gradients of a batch that nothing was learned from. */
export interface LossAndGradients {
  readonly loss: number;
  readonly metrics: Metrics;
  /**
   * Of an adapter by the names of PEFT's files, of a model trained whole by those of its file; the critic's after
   * "critic.", the value head's as `value_head.weight` and `value_head.bias`.
   */
  readonly gradients: ReadonlyMap<string, ShapedArray<Float32Array>>;
}

/** What a clone begins with: a member of its own, and the buffers that another agent uses too. */
export class AgentCopy {
  readonly start: AgentStart;
  readonly shared: SharedAgent;

  constructor(start: AgentStart, shared: SharedAgent) {
    this.start = start;
    this.shared = shared;
  }
}

/**
 * Base of all agents of language models. Learning, evaluating and saving wait for one another.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-digits");
 * const agent: LLMAlgorithm = new GRPO({ actor_network, lr: 1e-3 });
 * await agent.saveCheckpoint("runs/grpo");
 * console.log(agent instanceof LLMAlgorithm, agent.algo, agent.fitness);
 * agent.close();
 * ```
 */
export abstract class LLMAlgorithm implements Evolvable<LLMAlgorithm> {
  /** The base model. */
  readonly actor_network: LanguageModel;
  /** Hyperparameters that may mutate; null when none may. */
  readonly hp_config: HyperparameterConfig | null;
  /** @internal The agent as plain data; whoever trains it through {@link LLMAlgorithm.onDevice} sets it. */
  member: LlmMember;
  #plan: AgentPlan;
  #shared: SharedAgent | null;
  readonly #said = new Set<string>();

  protected constructor(from: AgentStart | AgentCopy) {
    const start = from instanceof AgentCopy ? from.start : from;
    this.actor_network = start.model;
    this.hp_config = start.hp_config;
    this.member = start.member;
    this.#plan = start.plan;
    this.#shared =
      from instanceof AgentCopy ? from.shared.join() : new SharedAgent(start.plan, start.model.onDevice());
    this.warn(start.warnings);
  }

  /** Name of the algorithm: "GRPO", "SFT". */
  get algo(): LlmSpec["name"] {
    return this.#plan.spec.name;
  }

  /** Every field of the algorithm's spec, with the agent's own numbers. */
  get spec(): LlmSpec {
    return specOf(this.#plan.spec, this.member);
  }

  /** Identity, unique in a population. */
  get index(): number {
    return this.member.index;
  }

  /** Identity of the agent it was cloned from; null when it was not. */
  get parent(): number | null {
    return this.member.parent;
  }

  /** Label of the last mutation: "None" or a hyperparameter. */
  get mut(): string {
    return this.member.mut;
  }

  set mut(mut: string) {
    this.member = { ...this.member, mut };
  }

  /** Evaluations so far, oldest first, the last 100. */
  get fitness(): readonly number[] {
    return this.member.fitness;
  }

  /** Turns played, or rows learned from, in training functions; `learn` does not count. */
  get steps(): number {
    return this.member.steps;
  }

  set steps(steps: number) {
    this.member = { ...this.member, steps };
  }

  /** Numbers of the algorithm's spec. */
  get hyperparameters(): Readonly<Record<string, number>> {
    return this.member.hyperparameters;
  }

  /** Settings of what is trained: an adapter, or all weights for null. */
  get lora_config(): AgentPlan["lora"] {
    return policyShapeOf(this.#plan).tuning.kind === "whole"
      ? null
      : adapterOfRole(this.#plan, {}, "actor").lora;
  }

  /** @throws RangeError when the agent has none of that name, or for a value that its spec does not allow. */
  setHyperparameter(name: string, value: number): void {
    if (!Object.hasOwn(this.hyperparameters, name)) {
      const known = Object.keys(this.hyperparameters).join(", ");
      throw new RangeError(`hyperparameter "${name}": ${this.algo} has none of that name; it has ${known}`);
    }
    const result = checkSpec(algorithmDefinition(this.algo).schema, { ...this.spec, [name]: value });
    const [issue] = result.success ? [] : result.issues;
    if (issue) throw new RangeError(`hyperparameter "${name}" of ${this.algo}: ${issue.message}`);
    this.member = { ...this.member, hyperparameters: { ...this.hyperparameters, [name]: value } };
  }

  /** Language models' architecture does not mutate. */
  mutateArchitecture(): string {
    return NO_MUTATION;
  }

  /** Language models' weights do not mutate. */
  mutateParameters(): string {
    return NO_MUTATION;
  }

  /** Language models' activations do not mutate. */
  mutateActivation(): string {
    return NO_MUTATION;
  }

  /**
   * A copy under a new identity (its own unless given), with this one as parent: adapters, moments and history are its own,
   * the base model and working memory are shared.
   */
  abstract clone(index?: number): LLMAlgorithm;

  /**
   * The trained adapter as it is now.
   * @throws TypeError for an agent that trains the whole model; `saveCheckpoint` writes it.
   */
  async exportAdapter(): Promise<LoraAdapter> {
    if (this.lora_config === null)
      throw new TypeError(`${this.algo}: trains the whole model, and has no adapter; use saveCheckpoint`);
    return LoraAdapter.of(this.actor_network.config, adapterOfRole(this.#plan, this.member.policy, "actor"));
  }

  /**
   * Writes the agent's directory: `actor/`, and where it has them `reference/` and `critic/`, each with an adapter in
   * PEFT's files or a whole model's `config.json` and `model.safetensors`; `value_head.safetensors`; the optimisers'
   * moments; `attributes.json`.
   * @throws StorageError `full`, `locked` or `io`.
   */
  async saveCheckpoint(dir: string, { store }: CheckpointStoreOption = {}): Promise<void> {
    const to = store ?? (await defaultStore());
    const files = await this.use(async () => memberFiles(this.#plan, this.member));
    // What an earlier agent left there is none of this one's; without attributes.json it counts no longer.
    for (const name of ["attributes.json", "actor", "reference", "critic", "value_head.safetensors"])
      await to.remove(joinPath(dir, name));
    for (const [name, bytes] of files) await to.write(joinPath(dir, name), bytes);
  }

  /**
   * Becomes the agent that was saved: weights, hyperparameters, history, identity.
   * @throws RangeError for another algorithm's; StorageError or SpecError naming the file that is missing, damaged, or of
   *   another model, adapter or training.
   */
  async loadCheckpoint(
    dir: string,
    { store, load_optimizer = false, ...weights }: LoadCheckpointOptions = {},
  ): Promise<void> {
    const folderIn = foldersIn(foldersOf(store ?? (await defaultStore())), dir);
    const { spec, member } = await readAttributes(folderIn(""), this.algo);
    const plan = planOf(this.actor_network, spec, this.#plan.lora);
    const start = { before: this.member.policy, seed: spec.seed + member.index };
    const read = await readWeights(folderIn, plan, start, weights);
    const shared = this.#takeUp(plan);
    const moments = load_optimizer
      ? await readMoments(folderIn(""), shared.agent.core.policy.names("optimizers"))
      : { policy: {}, warnings: [] };
    this.warn([...read.warnings, ...moments.warnings]);
    this.member = { ...member, policy: { ...read.policy, ...moments.policy } };
  }

  /**
   * Takes over the weights of a saved agent of any algorithm; hyperparameters, history and identity stay, the optimisers
   * begin anew.
   * @throws StorageError or SpecError naming the file that is missing, damaged, or of another model, adapter or training.
   */
  async loadWeights(dir: string, { store, ...weights }: WeightOptions & CheckpointStoreOption = {}) {
    const folderIn = foldersIn(foldersOf(store ?? (await defaultStore())), dir);
    const start = { before: this.member.policy, seed: this.spec.seed + this.index };
    const { policy, warnings } = await readWeights(folderIn, this.#plan, start, weights);
    this.warn(warnings);
    this.member = { ...this.member, policy };
  }

  /** Frees its working memory, unless clones still use it. The base model stays open. */
  close(): void {
    this.#shared?.leave();
    this.#shared = null;
  }

  /** @internal The device and its buffers, which clones share: `write` a member before use. */
  get onDevice(): AgentOnDevice {
    return this.#open().agent;
  }

  /** @internal Runs `task` on the device when all calls before have ended; none of them leaves a member behind. */
  use<T>(task: (agent: AgentOnDevice) => Promise<T>): Promise<T> {
    return this.#open().run(task);
  }

  /** What a copy begins with. */
  protected copied(index: number): AgentCopy {
    const { policy, ...fields } = this.member;
    const own = Object.entries(policy).map(([name, values]) => [name, values.slice()] as const);
    const { hp_config, actor_network: model } = this;
    const member = { ...fields, policy: Object.fromEntries(own), index, parent: this.index };
    return new AgentCopy({ model, plan: this.#plan, hp_config, warnings: [], member }, this.#open());
  }

  protected get limits() {
    return {
      vocab_size: this.actor_network.config.vocab_size,
      max_model_len: this.#open().agent.max_model_len,
    };
  }

  /** Learns, and keeps what was learned. */
  protected update(
    learn: (
      agent: AgentOnDevice,
      spec: LlmSpec,
      place: { seed: number; slot: number; updates: number },
    ) => Promise<LearnResult>,
  ): Promise<Metrics> {
    return this.use(async (agent) => {
      const { spec, member } = this;
      agent.write(member.policy);
      const place = { seed: spec.seed, slot: member.index, updates: member.updates };
      const { metrics, warnings } = await learn(agent, spec, place);
      this.member = { ...member, policy: await agent.read(), updates: member.updates + 1 };
      this.warn(warnings);
      return metrics;
    });
  }

  protected gradients(batch: Experiences | LabelledSequences): Promise<LossAndGradients> {
    return this.use(async (agent) => {
      agent.write(this.member.policy);
      const { metrics, gradients } = await agent.core.lossAndGradients(batch, this.spec);
      const shapes = agent.core.policy.shapes();
      return {
        loss: metrics.loss ?? Number.NaN,
        metrics,
        gradients: new Map(
          [...gradients].map(([name, data]) => [publicName(name), { shape: shapes.get(name) ?? [], data }]),
        ),
      };
    });
  }

  /** Evaluates, and keeps the fitness. */
  protected evaluated(evaluate: (agent: AgentOnDevice) => Promise<number>): Promise<number> {
    return this.use(async (agent) => {
      const fitness = await evaluate(agent);
      this.member = { ...this.member, fitness: withFitness(this.fitness, fitness) };
      return fitness;
    });
  }

  /** Each message once. */
  protected warn(messages: readonly string[]): void {
    for (const message of messages) {
      if (this.#said.has(message)) continue;
      this.#said.add(message);
      console.warn(`rlkit: ${message}`);
    }
  }

  #open(): SharedAgent {
    if (this.#shared === null) throw new Error(`${this.algo} ${this.index}: was closed`);
    return this.#shared;
  }

  /** Buffers for a plan: those that it has, where they fit. */
  #takeUp(plan: AgentPlan): SharedAgent {
    const shared = this.#open();
    if (JSON.stringify(plan.spec) !== JSON.stringify(this.#plan.spec)) {
      const made = new SharedAgent(plan, this.actor_network.onDevice());
      shared.leave();
      this.#shared = made;
    }
    this.#plan = plan;
    return this.#open();
  }
}

/** A gradient's name as callers know it. */
function publicName(own: string): string {
  const actor = ownName("actor", "");
  if (own.startsWith(actor)) return own.slice(actor.length);
  const head = Object.values(VALUE_HEAD).find((name) => own === ownName("critic", name));
  return head ?? own;
}
