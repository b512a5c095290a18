import { SpecError } from "../SpecError.ts";
import type { DeferredArchitecture } from "./DeferredEncoderSpec.ts";
import type { Architecture } from "./EncoderSpec.ts";

/** What an encoder reads: numbers in a row (also one-hot), an image (height, width, channels), or several parts. */
export type ObservationKind = "vector" | "image" | "mixed";

const refuse = (path: readonly string[], message: string): SpecError =>
  new SpecError([{ code: "rule", path: path.join("."), segments: [...path], message }], "manifest");

const recurrentMixed = (): SpecError =>
  refuse(
    ["algorithm", "recurrent"],
    "found true; a recurrent policy reads one vector or image, and this environment's observations have several parts; set it to false",
  );

/** What is said of a recurrent policy with a SimBa encoder. */
export const RECURRENT_SIMBA = "found true; a recurrent policy has an lstm encoder; set it to false";

/**
 * The encoder of a section that names none: by observation first (mixed: multiinput; image: cnn, or cnn_lstm
 * with memory), then simba, then lstm with memory, else mlp.
 *
 * @throws {@link SpecError} for a recurrent policy with SimBa, or over mixed observations.
 */
export function inferArchitecture(
  observation: ObservationKind,
  { recurrent, simba }: { readonly recurrent: boolean; readonly simba: boolean },
): DeferredArchitecture {
  if (recurrent && simba) throw refuse(["network", "simba"], RECURRENT_SIMBA);
  if (observation === "mixed") {
    if (recurrent) throw recurrentMixed();
    return "multiinput";
  }
  if (observation === "image") return recurrent ? "cnn_lstm" : "cnn";
  return simba ? "simba" : recurrent ? "lstm" : "mlp";
}

const IMAGE_ONLY: readonly Architecture[] = ["cnn", "cnn_lstm", "resnet"];
const RECURRENT: readonly Architecture[] = ["lstm", "cnn_lstm"];

/** What is wrong when a declared architecture and the policy disagree about memory; null when they agree. */
export function memoryProblem(arch: Architecture, recurrent: boolean): string | null {
  if (recurrent === RECURRENT.includes(arch)) return null;
  return recurrent
    ? `found "${arch}"; a recurrent policy has memory; allowed: ${RECURRENT.join(", ")}`
    : `found "${arch}"; only a recurrent policy has memory; set algorithm.recurrent to true (PPO), or choose another arch`;
}

/** What is wrong when a declared architecture cannot read an observation; null when it can. */
function observationProblem(arch: Architecture, observation: ObservationKind): string | null {
  const found = `found "${arch}"; this environment's observations are`;
  if (observation === "mixed")
    return arch === "multiinput" ? null : `${found} of several parts; allowed: multiinput`;
  if (arch === "multiinput") return `${found} one ${observation}, not several parts`;
  // Encoders of vectors read images too, flattened.
  return observation === "vector" && IMAGE_ONLY.includes(arch)
    ? `${found} vectors, not images; allowed: mlp, simba, or lstm for a recurrent policy`
    : null;
}

/**
 * Checks an architecture that a section declares.
 *
 * @throws {@link SpecError} when it cannot read the observation, or memory and policy disagree.
 */
export function requireFit(arch: Architecture, observation: ObservationKind, recurrent: boolean): void {
  if (recurrent && observation === "mixed") throw recurrentMixed();
  const problem = observationProblem(arch, observation) ?? memoryProblem(arch, recurrent);
  if (problem !== null) throw refuse(["network", "encoder_config", "arch"], problem);
}
