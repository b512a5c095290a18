/** The kinds of modules, and the definition behind a module's data. */
import { mlp } from "./mlp.ts";
import type { MlpData } from "./mlpData.ts";
import type { ModuleDefinition } from "./moduleDefinition.ts";

/** Any evolvable module as plain data; `kind` tells them apart. */
export type ModuleData = MlpData;

const definitions: { [K in ModuleData["kind"]]: ModuleDefinition<Extract<ModuleData, { kind: K }>> } = {
  mlp,
};

/** The functions over this module's data. */
export const definitionOf = (data: ModuleData): ModuleDefinition<ModuleData> => definitions[data.kind];
