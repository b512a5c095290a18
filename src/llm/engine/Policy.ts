/**
 * A member's own weights on a device (policy, reference, critic and optimisers),
 * and the passes that use them.
 */

import { momentName } from "../../kernels/functions.ts";
import {
  type Arena,
  type Binding,
  type BoundProgram,
  evalDim,
  type Program,
  type StateDecl,
  sizeOf,
  state,
  trace,
} from "../../kernels/index.ts";
import { ownName, ownWeights, type Role, type Tuning, WeightSource } from "../models/WeightSource.ts";
import type { ModelOnDevice } from "./ModelOnDevice.ts";
import {
  BATCH,
  batchDims,
  COLUMNS,
  OPTIMIZERS,
  resultName,
  SAMPLES,
  scalarName,
  sumName,
  TURNS,
  VALUE_HEAD,
} from "./names.ts";
import { powerOfTwo } from "./passes.ts";
import { resized } from "./resized.ts";
import { batchLogits, batchLogProbs, batchValues, inParts, partsOf } from "./sequences.ts";

/** The parts of a member's policy. */
export interface PolicyShape {
  /** How the actor and critic are trained. */
  readonly tuning: Tuning;
  /** Whether there are separate reference weights; otherwise the base model is the reference. */
  readonly reference: boolean;
  readonly critic: boolean;
}

/** Token sequences, padded on the right to one length; row-major. */
export interface Sequences {
  readonly rows: number;
  /** T. */
  readonly length: number;
  /** [rows, T]. */
  readonly input_ids: Int32Array;
  /**
   * 1 for tokens, 0 for padding: [rows, T]. In packed rows, the number of the token's sequence from 1.
   */
  readonly attention_mask: Int32Array;
}

/** Sizes of a batch other than those of its sequences. */
export interface BatchSizes {
  readonly rows_per_sample: number;
  readonly turns: number;
  /**
   * Number of samples to pad a batch to, with rows of weight 0, where programs have few
   * sizes (default: no padding).
   */
  readonly samples?: number;
}

/** Named inputs of a pass, in addition to the sequences. */
export type PassInputs = Readonly<Record<string, ArrayLike<number>>>;

const f32 = (name: string, shape: readonly number[]): StateDecl => ({
  name,
  shape,
  dtype: "f32",
  shared: false,
});

/** States of a role's own weights. */
function roleStates(model: ModelOnDevice, role: Role, tuning: Tuning, head: boolean): StateDecl[] {
  const own = ownWeights(model.weights, tuning).map(({ name, shape }) => f32(ownName(role, name), shape));
  if (!head) return own;
  return [
    ...own,
    f32(ownName(role, VALUE_HEAD.weight), [1, model.config.hidden_size]),
    f32(ownName(role, VALUE_HEAD.bias), [1]),
  ];
}

/** States of an optimiser that updates `parameters`. */
const optimizerStates = (optimizer: string, parameters: readonly StateDecl[]): StateDecl[] => [
  f32(`${optimizer}.beta1_power`, []),
  f32(`${optimizer}.beta2_power`, []),
  ...(["first", "second"] as const).flatMap((moment) =>
    parameters.map(({ name, shape }) => ({ ...f32(momentName(optimizer, moment, name), []), shape })),
  ),
];

interface BoundBatch {
  readonly arena: Arena;
  readonly bound: BoundProgram;
}

/**
 * Number of batch sizes with cached buffers, for micro-batches, the last one of a batch,
 * and passes without gradients.
 */
const KEPT_BATCHES = 8;

/** Groups of a policy's own buffers. */
export type PolicyPart = "actor" | "reference" | "critic" | "optimizers";

export class Policy {
  readonly model: ModelOnDevice;
  readonly shape: PolicyShape;
  /** The member's own buffers, in an arena inside that of the base. */
  readonly arena: Arena;
  readonly #parts: Readonly<Record<PolicyPart, readonly StateDecl[]>>;
  readonly #programs = new Map<string, Program>();
  readonly #numbers = new Map<Program, number>();
  /** Batches, least recently used first. */
  readonly #batches = new Map<string, BoundBatch>();
  #revision = 0;
  /** Sums of the actor's gradients. */
  #sums: Arena | null = null;

