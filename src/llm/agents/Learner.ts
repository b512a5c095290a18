/**
 * Updates a policy from a batch: micro-batches run through the algorithm's learning program, at the learning rate of
 * the schedule.
 */
import { DivergedError } from "../../evolution/members.ts";
import { Random } from "../../evolution/random.ts";
import type { Program } from "../../kernels/index.ts";
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
} from "../engine/learnProgram.ts";
import { gradientName, inputName, resultName, scalarName } from "../engine/names.ts";
import type { Policy, Sequences } from "../engine/Policy.ts";
import { powerOfTwo, rowsOf, takeRows } from "../engine/passes.ts";
import { scheduledRate } from "./schedules.ts";

/** Numbers per row of an input, for S columns and K turns. */
const widthOf = (shape: InputShape, columns: number, turns: number): number =>
  ({ row: 1, row_column: columns, row_turn: turns, row_turn_column: turns * columns })[shape];

/**
 * Splits 0 to `count` - 1 into parts of `size`, of which the last may be smaller;
 * `shuffle` determines the order.
 */
function microBatches(count: number, size: number, shuffle: Random | null): readonly (readonly number[])[] {
  const rows = Array.from({ length: count }, (_, i) => i);
  const order = shuffle ? shuffle.sample(rows, count) : rows;
  return Array.from({ length: Math.ceil(count / size) }, (_, i) => order.slice(i * size, (i + 1) * size));
}

/** Fields of a spec that every learner reads. */
export interface LearningFields {
  readonly batch_size: number;
  readonly group_size?: number;
  readonly micro_batch_size_per_gpu: number | null;
  readonly mini_batch_size?: number | null;
  readonly max_model_len?: number;
  readonly update_epochs: number;
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
   * Makes `update_epochs` passes over the batch, with one optimiser step per micro-batch.
   * @returns Means of the metrics over the micro-batches; `ratio_error` is that of the first one.
   * @throws DivergedError if the loss is not finite.
   */
  async learn(batch: PreparedBatch, spec: S, place: UpdatePlace): Promise<Metrics> {
    const program = this.#program(spec, "step", batch, this.microRows(spec));
    const sums = new Map<string, number>();
    let [first, weight]: [number | null, number] = [null, 0];
    for (let epoch = 0; epoch < spec.update_epochs; epoch++) {
      for (const samples of this.#micro(batch, spec, place, epoch)) {
        const metrics = await this.#step(program, batch, spec, samples, place);
        first ??= metrics.get("ratio_error") ?? null;
        weight += samples.length;
        for (const [name, value] of metrics) sums.set(name, (sums.get(name) ?? 0) + value * samples.length);
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
    return microBatches(batch.sequences.rows / per, this.microRows(spec), shuffle);
  }

  async #step(
    program: Program,
    batch: PreparedBatch,
    spec: S,
    samples: readonly number[],
    place: UpdatePlace,
  ): Promise<ReadonlyMap<string, number>> {
    const fill = this.microRows(spec);
    const { metrics } = await this.#run(program, batch, spec, samples, place, { also: [], fill });
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
    { also, fill }: { readonly also: readonly string[]; readonly fill: number },
  ): Promise<{
    readonly metrics: ReadonlyMap<string, number>;
    readonly rest: ReadonlyMap<string, Float32Array>;
  }> {
    const per = rowsPerSample(this.#algorithm);
    const rows = samples.flatMap((sample) => Array.from({ length: per }, (_, i) => sample * per + i));
    const columns = batch.sequences.length - 1;
    const taken = rowsOf(batch.sequences, rows);
    const packed = packsRows(this.#algorithm, spec) ? packRows(taken) : null;
    const shapes = this.#algorithm.inputs(spec);
    const inputs: Record<string, ArrayLike<number>> = {};
    for (const [name, shape] of Object.entries(shapes)) {
      const values = batch.inputs[name];
      if (values === undefined) throw new Error(`loss: input "${name}" was not prepared`);
      const own = takeRows(values, widthOf(shape, columns, batch.turns), rows);
      inputs[inputName(name)] = packed?.move(own) ?? own;
    }
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
  #program(spec: S, result: "step" | "gradients", { sequences }: PreparedBatch, samples: number): Program {
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
