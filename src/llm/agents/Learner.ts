/**
 * Updates a policy from a batch: micro-batches run through the algorithm's learning program, at the learning rate of
 * the schedule.
 */
import { DivergedError } from "../../evolution/members.ts";
import { Random } from "../../evolution/random.ts";
import type { Program, StateDecl } from "../../kernels/index.ts";
import type { CosineLRScheduleConfig } from "../../specs/algorithms.ts";
import type { GradientAlgorithm, InputShape, LossInputs } from "../algorithms/contract.ts";
import {
  exceedsPart,
  fittingSamples,
  learnProgram,
  packRows,
  packsRows,
  rowsPerSample,
  shouldRecompute,
  stepProgram,
} from "../engine/learnProgram.ts";
import { gradientName, HAS_SUM, inputName, resultName, scalarName, shareName } from "../engine/names.ts";
import type { Policy, Sequences } from "../engine/Policy.ts";
import { powerOfTwo, rowsOf, takeRows } from "../engine/passes.ts";
import { scheduledRate } from "./schedules.ts";

/** Numbers per row of an input, for S columns and K turns. */
const widthOf = (shape: InputShape, columns: number, turns: number): number =>
  ({ row: 1, row_column: columns, row_turn: turns, row_turn_column: turns * columns })[shape];

/** Splits a list into parts of `size`, of which the last may be smaller. */
const partsOf = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

/** Fields of a spec that every learner reads. */
export interface LearningFields {
  readonly batch_size: number;
  readonly group_size?: number;
  readonly micro_batch_size_per_gpu: number | null;
  readonly mini_batch_size?: number | null;
  readonly max_model_len?: number;
  readonly update_epochs: number;
  readonly gradient_accumulation_steps?: number;
  readonly gradient_checkpointing: boolean;
  readonly max_grad_norm: number;
  readonly weight_decay: number;
  readonly lr?: number;
  readonly lr_actor?: number;
  readonly lr_critic?: number | null;
  readonly temperature?: number;
  readonly cosine_lr_schedule_config?: CosineLRScheduleConfig | null;
}

/** A batch that is ready for learning. */
interface PreparedBatch {
  readonly sequences: Sequences;
  /** K, the number of turns. */
  readonly turns: number;
  readonly inputs: LossInputs;
}

/** Determines the order of micro-batches. */
export interface UpdatePlace {
  readonly seed: number;
  readonly slot: number;
  /** Number of earlier updates. */
  readonly updates: number;
}

export type Metrics = Readonly<Record<string, number>>;

/** Values of a spec that change the program itself, not only numbers passed to it. */
const choicesOf = (spec: object): string =>
  JSON.stringify(Object.entries(spec).filter(([, value]) => typeof value !== "number"));

export class Learner<S extends LearningFields> {
  readonly #policy: Policy;
  readonly #algorithm: GradientAlgorithm<S>;
  readonly #programs = new Map<string, Program>();

  constructor(policy: Policy, algorithm: GradientAlgorithm<S>) {
    this.#policy = policy;
    this.#algorithm = algorithm;
  }