  constructor(model: ModelOnDevice, shape: PolicyShape) {
    this.model = model;
    this.shape = shape;
    const actor = roleStates(model, "actor", shape.tuning, false);
    const reference = shape.reference ? roleStates(model, "reference", shape.tuning, false) : [];
    const critic = shape.critic ? roleStates(model, "critic", shape.tuning, true) : [];
    const optimizers = [
      ...optimizerStates(OPTIMIZERS.actor, actor),
      ...(shape.critic ? optimizerStates(OPTIMIZERS.critic, critic) : []),
    ];
    this.#parts = { actor, reference, critic, optimizers };
    this.arena = model.arena(Object.values(this.#parts).flat());
    this.restartOptimizers();
  }

  /** Whether programs compute logits in parts of the tokens. */
  get parts(): boolean {
    const { config, device } = this.model;
    return this.shape.tuning.kind !== "whole" && inParts(config, device.kind);
  }

  /** The actor's weights. From now on, programs share buffers for the sums of their gradients. */
  summed(): readonly StateDecl[] {
    const { actor } = this.#parts;
    const sums = actor.map(({ name, shape }) => ({ ...f32(sumName(name), []), shape }));
    this.#sums ??= this.model.arena(sums, {}, this.arena);
    return actor;
  }

  /** Names of a part's buffers. */
  names(part: PolicyPart): readonly string[] {
    return this.#parts[part].map(({ name }) => name);
  }

  /** Incremented by every possible change of the actor. */
  get revision(): number {
    return this.#revision;
  }

  /** Must be called after a program that writes weights. */
  changed(): void {
    this.#revision++;
  }

  /** Shapes of weights by name. */
  shapes(): ReadonlyMap<string, readonly number[]> {
    return new Map(
      Object.values(this.#parts)
        .flat()
        .map(({ name, shape }) => [name, shape.map((size) => evalDim(size, {}))]),
    );
  }

  /**
   * Resets the optimisers to their state before the first step.
   * @param kept Its keys name the buffers that are not reset.
   */
  restartOptimizers(kept: Readonly<Record<string, unknown>> = {}): void {
    for (const { name, shape } of this.#parts.optimizers.filter(
      (moment) => !Object.hasOwn(kept, moment.name),
    ))
      this.arena.write(name, name.endsWith("_power") ? [1] : new Float32Array(evalDim(sizeOf(shape), {})));
  }

  async read(names: readonly string[]): Promise<Map<string, Float32Array>> {
    const values = new Map<string, Float32Array>();
    for (const name of names) values.set(name, (await this.arena.read(name)) as Float32Array); // all are f32
    return values;
  }

  /** @throws RangeError for an unknown name, or values of the wrong size. */
  write(values: Iterable<readonly [string, ArrayLike<number>]>): void {
    for (const [name, data] of values) this.arena.write(name, data);
    this.#revision++;
  }

  /** Copies the actor to the reference. */
  async renewReference(): Promise<void> {
    for (const [name, values] of await this.read(this.names("actor")))
      this.arena.write(ownName("reference", name.slice("actor.".length)), values);
  }

  /** log pi of each next token at a temperature: [rows, T - 1]. */
  logProbs(role: "actor" | "reference", sequences: Sequences, temperature: number): Promise<Float32Array> {
    const tuning: Tuning =
      role === "reference" && !this.shape.reference ? { kind: "base" } : this.shape.tuning;
    const program = this.#program(`log-probs ${role}`, () => {
      const source = new WeightSource(this.model.weights, role, tuning);
      const dims = batchDims(1);
      const temperature = state(scalarName("temperature")).read();
      const { config } = this.model;
      const values = batchLogProbs(dims, { config, weights: source, temperature, parts: this.parts });
      state(resultName("log_probs"), [dims.rows, dims.columns]).write(values);
    });
    return this.#pass(program, sequences, { [scalarName("temperature")]: [temperature] }, "log_probs");
  }

