/** The kinds of modules, and the definition behind a module's data. */
import { dueling } from "./dueling.ts";
import type { DuelingData } from "./duelingData.ts";
import { mlp } from "./mlp.ts";
import type { MlpData } from "./mlpData.ts";
import type { ModuleDefinition } from "./moduleDefinition.ts";

/** Any evolvable module as plain data; `kind` tells them apart. */
export type ModuleData = MlpData | DuelingData;

const definitions: { [K in ModuleData["kind"]]: ModuleDefinition<Extract<ModuleData, { kind: K }>> } = {
  mlp,
  dueling,
};

/** The functions over this module's data. */
export const definitionOf = (data: ModuleData): ModuleDefinition<ModuleData> =>
  // The kind picks the definition of exactly this data; TypeScript cannot follow that through the union.
  definitions[data.kind] as unknown as ModuleDefinition<ModuleData>;
