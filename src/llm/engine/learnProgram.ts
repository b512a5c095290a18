/**
 * One learning step of an algorithm as a program: loss, gradients, clipping and AdamW for one micro-batch.
 */
import {
  adam,
  add,
  clipByGlobalNorm,
  grad,
  greater,
  mul,
  type Program,
  reshape,
  type State,
  type StateDecl,
  select,
  state,
  sym,
  type Tensor,
  trace,
} from "../../kernels/index.ts";
import type { GradientAlgorithm, InputShape, LossContext } from "../algorithms/contract.ts";
import type { ModelConfig, WeightDecl } from "../models/ModelConfig.ts";
import { type Tuning, WeightSource } from "../models/WeightSource.ts";
import { keptPass, recomputedPass } from "./backward.ts";
import {
  BATCH,
  batchDims,
  gradientName,
  HAS_SUM,
  inputName,
  OPTIMIZERS,
  resultName,
  scalarName,
  shareName,
  sumName,
  TURNS,
  VALUE_HEAD,
} from "./names.ts";
import { hiddenGradient, logProbsOfNext, nextTokens, valuesOf } from "./sequences.ts";

// What the choice of a program depends on.
export { fittingSamples, shouldRecompute } from "./backward.ts";
export { packRows } from "./packRows.ts";
export { exceedsPart } from "./sequences.ts";

export interface LearnOptions<S> {
  readonly config: ModelConfig;
  /** The base's weights. */
  readonly weights: readonly WeightDecl[];
  readonly algorithm: GradientAlgorithm<S>;
  readonly spec: S;
  readonly tuning: Tuning;
  /** Whether to update the weights, to output the gradients for the host to read, or to add them to their sums. */
  readonly result: "step" | "gradients" | "sums";
  /** Whether logits are computed in parts of the tokens, which whole models do not support. */
  readonly parts: boolean;
  /** Whether layers run again in the backward pass, which whole models do not support. */
  readonly recompute: boolean;
}

/** Number of rows per sample of an algorithm. */
export const rowsPerSample = <S>(algorithm: GradientAlgorithm<S>): 1 | 2 =>
  algorithm.kind === "dataset" ? algorithm.rows_per_sample : 1;

/** Whether a micro-batch's sequences share rows. */
export const packsRows = <S>(algorithm: GradientAlgorithm<S>, spec: S): boolean =>
  algorithm.kind === "dataset" && (algorithm.packs?.(spec) ?? false);

const scalar = (name: string): Tensor => state(scalarName(name)).read();

interface Own {
  readonly name: string;
  readonly parameter: State;
  readonly value: Tensor;
}

const ownOf = (source: WeightSource): Own[] =>
  [...source.own].map(([name, own]) => ({ name, parameter: own.state, value: own.value }));

const valuesIn = (own: readonly Own[]): Tensor[] => own.map(({ value }) => value);

const HEAD_NAMES: readonly string[] = Object.values(VALUE_HEAD);

