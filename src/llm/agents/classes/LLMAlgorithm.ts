/** Common base of language-model agents: learning, evolution, and saving to a directory. */

import { type Evolvable, type HyperparameterConfig, NO_MUTATION } from "../../../evolution/index.ts";
import { withFitness } from "../../../evolution/members.ts";
import { checkSpec } from "../../../specs/checks.ts";
import type { HyperparameterChoice } from "../../../specs/sections.ts";
import { defaultStore } from "../../../storage/files.ts";
import type { FileStore } from "../../../storage/index.ts";
import { LoraAdapter } from "../../adapters/LoraAdapter.ts";
import type { LlmSpec } from "../../algorithms/registry.ts";
import type { ShapedArray } from "../../data/readArray.ts";
import { VALUE_HEAD } from "../../engine/names.ts";
import type { LanguageModel } from "../../inference/LanguageModel.ts";
import { foldersOf } from "../../models/loadModelParts.ts";
import { ownName } from "../../models/WeightSource.ts";
import { type AgentOnDevice, policyShapeOf, SharedAgent, withPolicy } from "../AgentOnDevice.ts";
import type { AgentPlan } from "../agentPlan.ts";
import { readAttributes } from "../files/attributes.ts";
import {
  foldersIn,
  memberFiles,
  readMoments,
  readWeights,
  type WeightOptions,
  writeMember,
} from "../files/memberFiles.ts";
import { exportOnnx } from "../files/onnxFiles.ts";
import { adapterOfRole } from "../files/roleFiles.ts";
import type { Metrics } from "../Learner.ts";
import { type LlmMember, specOf } from "../LlmMember.ts";
import type { Experiences, LabelledSequences, LearnResult } from "../learntBatches.ts";
import { type AgentStart, planOf } from "./agentOptions.ts";

export interface CheckpointStoreOption {
  /** Store of the directory. Defaults to the disk in Node and OPFS in a browser. */
  readonly store?: FileStore;
}

export interface LoadCheckpointOptions extends WeightOptions, CheckpointStoreOption {
  /** Whether to load the optimisers' moments too (default: false, which resets them). */
  readonly load_optimizer?: boolean;
}

export interface TestLoopOptions {
  /** Number of episodes, or of batches of held-out rows (default: 1). */
  readonly loop?: number;
}

/** Loss and gradients of a batch, without an update. */
export interface LossAndGradients {
  readonly loss: number;
  readonly metrics: Metrics;
  /**
   * Gradients by name: an adapter's by the names in PEFT's files, a fully trained model's by
   * those in its file. The critic's names start with "critic."; the value head's are
   * `value_head.weight` and `value_head.bias`.
   */
  readonly gradients: ReadonlyMap<string, ShapedArray<Float32Array>>;
}

/** Initial state of a clone: its own member, and the buffers that it shares. */
export class AgentCopy {
  readonly start: AgentStart;
  /** @internal */
  readonly shared: SharedAgent;

  /** @internal */
  constructor(start: AgentStart, shared: SharedAgent) {
    this.start = start;
    this.shared = shared;
  }
}