  /** Logits after each token: [rows, T, V]. */
  logits(sequences: Sequences): Promise<Float32Array> {
    const program = this.#program("logits", () => {
      const { config, weights } = this.model;
      const dims = batchDims(1);
      const values = batchLogits(config, new WeightSource(weights, "actor", this.shape.tuning), dims);
      state(resultName("logits"), [dims.rows, dims.columns, config.vocab_size]).write(values);
    });
    return this.#pass(program, withSpareColumn(sequences), {}, "logits");
  }

  /** The critic's value of the state before each next token: [rows, T - 1]. */
  values(sequences: Sequences): Promise<Float32Array> {
    const program = this.#program("values", () => {
      const source = new WeightSource(this.model.weights, "critic", this.shape.tuning);
      const dims = batchDims(1);
      const values = batchValues(this.model.config, source, dims);
      state(resultName("values"), [dims.rows, dims.columns]).write(values);
    });
    return this.#pass(program, sequences, {}, "values");
  }

  async #pass(
    program: Program,
    sequences: Sequences,
    inputs: PassInputs,
    result: string,
  ): Promise<Float32Array> {
    // Passes have any number of rows. Rounding up to powers of two limits the sizes,
    // and less than doubles the rows.
    const sizes = { rows_per_sample: 1, turns: 1, samples: powerOfTwo(sequences.rows) };
    const results = await this.run(program, sequences, sizes, inputs, [result]);
    return results.get(result) as Float32Array; // it was requested
  }

  /** Runs a program over whole sequences, and reads results. */
  async run(
    program: Program,
    sequences: Sequences,
    { rows_per_sample, turns, samples = 0 }: BatchSizes,
    inputs: PassInputs,
    results: readonly string[],
  ): Promise<ReadonlyMap<string, Float32Array>> {
    const own = {
      [SAMPLES]: sequences.rows / rows_per_sample,
      [COLUMNS]: sequences.length - 1,
      [TURNS]: turns,
    };
    const { bound_sizes } = this.model;
    const binding = {
      ...own,
      [SAMPLES]: bound_sizes ? Math.max(own[SAMPLES], samples) : own[SAMPLES],
      [COLUMNS]: this.model.columnsFor(own[COLUMNS]),
      ...(this.parts && partsOf(this.model.config, sequences.rows * own[COLUMNS])),
    };
    const { arena, bound } = await this.#bound(program, binding);
    for (const [name, values] of Object.entries({ ...sequenceInputs(sequences), ...inputs })) {
      const decl = program.states.get(name);
      if (decl) arena.write(name, bound_sizes ? between(decl, own, binding, values) : values);
    }
    await bound.run();
    const found = new Map<string, Float32Array>();
    for (const result of results) {
      const name = resultName(result);
      const values = (await arena.read(name)) as Float32Array; // all are f32
      const decl = program.states.get(name);
      found.set(result, bound_sizes && decl ? between(decl, binding, own, values) : values);
    }
    return found;
  }

  /** Runs a program on the policy's own buffers, with numbers as inputs. */
  async runAlone(program: Program, inputs: PassInputs): Promise<void> {
    const { arena, bound } = await this.#bound(program, {});
    for (const [name, values] of Object.entries(inputs))
      if (program.states.has(name)) arena.write(name, values);
    await bound.run();
  }

  /** A program bound to buffers for batches of one size. The least recently used ones are released. */
  async #bound(program: Program, binding: Binding): Promise<BoundBatch> {
    const key = JSON.stringify([this.#numberOf(program), binding]);
    const known = this.#batches.get(key);
    this.#batches.delete(key);
    if (known) {
      this.#batches.set(key, known);
      return known;
    }
    for (const [oldest, { arena, bound }] of this.#batches) {
      if (this.#batches.size < KEPT_BATCHES) break;
      bound.release();
      arena.release();
      this.#batches.delete(oldest);
    }
    const executable = await this.model.device.compile(program);
    const arena = this.model.arena(program.states.values(), binding, this.#sums ?? this.arena);
    const made = { arena, bound: executable.bind(arena) };
    this.#batches.set(key, made);
    return made;
  }

  #numberOf(program: Program): number {
    const number = this.#numbers.get(program) ?? this.#numbers.size;
    this.#numbers.set(program, number);
    return number;
  }

  #program(name: string, body: () => void): Program {
    const known = this.#programs.get(name);
    if (known) return known;
    const program = trace(name, body);
    this.#programs.set(name, program);
    return program;
  }

  release(): void {
    for (const { arena, bound } of this.#batches.values()) {
      bound.release();
      arena.release();
    }
    this.#batches.clear();
    this.#sums?.release();
    this.arena.release();
  }
}

/** Sequences with one padding column at the end, so that programs include the last token. */
function withSpareColumn({ rows, length, input_ids, attention_mask }: Sequences): Sequences {
  const wider = (values: Int32Array): Int32Array => {
    const copy = new Int32Array(rows * (length + 1));
    for (let row = 0; row < rows; row++)
      copy.set(values.subarray(row * length, (row + 1) * length), row * (length + 1));
    return copy;
  };
  return {
    rows,
    length: length + 1,
    input_ids: wider(input_ids),
    attention_mask: wider(attention_mask),
  };
}
/** Resizes a state's contents from one binding to another. New elements are 0. */
const between = (decl: StateDecl, from: Binding, to: Binding, values: ArrayLike<number>): Float32Array => {
  const under = (binding: Binding): number[] => decl.shape.map((dim) => evalDim(dim, binding));
  return resized(values, under(from), under(to));
};

/** The first T - 1 tokens of sequences, their next tokens, and their positions. */
function sequenceInputs({ rows, length, input_ids, attention_mask }: Sequences): PassInputs {
  const columns = length - 1;
  const ids = new Int32Array(rows * columns);
  const targets = new Int32Array(rows * columns);
  const mask = new Int32Array(rows * columns);
  const positions = new Int32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    let [position, segment] = [-1, 0];
    for (let t = 0; t < columns; t++) {
      const [to, from] = [row * columns + t, row * length + t];
      ids[to] = input_ids[from] ?? 0;
      targets[to] = input_ids[from + 1] ?? 0;
      mask[to] = attention_mask[from] ?? 0;
      const own = attention_mask[from] ?? 0;
      if (own !== 0) position = own === segment ? position + 1 : 0;
      segment = own || segment;
      positions[to] = Math.max(position, 0);
    }
  }
  return {
    [BATCH.ids]: ids,
    [BATCH.targets]: targets,
    [BATCH.mask]: mask,
    [BATCH.positions]: positions,
    [BATCH.row_weight]: new Float32Array(rows).fill(1),
  };
}