export function learnProgram<S>(options: LearnOptions<S>): Program {
  const { config, weights, algorithm, spec, tuning, result, parts: logitParts, recompute } = options;
  const dims = { ...batchDims(rowsPerSample(algorithm)), packed: packsRows(algorithm, spec) };
  const turns = sym(TURNS);
  const shapes = {
    row: [dims.rows],
    row_column: [dims.rows, dims.columns],
    row_turn: [dims.rows, turns],
    row_turn_column: [dims.rows, turns, dims.columns],
  } satisfies Record<InputShape, unknown>;
  const inputs = algorithm.inputs(spec);
  return trace(`learn ${algorithm.kind}`, () => {
    const actor = new WeightSource(weights, "actor", tuning);
    const critic = new WeightSource(weights, "critic", tuning);
    const hasCritic = algorithm.kind === "rollout" && algorithm.critic;
    const passOf = recompute ? recomputedPass : keptPass;
    const temperature = scalar("temperature");
    const acting = passOf(config, actor, dims);
    const next = nextTokens(dims, { config, weights: actor, temperature, parts: logitParts });
    const log_probs = logProbsOfNext(acting.hidden, next);
    const judging = hasCritic ? passOf(config, critic, dims) : null;
    const context: LossContext = {
      ...dims,
      turns,
      log_probs: reshape(log_probs, [dims.rows, dims.columns]),
      values: judging && valuesOf(config, critic, dims, judging.hidden),
      row_weight: state(BATCH.row_weight, [dims.rows]).read(),
      input: (name) => {
        const shape = inputs[name];
        if (shape === undefined) throw new Error(`loss: no input "${name}"; allowed: ${Object.keys(inputs)}`);
        return state(inputName(name), shapes[shape]).read();
      },
      scalar,
      ofStep: (mean, count) => (result === "sums" ? mul(mean, state(shareName(count)).read()) : mean),
    };
    const { loss, metrics } = algorithm.loss(context, spec);
    const own = { actor: ownOf(actor), critic: hasCritic ? ownOf(critic) : [] };
    const gradients =
      logitParts || recompute ? inStages() : grad(loss, valuesIn([...own.actor, ...own.critic]));
    /** Gradients of the loss, then of hidden states, then of the weights in the layers. */
    function inStages(): readonly Tensor[] {
      const heads = own.critic.filter(({ name }) => HEAD_NAMES.includes(name));
      const ends = judging ? [judging.hidden, ...valuesIn(heads)] : [];
      const [ofLogProbs, ofJudging, ...ofHeads] = grad(loss, [log_probs, ...ends]) as [Tensor, ...Tensor[]];
      const arriving = hiddenGradient(acting.hidden, { log_probs, gradient: ofLogProbs }, next);
      const ofActor = acting.gradients(arriving, valuesIn(own.actor));
      if (!judging || !ofJudging) return ofActor;
      const inLayers = own.critic.filter((one) => !heads.includes(one));
      const ofLayers = judging.gradients(ofJudging, valuesIn(inLayers));
      const ofCritic = own.critic.map((one) =>
        heads.includes(one) ? ofHeads[heads.indexOf(one)] : ofLayers[inLayers.indexOf(one)],
      );
      return [...ofActor, ...(ofCritic as Tensor[])]; // One for each.
    }
    const results: Readonly<Record<string, Tensor>> = { loss, ...metrics };
    for (const [name, value] of Object.entries(results)) state(resultName(name)).write(value);
    const parts = [
      { role: "actor", own: own.actor, from: 0 },
      { role: "critic", own: own.critic, from: own.actor.length },
    ] as const;
    for (const { role, own: mine, from } of parts) {
      const theirs = gradients.slice(from, from + mine.length);
      if (mine.length === 0) continue;
      if (result === "gradients") {
        mine.forEach(({ parameter }, i) => {
          state(resultName(gradientName(parameter.decl.name)), parameter.decl.shape).write(
            theirs[i] as Tensor,
          ); // one for each
        });
        continue;
      }
      if (result === "sums") {
        const begun = greater(state(HAS_SUM).read(), 0);
        for (const [i, { parameter }] of mine.entries()) {
          const sum = state(sumName(parameter.decl.name), parameter.decl.shape);
          sum.write(add(select(begun, sum.read(), 0), theirs[i] as Tensor)); // one for each
        }
        continue;
      }
      optimise(role, mine, theirs);
    }
  });
}

/** Clips gradients, one for each weight, and takes a step of AdamW. */
function optimise(
  role: keyof typeof OPTIMIZERS,
  own: readonly Pick<Own, "parameter" | "value">[],
  gradients: readonly Tensor[],
): void {
  const clipped = clipByGlobalNorm(gradients, scalar("max_grad_norm"));
  const updates = own.map(({ parameter, value }, i) => ({
    parameter,
    value,
    gradient: clipped[i] as Tensor, // one for each
  }));
  adam(OPTIMIZERS[role], updates, { lr: scalar(`lr_${role}`), weightDecay: scalar("weight_decay") });
}

/** A step of the actor's optimiser with the sums of gradients of these weights. */
export const stepProgram = (weights: readonly StateDecl[]): Program =>
  trace("optimiser step", () => {
    const own = weights.map(({ name, shape }) => {
      const parameter = state(name, shape);
      return { parameter, value: parameter.read(), sum: state(sumName(name), shape).read() };
    });
    optimise(
      "actor",
      own,
      own.map(({ sum }) => sum),
    );
  });