  /**
   * Sequences per micro-batch, at most those of a batch; a pair counts as one. If the spec leaves the size open, it is
   * `batch_size`, or for an adapter on wasm as many as fit into memory.
   */
  microRows(spec: S): number {
    const { batch_size, group_size = 1, micro_batch_size_per_gpu, mini_batch_size = null } = spec;
    const { model, shape } = this.#policy;
    const all = batch_size * group_size;
    const given = micro_batch_size_per_gpu ?? mini_batch_size;
    if (given !== null) return Math.min(given, all);
    if (model.device.kind !== "wasm" || shape.tuning.kind === "whole") return Math.min(batch_size, all);
    const columns = Math.min(model.positions, spec.max_model_len ?? model.positions);
    const rows = rowsPerSample(this.#algorithm);
    return fittingSamples(model.config, Math.min(batch_size, all), { rows, columns });
  }

  /**
   * Makes `update_epochs` passes over the batch, with one optimiser step per micro-batch, or for
   * `gradient_accumulation_steps` of them.
   * @returns Means of the metrics over the micro-batches; `ratio_error` is that of the first one.
   * @throws DivergedError if the loss is not finite.
   */
  async learn(batch: PreparedBatch, spec: S, place: UpdatePlace): Promise<Metrics> {
    const { gradient_accumulation_steps: together = 1 } = spec;
    const weights = together > 1 ? this.#policy.summed() : [];
    const program = this.#program(spec, together > 1 ? "sums" : "step", batch, this.microRows(spec));
    const sums = new Map<string, number>();
    let [first, weight]: [number | null, number] = [null, 0];
    for (let epoch = 0; epoch < spec.update_epochs; epoch++) {
      for (const step of partsOf(this.#micro(batch, spec, place, epoch), together)) {
        const shares = together > 1 ? this.#shares(batch, spec, step) : [];
        const all = step.flat().length;
        for (const [i, samples] of step.entries()) {
          const metrics = await this.#step(program, batch, spec, samples, place, shares[i]);
          first ??= metrics.get("ratio_error") ?? null;
          weight += samples.length;
          for (const [name, value] of metrics) {
            // The losses of a step's micro-batches add up to that of the step.
            const count = name === "loss" && together > 1 ? all : samples.length;
            sums.set(name, (sums.get(name) ?? 0) + value * count);
          }
        }
        if (together > 1) await this.#stepWithSums(weights, spec, place);
      }
    }
    const means = Object.fromEntries([...sums].map(([name, sum]) => [name, sum / Math.max(1, weight)]));
    return first === null ? means : { ...means, ratio_error: first };
  }

  /** Loss, metrics and gradients of the whole batch as one micro-batch, without an update. */
  async lossAndGradients(
    batch: PreparedBatch,
    spec: S,
  ): Promise<{ readonly metrics: Metrics; readonly gradients: ReadonlyMap<string, Float32Array> }> {
    const count = batch.sequences.rows / rowsPerSample(this.#algorithm);
    const program = this.#program(spec, "gradients", batch, count);
    const samples = Array.from({ length: count }, (_, i) => i);
    const place = { seed: 0, slot: 0, updates: 0 };
    // A separate critic also has the output layer, which its values do not depend
    // on, so that it has no gradient.
    const own = [...this.#policy.names("actor"), ...this.#policy.names("critic")].filter((name) =>
      program.states.has(resultName(gradientName(name))),
    );
    const read = own.map((name) => gradientName(name));
    const { metrics, rest } = await this.#run(program, batch, spec, samples, place, { also: read, fill: 0 });
    return {
      metrics: Object.fromEntries(metrics),
      gradients: new Map(own.map((name, i) => [name, rest.get(read[i] as string) ?? new Float32Array()])), // same length
    };
  }

  #micro(batch: PreparedBatch, spec: S, place: UpdatePlace, epoch: number): readonly (readonly number[])[] {
    const per = rowsPerSample(this.#algorithm);
    // Labelled rows arrive in an order that is already shuffled per epoch.
    const shuffle =
      this.#algorithm.kind === "rollout"
        ? new Random({
            seed: place.seed,
            stream: "llm.micro_batches",
            slot: place.slot,
            generation: place.updates * 64 + epoch,
          })
        : null;
    const all = Array.from({ length: batch.sequences.rows / per }, (_, i) => i);
    return partsOf(shuffle ? shuffle.sample(all, all.length) : all, this.microRows(spec));
  }

  /** The numbers of each micro-batch of a step that its gradients are added with. */
  #shares(
    batch: PreparedBatch,
    spec: S,
    step: readonly (readonly number[])[],
  ): readonly Readonly<Record<string, number>>[] {
    const counts = step.map((samples) => {
      const { rows, inputs } = this.#taken(batch, spec, samples);
      return this.#algorithm.counts?.(inputs, rows.length, spec) ?? {};
    });
    const total = (name: string): number => counts.reduce((sum, own) => sum + (own[name] ?? 0), 0);
    return counts.map((own, i) => ({
      [HAS_SUM]: i === 0 ? 0 : 1,
      ...Object.fromEntries(
        Object.entries(own).map(([name, count]) => [shareName(name), count / Math.max(1, total(name))]),
      ),
    }));
  }

  async #stepWithSums(weights: readonly StateDecl[], spec: S, { updates }: UpdatePlace): Promise<void> {
    const program = this.#programs.get("step with sums") ?? stepProgram(weights);
    this.#programs.set("step with sums", program);
    const numbers = Object.entries(this.#scalars(spec, updates));
    await this.#policy.runAlone(
      program,
      Object.fromEntries(numbers.map(([name, value]) => [scalarName(name), [value]])),
    );
    this.#policy.changed();
  }

  /** Rows of samples, and their inputs of the loss. */
  #taken(batch: PreparedBatch, spec: S, samples: readonly number[]) {
    const per = rowsPerSample(this.#algorithm);
    const rows = samples.flatMap((sample) => Array.from({ length: per }, (_, i) => sample * per + i));
    const columns = batch.sequences.length - 1;
    const inputs: Record<string, Float32Array> = {};
    for (const [name, shape] of Object.entries(this.#algorithm.inputs(spec))) {
      const values = batch.inputs[name];
      if (values === undefined) throw new Error(`loss: input "${name}" was not prepared`);
      inputs[name] = takeRows(values, widthOf(shape, columns, batch.turns), rows);
    }
    return { rows, inputs };
  }

  async #step(
    program: Program,
    batch: PreparedBatch,
    spec: S,
    samples: readonly number[],
    place: UpdatePlace,
    numbers: Readonly<Record<string, number>> = {},
  ): Promise<ReadonlyMap<string, number>> {
    const fill = this.microRows(spec);
    const { metrics } = await this.#run(program, batch, spec, samples, place, { also: [], fill, numbers });
    this.#policy.changed();
    const loss = metrics.get("loss") ?? Number.NaN;
    if (!Number.isFinite(loss)) {
      const rewards = this.#algorithm.kind === "rollout" ? ", or give smaller rewards" : "";
      throw new DivergedError(
        place.slot,
        `member ${place.slot}: the loss is ${loss}, which is not finite; lower the learning rate or max_grad_norm${rewards}`,
      );
    }
    return metrics;
  }

  async #run(
    program: Program,
    batch: PreparedBatch,
    spec: S,
    samples: readonly number[],
    { updates }: UpdatePlace,
    {
      also,
      fill,
      numbers = {},
    }: {
      readonly also: readonly string[];
      readonly fill: number;
      readonly numbers?: Readonly<Record<string, number>>;
    },
  ): Promise<{
    readonly metrics: ReadonlyMap<string, number>;
    readonly rest: ReadonlyMap<string, Float32Array>;
  }> {
    const per = rowsPerSample(this.#algorithm);
    const own = this.#taken(batch, spec, samples);
    const taken = rowsOf(batch.sequences, own.rows);
    const packed = packsRows(this.#algorithm, spec) ? packRows(taken) : null;
    const inputs: Record<string, ArrayLike<number>> = {};
    for (const [name, values] of Object.entries(own.inputs))
      inputs[inputName(name)] = packed?.move(values) ?? values;
    for (const [name, value] of Object.entries(numbers)) inputs[name] = [value];
    for (const [name, value] of Object.entries(this.#scalars(spec, updates)))
      inputs[scalarName(name)] = [value];
    const found = await this.#policy.run(
      program,
      packed?.sequences ?? taken,
      // Packed rows are of any number up to that of samples; powers of two limit the sizes of programs.
      {
        rows_per_sample: per,
        turns: batch.turns,
        samples: packed ? powerOfTwo(packed.sequences.rows) : fill,
      },
      inputs,
      [...this.#algorithm.spec.metrics, ...also],
    );
    return {
      metrics: new Map(
        this.#algorithm.spec.metrics.map((name) => [name, found.get(name)?.[0] ?? Number.NaN]),
      ),
      rest: found,
    };
  }

  #scalars(spec: S, updates: number): Readonly<Record<string, number>> {
    const lr_actor = spec.lr_actor ?? spec.lr ?? 0;
    const schedule = spec.cosine_lr_schedule_config ?? null;
    return {
      ...this.#algorithm.scalars(spec),
      temperature: spec.temperature || 1,
      lr_actor: scheduledRate(lr_actor, schedule, updates),
      lr_critic: scheduledRate(spec.lr_critic ?? lr_actor, schedule, updates),
      max_grad_norm: spec.max_grad_norm,
      weight_decay: spec.weight_decay,
    };
  }

  /** @param samples Samples in a micro-batch. */
  #program(
    spec: S,
    result: "step" | "gradients" | "sums",
    { sequences }: PreparedBatch,
    samples: number,
  ): Program {
    const { shape, model } = this.#policy;
    const { config, weights } = model;
    const { tuning } = shape;
    const rows = samples * rowsPerSample(this.#algorithm);
    const recompute =
      tuning.kind !== "whole" &&
      spec.gradient_checkpointing &&
      shouldRecompute(config, rows, sequences.length - 1);
    const parts = this.#policy.parts && exceedsPart(config, rows * (sequences.length - 1));
    const key = `${result} ${parts} ${recompute} ${choicesOf(spec)}`;
    const known = this.#programs.get(key);
    if (known) return known;
    const program = learnProgram({
      config,
      weights,
      algorithm: this.#algorithm,
      spec,
      tuning,
      result,
      parts,
      recompute,
    });
    this.#programs.set(key, program);
    return program;
  }
}
