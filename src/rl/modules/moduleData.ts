/** The kinds of modules, and the definition behind a module's data. */
import { cnn } from "./cnn.ts";
import { cnnLstm } from "./cnnLstm.ts";
import { dueling } from "./dueling.ts";
import { lstm } from "./lstm.ts";
import { mlp } from "./mlp.ts";
import type { AnyModuleData, ModuleDefinition } from "./moduleDefinition.ts";
import { multiInput } from "./multiInput.ts";
import { resnet } from "./resnet.ts";
import { simba } from "./simba.ts";

/** Those of rlkit; a new kind of network has a line here. */
const MODULES = [mlp, dueling, simba, lstm, cnn, cnnLstm, resnet, multiInput] as const;

type DataOf<Definition> =
  Definition extends ModuleDefinition<infer Data extends AnyModuleData, infer _Settings> ? Data : never;

/** Any evolvable module as plain data; `kind` tells them apart. */
export type ModuleData = DataOf<(typeof MODULES)[number]>;

const erased = (definition: object): ModuleDefinition<ModuleData> =>
  // The kind picks the definition of exactly this data; TypeScript cannot follow that through a map.
  definition as unknown as ModuleDefinition<ModuleData>;

const known = new Map<string, ModuleDefinition<ModuleData>>(MODULES.map((own) => [own.kind, erased(own)]));

/** All that are known, in the order of registration. */
export const listModules = (): ModuleDefinition<ModuleData>[] => [...known.values()];

/** @throws RangeError for an unknown name. */
export function findModule(kind: string): ModuleDefinition<ModuleData> {
  const found = known.get(kind);
  if (found) return found;
  throw new RangeError(`kind of module: found "${kind}", allowed: ${[...known.keys()].join(", ")}`);
}

/** The functions over this module's data. */
export const definitionOf = (data: ModuleData): ModuleDefinition<ModuleData> => findModule(data.kind);

/**
 * Makes a kind of module known, in this thread. Where manifests are to name it, its architecture must be registered
 * under the same name (`registerArchitecture`). Registering it again changes nothing.
 *
 * @throws Error when another one has the name.
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
    throw new Error(`kind of module "${kind}" is registered already; give the new one another name`);
  known.set(kind, erased(definition));
}
