/** The architectures of encoders, by name. */
import { alternatives } from "../explainName.ts";
import { cnnLstmArchitecture } from "./CnnLstmSpec.ts";
import { cnnArchitecture } from "./CnnSpec.ts";
import type { ArchitectureDefinition, InferredArchitecture } from "./defineArchitecture.ts";
import { lstmArchitecture } from "./LstmSpec.ts";
import { mlpArchitecture } from "./MlpSpec.ts";
import { multiInputArchitecture } from "./MultiInputSpec.ts";
import { resnetArchitecture } from "./ResnetSpec.ts";
import { simbaArchitecture } from "./SimbaSpec.ts";
import { LATENT_BOUNDS, mutatedSizes } from "./sizeBounds.ts";

/** Listed one by one: otherwise, every consumer's compiler would process each architecture a second time. */
type Architectures = readonly [
  typeof mlpArchitecture,
  typeof cnnArchitecture,
  typeof cnnLstmArchitecture,
  typeof lstmArchitecture,
  typeof simbaArchitecture,
  typeof multiInputArchitecture,
  typeof resnetArchitecture,
];

/** rlkit's own architectures; a new kind of network needs a line here and one above. */
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

/** All known architectures, in the order of registration. */
export const listArchitectures = (): ArchitectureDefinition[] => [...known.values()];

/** @throws RangeError for an unknown name. */
export function findArchitecture(arch: string): ArchitectureDefinition {
  const found = known.get(arch);
  if (found) return found;
  const others = alternatives("architecture", arch, { names: [...known.keys()] });
  throw new RangeError(`arch: unknown architecture "${arch}"${others}`);
}

/** @returns False if the architecture is already known.
 * @throws Error when another architecture has the name. */
export function addArchitecture(definition: ArchitectureDefinition): boolean {
  const { arch } = definition;
  const found = known.get(arch);
  if (found && found !== definition)
    throw new Error(`architecture "${arch}" is already registered; choose another name`);
  known.set(arch, definition);
  return found === undefined;
}

/** An architecture that can be inferred if a section names none. */
export type Inferable = ArchitectureDefinition & { readonly inferred: InferredArchitecture };

/** rlkit's inferred architectures. Others are never inferred: that would change what manifests mean. */
export const INFERABLE: readonly Inferable[] = ARCHITECTURES.filter(
  (own): own is Extract<OwnArchitecture, Inferable> => "inferred" in own,
);
