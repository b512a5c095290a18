import { SpecError } from "../../specs/checks.ts";
import type { ArchitectureDefinition } from "../modules/all.ts";
import {
  findArchitecture,
  INFERABLE,
  type Inferable,
  listArchitectures,
  switchedOn,
} from "../modules/architectures.ts";
import type { ObservationKind } from "../spaces/Space.ts";

const refuse = (path: readonly string[], message: string): SpecError =>
  new SpecError([{ code: "rule", path: path.join("."), segments: [...path], message }], "manifest");

const recurrentMixed = (): SpecError =>
  refuse(
    ["algorithm", "recurrent"],
    "found true; a recurrent policy reads one vector or image, and this environment's observations have several parts; set it to false",
  );

/** The message for a recurrent policy in a section with a switch. */
export const RECURRENT_SWITCH = "found true; a recurrent policy has an lstm encoder; set it to false";

/**
 * The encoder of a section that names none: selected by observation first (mixed: multiinput; image: cnn, or
 * cnn_lstm with memory), then the section's switch, then lstm with memory, else mlp.
 *
 * @throws {@link SpecError} for a recurrent policy with a switch, or over mixed observations.
 */
export function inferArchitecture(
  observation: ObservationKind,
  { recurrent, section }: { readonly recurrent: boolean; readonly section: object },
): Inferable {
  const on = switchedOn(section);
  if (recurrent && on !== null) throw refuse(["network", on], RECURRENT_SWITCH);
  if (recurrent && observation === "mixed") throw recurrentMixed();
  const fitting = INFERABLE.filter(({ reads, memory }) => reads === observation && memory === recurrent);
  const found =
    fitting.find(({ arch }) => arch === on) ?? fitting.find(({ inferred }) => inferred.switch === undefined);
  if (found) return found;
  throw new TypeError(
    `no architecture reads ${observation} observations ${recurrent ? "with" : "without"} memory`,
  );
}

/** Names of the architectures that meet a condition. */
const namesOf = (fits: (architecture: ArchitectureDefinition) => boolean): string[] =>
  listArchitectures()
    .filter(fits)
    .map(({ arch }) => arch);

/** Names of the architectures with memory; those that read vectors come first. */
const withMemory = (): string[] => [
  ...namesOf(({ memory, reads }) => memory && reads === "vector"),
  ...namesOf(({ memory, reads }) => memory && reads !== "vector"),
];

/** The problem if a declared architecture and the policy disagree about memory; null if they agree. */
export function memoryProblem(arch: string, recurrent: boolean): string | null {
  if (recurrent === findArchitecture(arch).memory) return null;
  return recurrent
    ? `found "${arch}"; a recurrent policy has memory; allowed: ${withMemory().join(", ")}`
    : `found "${arch}"; only a recurrent policy has memory; set algorithm.recurrent to true, or choose another arch`;
}

/** The same for algorithms whose agents have no memory. */
export function noMemoryProblem(algorithm: string, arch: string): string | null {
  if (!findArchitecture(arch).memory) return null;
  const allowed = namesOf(({ memory }) => !memory).join(", ");
  return `found "${arch}"; agents of ${algorithm} have no memory; allowed: ${allowed}`;
}

/** The problem if a declared architecture cannot read an observation; null if it can. */
function observationProblem(arch: string, observation: ObservationKind): string | null {
  const { reads } = findArchitecture(arch);
  const found = `found "${arch}"; this environment's observations are`;
  if (observation === "mixed") {
    const allowed = namesOf((other) => other.reads === "mixed").join(", ");
    return reads === "mixed" ? null : `${found} of several parts; allowed: ${allowed}`;
  }
  if (reads === "mixed") return `${found} one ${observation}, not several parts`;
  // Encoders of vectors read images too, flattened.
  if (reads === "vector" || observation === "image") return null;
  const allowed = namesOf((other) => other.reads === "vector" && !other.memory).join(", ");
  const recurrent = namesOf((other) => other.reads === "vector" && other.memory).join(", ");
  return `${found} vectors, not images; allowed: ${allowed}, or ${recurrent} for a recurrent policy`;
}

/**
 * Checks an architecture that a section declares.
 *
 * @throws {@link SpecError} when it cannot read the observation, or memory and policy disagree.
 */
export function requireFit(arch: string, observation: ObservationKind, recurrent: boolean): void {
  if (recurrent && observation === "mixed") throw recurrentMixed();
  const problem = observationProblem(arch, observation) ?? memoryProblem(arch, recurrent);
  if (problem !== null) throw refuse(["network", "encoder_config", "arch"], problem);
}
