/** The architectures of encoders, by name. */
import { cnnLstmArchitecture } from "./CnnLstmSpec.ts";
import { cnnArchitecture } from "./CnnSpec.ts";
import type { ArchitectureDefinition, InferredArchitecture } from "./defineArchitecture.ts";
import { lstmArchitecture } from "./LstmSpec.ts";
import { mlpArchitecture } from "./MlpSpec.ts";
import { multiInputArchitecture } from "./MultiInputSpec.ts";
import { resnetArchitecture } from "./ResnetSpec.ts";
import { simbaArchitecture } from "./SimbaSpec.ts";
import { LATENT_BOUNDS, mutatedSizes } from "./sizeBounds.ts";

/** Named one by one: without it, every consumer's compiler would read each architecture a second time. */
type Architectures = readonly [
  typeof mlpArchitecture,
  typeof cnnArchitecture,
  typeof cnnLstmArchitecture,
  typeof lstmArchitecture,
  typeof simbaArchitecture,
  typeof multiInputArchitecture,
  typeof resnetArchitecture,
];

/** Those of rlkit; a new kind of network has a line here, and one above. */
export const ARCHITECTURES: Architectures = [
  mlpArchitecture,
  cnnArchitecture,
  cnnLstmArchitecture,
  lstmArchitecture,
  simbaArchitecture,
  multiInputArchitecture,
  resnetArchitecture,
];

/** Any of rlkit's architectures. */
export type OwnArchitecture = (typeof ARCHITECTURES)[number];

const known = new Map<string, ArchitectureDefinition>(ARCHITECTURES.map((own) => [own.arch, own]));

/** Keys of all settings that mutations change. */
export const mutatedSettings = (): ReadonlySet<string> =>
  new Set([
    "activation",
    LATENT_BOUNDS.size,
    ...listArchitectures().flatMap(({ rules }) => mutatedSizes(rules)),
  ]);

/** All that are known, in the order of registration. */
export const listArchitectures = (): ArchitectureDefinition[] => [...known.values()];

/** @throws RangeError for an unknown name. */
export function findArchitecture(arch: string): ArchitectureDefinition {
  const found = known.get(arch);
  if (found) return found;
  throw new RangeError(`arch: found "${arch}", allowed: ${[...known.keys()].join(", ")}`);
}

/** @returns False for one that is known already.
 * @throws Error when another one has the name. */
export function addArchitecture(definition: ArchitectureDefinition): boolean {
  const { arch } = definition;
  const found = known.get(arch);
  if (found && found !== definition)
    throw new Error(`architecture "${arch}" is registered already; give the new one another name`);
  known.set(arch, definition);
  return found === undefined;
}

/** An architecture that is inferred where a section names none. */
export type Inferable = ArchitectureDefinition & { readonly inferred: InferredArchitecture };

/** Those of rlkit's that are inferred. What callers register never is: it would change what a manifest means. */
export const INFERABLE: readonly Inferable[] = ARCHITECTURES.filter(
  (own): own is Extract<OwnArchitecture, Inferable> => "inferred" in own,
);