/**
 * Base class of all language-model agents. Concurrent calls that learn, evaluate or save run one after another.
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
  /** Hyperparameters that may mutate; `null` for none. */
  readonly hp_config: HyperparameterConfig | null;
  /**
   * @internal The agent as plain data. Code that trains it through
   *   {@link LLMAlgorithm.onDevice} must update this.
   */
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
      from instanceof AgentCopy
        ? from.shared.join()
        : new SharedAgent(start.plan, start.model.onDevice(), start.model.acting);
    this.warn(start.warnings);
  }

  /** Name of the algorithm: "GRPO", "SFT". */
  get algo(): LlmSpec["name"] {
    return this.#plan.spec.name;
  }

  /** Every field of the algorithm's spec, with the agent's current hyperparameters. */
  get spec(): LlmSpec {
    return specOf(this.#plan.spec, this.member);
  }

  /** Identity, unique in a population. */
  get index(): number {
    return this.member.index;
  }

  /** Identity of the agent it was cloned from; `null` if it is not a clone. */
  get parent(): number | null {
    return this.member.parent;
  }

  /** Label of the last mutation: "None" or the name of a hyperparameter. */
  get mut(): string {
    return this.member.mut;
  }

  set mut(mut: string) {
    this.member = { ...this.member, mut };
  }

  /** The last 100 fitness values, oldest first. */
  get fitness(): readonly number[] {
    return this.member.fitness;
  }

  /** Turns played, or rows learned from, in training functions; calls of `learn` do not count. */
  get steps(): number {
    return this.member.steps;
  }

  set steps(steps: number) {
    this.member = { ...this.member, steps };
  }

  /** Numeric fields of the algorithm's spec. */
  get hyperparameters(): Readonly<Record<string, number>> {
    return this.member.hyperparameters;
  }

  /** Settings of the trained adapter; `null` if all weights are trained. */
  get lora_config(): AgentPlan["lora"] {
    return policyShapeOf(this.#plan).tuning.kind === "whole"
      ? null
      : adapterOfRole(this.#plan, {}, "actor").lora;
  }

  /** @throws RangeError for an unknown name, or a value that the spec does not allow. */
  setHyperparameter(name: string, value: HyperparameterChoice): void {
    if (typeof value !== "number" || !Object.hasOwn(this.hyperparameters, name)) {
      const known = Object.keys(this.hyperparameters).join(", ");
      throw new RangeError(`hyperparameter "${name}": unknown to ${this.algo}; allowed: ${known}`);
    }
    const result = checkSpec(this.#plan.algorithm.spec.schema, { ...this.spec, [name]: value });
    const [issue] = result.success ? [] : result.issues;
    if (issue) throw new RangeError(`hyperparameter "${name}" of ${this.algo}: ${issue.message}`);
    this.member = { ...this.member, hyperparameters: { ...this.hyperparameters, [name]: value } };
  }

  /** Does nothing: the architecture of language models does not mutate. */
  mutateArchitecture(): string {
    return NO_MUTATION;
  }

  /** Does nothing: the weights of language models do not mutate. */
  mutateParameters(): string {
    return NO_MUTATION;
  }

  /** Does nothing: the activations of language models do not mutate. */
  mutateActivation(): string {
    return NO_MUTATION;
  }

  /**
   * Clones the agent under a new index (default: the same index), with this agent as parent. Adapters,
   * moments and history are copied; the base model and working memory are shared.
   */
  clone(index = this.index): this {
    const { policy, ...fields } = this.member;
    const own = Object.entries(policy).map(([name, values]) => [name, values.slice()] as const);
    const { hp_config, actor_network: model } = this;
    const member = { ...fields, policy: Object.fromEntries(own), index, parent: this.index };
    // All agent classes are made by `languageAgentClass` and accept a copy.
    const Agent = this.constructor as new (from: AgentCopy) => this;
    return new Agent(
      new AgentCopy({ model, plan: this.#plan, hp_config, warnings: [], member }, this.#open()),
    );
  }

  /**
   * Returns the current state of the trained adapter.
   * @throws TypeError for an agent that trains the whole model; save that with `saveCheckpoint`.
   */
  async exportAdapter(): Promise<LoraAdapter> {
    if (this.lora_config === null)
      throw new TypeError(`${this.algo}: trains the whole model, and has no adapter; use saveCheckpoint`);
    return LoraAdapter.of(this.actor_network.config, adapterOfRole(this.#plan, this.member.policy, "actor"));
  }

  /**
   * Writes the agent to a directory: `actor/` and, if present, `reference/` and `critic/`. Each holds an
   * adapter in PEFT's format, or a whole model's `config.json` and `model.safetensors`. Also writes
   * `value_head.safetensors` if there is a critic, the optimisers' moments, `attributes.json`, and
   * `checksums.json` of all files. Replaces an earlier agent in the directory.
   * @throws StorageError `full`, `locked` or `io`.
   */
  async saveCheckpoint(dir: string, { store }: CheckpointStoreOption = {}): Promise<void> {
    const to = store ?? (await defaultStore());
    const files = await this.use(() => memberFiles(this.#plan, this.member));
    await writeMember(to, dir, files);
  }

  /**
   * Writes the actor as an ONNX model with its cache as inputs and outputs, in the layout of Optimum and
   * transformers.js; an adapter is merged.
   * @throws StorageError `full`, `locked` or `io`; then the directory has no complete model.
   */
  async exportOnnx(dir: string, { store }: CheckpointStoreOption = {}): Promise<void> {
    const to = store ?? (await defaultStore());
    await this.use(() => exportOnnx(this.#plan, this.member.policy, { store: to, dir }));
  }

  /**
   * Restores a saved agent: weights, hyperparameters, history, identity.
   * @throws RangeError for a checkpoint of another algorithm; StorageError or SpecError naming a file that is
   *   missing, damaged, or made with another model, adapter or training mode.
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
   * Loads only the weights of a saved agent of any algorithm. Hyperparameters, history and identity are
   * kept; the optimisers are reset.
   * @throws StorageError or SpecError naming a file that is missing, damaged, or made with another
   *   model, adapter or training mode.
   */
  async loadWeights(dir: string, { store, ...weights }: WeightOptions & CheckpointStoreOption = {}) {
    const folderIn = foldersIn(foldersOf(store ?? (await defaultStore())), dir);
    const start = { before: this.member.policy, seed: this.spec.seed + this.index };
    const { policy, warnings } = await readWeights(folderIn, this.#plan, start, weights);
    this.warn(warnings);
    this.member = { ...this.member, policy };
  }

  /** Frees the agent's working memory, unless clones still use it. The base model stays open. */
  close(): void {
    this.#shared?.leave();
    this.#shared = null;
  }

  /** @internal The device and its buffers, which clones share. Call `write` with a member before use. */
  get onDevice(): AgentOnDevice {
    return this.#open().agent;
  }

  /**
   * @internal Runs `task` on the device after all earlier calls. The device may hold any member's
   *   state, so `write` one first.
   */
  use<T>(task: (agent: AgentOnDevice) => Promise<T>): Promise<T> {
    return this.#open().run(async (agent) => {
      const { policy } = await withPolicy(this.#plan, this.member, this.spec.seed);
      // Another call may have loaded weights meanwhile.
      if (Object.keys(this.member.policy).length === 0) this.member = { ...this.member, policy };
      return task(agent);
    });
  }

  protected get limits() {
    return {
      vocab_size: this.actor_network.config.vocab_size,
      max_model_len: this.#open().agent.max_model_len,
    };
  }

  /**
   * Runs a learning step and stores the result in the member.
   * @internal
   */
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

  /**
   * Runs an evaluation and records the fitness.
   * @internal
   */
  protected evaluated(evaluate: (agent: AgentOnDevice) => Promise<number>): Promise<number> {
    return this.use(async (agent) => {
      const fitness = await evaluate(agent);
      this.member = { ...this.member, fitness: withFitness(this.fitness, fitness) };
      return fitness;
    });
  }

  /** Prints each distinct warning once. */
  protected warn(messages: readonly string[]): void {
    for (const message of messages) {
      if (this.#said.has(message)) continue;
      this.#said.add(message);
      console.warn(`rlkit: ${message}`);
    }
  }

  #open(): SharedAgent {
    if (this.#shared === null) throw new Error(`${this.algo} ${this.index}: is closed`);
    return this.#shared;
  }

  /** Adopts a plan, with new buffers if the present ones do not fit. */
  #takeUp(plan: AgentPlan): SharedAgent {
    const shared = this.#open();
    if (JSON.stringify(plan.spec) !== JSON.stringify(this.#plan.spec)) {
      const { actor_network } = this;
      const made = new SharedAgent(plan, actor_network.onDevice(), actor_network.acting);
      shared.leave();
      this.#shared = made;
    }
    this.#plan = plan;
    return this.#open();
  }
}

/** The public name of a gradient. */
function publicName(own: string): string {
  const actor = ownName("actor", "");
  if (own.startsWith(actor)) return own.slice(actor.length);
  const head = Object.values(VALUE_HEAD).find((name) => own === ownName("critic", name));
  return head ?? own;
}
