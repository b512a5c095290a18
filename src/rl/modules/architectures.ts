/** The architectures of encoders, by name. */
import { z } from "zod";
import { field } from "../../specs/checks.ts";
import { alternatives } from "../../specs/messages.ts";
import { ARCHITECTURES } from "./all.ts";
import { type ArchitectureDefinition, type InferredArchitecture } from "./defineArchitecture.ts";
import { LATENT_BOUNDS, mutatedSizes } from "./settings.ts";

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

type Switched = Extract<OwnArchitecture, { readonly inferred: { readonly switch: object } }>;
/** Name of a network section's switch: that of the architecture that it selects. */
export type Switch = Switched["arch"];
type Switches<T> = { [S in Switch]: T };

/** rlkit's inferred architectures. Others are never inferred: that would change what manifests mean. */
export const INFERABLE: readonly Inferable[] = ARCHITECTURES.filter(
  (own): own is Extract<OwnArchitecture, Inferable> => "inferred" in own,
);

const SWITCHED = ARCHITECTURES.filter(
  (own): own is Switched => "inferred" in own && "switch" in own.inferred,
);

const perSwitch = <T>(make: (architecture: Switched) => T): Switches<T> =>
  // One entry for each architecture that has a switch.
  Object.fromEntries(SWITCHED.map((own) => [own.arch, make(own)])) as Switches<T>;

/** The switches as fields of a section. */
export const switchFields = (section: "deferred" | "declared"): Switches<z.ZodDefault<z.ZodBoolean>> =>
  perSwitch(({ inferred }) =>
    field(z.boolean().default(false), inferred.switch[section], { advanced: true }),
  );

/** The switches of a network whose encoder has this architecture; null for none of them. */
export const switchesOf = (arch: string | null): Switches<boolean> => perSwitch((own) => own.arch === arch);

/** The first switch that is on in a section; null if none is. */
export const switchedOn = (section: object): Switch | null =>
  SWITCHED.find(({ arch }) => (section as Partial<Record<string, unknown>>)[arch] === true)?.arch ?? null;
