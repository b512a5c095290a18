/** The kinds of modules, and the lookup of a module's definition from its data. */
import { MODULES } from "./all.ts";
import type { AnyModuleData, ModuleDefinition } from "./moduleDefinition.ts";

type DataOf<Definition> =
  Definition extends ModuleDefinition<infer Data extends AnyModuleData, infer _Settings> ? Data : never;

/** Any evolvable module as plain data; `kind` is the discriminant. */
export type ModuleData = DataOf<(typeof MODULES)[number]>;

const erased = (definition: object): ModuleDefinition<ModuleData> =>
  // Definitions are looked up by `kind`, so definition and data always match; TypeScript cannot infer that
  // from a map.
  definition as unknown as ModuleDefinition<ModuleData>;

const known = new Map<string, ModuleDefinition<ModuleData>>(MODULES.map((own) => [own.kind, erased(own)]));

/** All registered definitions, in the order of registration. */
export const listModules = (): ModuleDefinition<ModuleData>[] => [...known.values()];

/** @throws RangeError when no module of this kind is registered. */
export function findModule(kind: string): ModuleDefinition<ModuleData> {
  const found = known.get(kind);
  if (found) return found;
  throw new RangeError(`kind of module: found "${kind}", allowed: ${[...known.keys()].join(", ")}`);
}

/** The definition of a module's kind. */
export const definitionOf = (data: ModuleData): ModuleDefinition<ModuleData> => findModule(data.kind);

/**
 * Registers a kind of module in this thread. For manifests to name it, register its architecture under the
 * same name (`registerArchitecture`). Registering the same definition again has no effect.
 *
 * @throws Error when another definition already has the name.
 *
 * @example
 * ```ts
 * declare const mine: Parameters<typeof registerModule>[0]; // what docs/extending/network.md makes
 * registerModule(mine);
 * ```
 */
export function registerModule<Data extends AnyModuleData, Settings>(
  definition: ModuleDefinition<Data, Settings>,
): void {
  const { kind } = definition;
  const found = known.get(kind);
  if (found && found !== erased(definition))
    throw new Error(`kind of module "${kind}" is already registered; choose another name`);
  known.set(kind, erased(definition));
}
