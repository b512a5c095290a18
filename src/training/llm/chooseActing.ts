/** What generates the completions of a run on wasm: ONNX Runtime or rlkit's kernels. */
import { machineMemory, megabytes } from "../../kernels/machineMemory.ts";
import { type ActingSpeed, copiesTogether, measureActing, policyShapeOf } from "../../llm/members.ts";
import { weightsOf } from "../../llm/models.ts";
import { parseManifestObject, type TrainingManifest } from "../../manifests/index.ts";
import { defaultStore, reasonOf } from "../../storage/files.ts";
import type { FileStore } from "../../storage/index.ts";
import { agentPlanOf } from "./agentPlanOf.ts";
import { ACTING_NAMES, type ActingChoice } from "./LlmWasmExecutor.ts";
import { modelFoldersOf } from "./modelFolders.ts";

/** Kernels act if ONNX Runtime takes longer by more than this factor. */
const WORTH_LEAVING = 1.25;

/** Rows that are measured at most. */
const MOST_ROWS = 8;

/**
 * Copies of the weights in ONNX Runtime's memory: it packs each, and memory of WebAssembly is never given back. 1.72 were
 * measured at 135M weights.
 */
const COPIES = 1.75;
const MOST_LINEAR = 2 ** 32;

/**
 * ONNX Runtime's code, and what compiling it leaves in the process: 225 MB were measured in Node 20, beside its linear
 * memory.
 */
const RUNTIME_BYTES = 225e6;

const inMilliseconds = (time: number): string => `${time.toPrecision(2)} ms`;

function compared(
  { layers, weights: measured_weights, milliseconds: { onnxruntime, kernels } }: ActingSpeed,
  rows: number,
): ActingChoice {
  const acts = onnxruntime > WORTH_LEAVING * kernels ? "kernels" : "onnxruntime";
  const other = acts === "kernels" ? "onnxruntime" : "kernels";
  const times = { onnxruntime, kernels };
  const what = `a token of ${rows === 1 ? "one row" : `${rows} rows`} in ${layers === 1 ? "one layer" : `${layers} layers`}`;
  return {
    acts,
    reason: `${what} takes ${inMilliseconds(times[acts])} here, and ${inMilliseconds(times[other])} with ${ACTING_NAMES[other]}`,
    measured_weights,
  };
}

/**
 * Bytes that ONNX Runtime takes: in each thread if it acts, else once in the process if it was measured. Its memory is never
 * given back.
 * @param weights Number of the model's weights.
 */
export function actingBytes({ acts, measured_weights }: ActingChoice, weights: number): number {
  const held = acts === "onnxruntime" ? weights : measured_weights;
  return held === undefined ? 0 : RUNTIME_BYTES + COPIES * 4 * held;
}

/** A refusal if another copy of so many weights in each thread does not fit; else null. */
function memoryProblem(weights: number, threads: number): string | null {
  const [copy, { bytes, known }] = [4 * weights, machineMemory()];
  const needed = COPIES * copy;
  if (needed > MOST_LINEAR)
    return `ONNX Runtime needs ${megabytes(needed)} for a copy of the model, and has at most ${megabytes(MOST_LINEAR)}`;
  if (known && threads * needed + copy > bytes)
    return `ONNX Runtime needs ${megabytes(needed)} for a copy of the model in each of up to ${threads} threads, and this machine has ${megabytes(bytes)}`;
  return null;
}

/**
 * Chooses for a run that has not chosen yet. Reads the model's headers, and with `acting: auto` measures a few tokens.
 * @param measure Measures both.
 * @throws any error from reading the model; Error if the manifest asks for ONNX Runtime, and it cannot be loaded.
 */
export async function chooseActing(
  manifest: unknown,
  {
    measure = measureActing,
    store,
  }: { readonly measure?: typeof measureActing; readonly store?: FileStore } = {},
): Promise<ActingChoice> {
  const parsed: TrainingManifest = parseManifestObject(manifest);
  const asked = "acting" in parsed.algorithm ? parsed.algorithm.acting : null;
  if (asked === "onnxruntime" || asked === "kernels") return { acts: asked, reason: "the manifest says so" };
  const usual: ActingChoice = { acts: "kernels", reason: null };
  if (asked !== "auto") return usual;
  const plan = await agentPlanOf(parsed, modelFoldersOf(store ?? (await defaultStore())));
  const { parts, algorithm, spec } = plan;
  const { tuning } = policyShapeOf(plan);
  // Weights that are trained whole would be copied to ONNX Runtime before each rollout.
  if (tuning.kind === "whole" || parts.built_in || algorithm.kind === "dataset") return usual;
  const { weight_storage } = plan;
  if (weight_storage !== "f32")
    return {
      acts: "kernels",
      reason: `only they read weights in ${weight_storage} (network.weight_storage)`,
    };
  if ("perturbations" in spec && copiesTogether(spec) > 1)
    return { acts: "kernels", reason: "only they answer for several perturbed copies at once" };
  const weights = weightsOf(parts.config).reduce(
    (all, { shape }) => all + shape.reduce((a, b) => a * b, 1),
    0,
  );
  const problem = memoryProblem(weights, parsed.training.pop_size);
  if (problem !== null) return { acts: "kernels", reason: problem };
  const rows = Math.min(
    MOST_ROWS,
    spec.batch_size * (algorithm.kind === "rollout" ? algorithm.groupSize(spec as never) : 1),
  );
  try {
    return compared(await measure(parts.config, tuning, rows), rows);
  } catch (error) {
    return { acts: "kernels", reason: `ONNX Runtime cannot act here (${reasonOf(error)})` };
  }
}
