/** The kinds of modules, and the definition behind a module's data. */
import { cnn } from "./cnn.ts";
import type { CnnData } from "./cnnData.ts";
import { cnnLstm } from "./cnnLstm.ts";
import type { CnnLstmData } from "./cnnLstmData.ts";
import { dueling } from "./dueling.ts";
import type { DuelingData } from "./duelingData.ts";
import { lstm } from "./lstm.ts";
import type { LstmData } from "./lstmData.ts";
import { mlp } from "./mlp.ts";
import type { MlpData } from "./mlpData.ts";
import type { ModuleDefinition } from "./moduleDefinition.ts";
import { multiInput } from "./multiInput.ts";
import type { MultiInputData } from "./multiInputData.ts";
import { resnet } from "./resnet.ts";
import type { ResnetData } from "./resnetData.ts";
import { simba } from "./simba.ts";
import type { SimbaData } from "./simbaData.ts";

/** Any evolvable module as plain data; `kind` tells them apart. */
export type ModuleData =
  | MlpData
  | DuelingData
  | SimbaData
  | LstmData
  | CnnData
  | CnnLstmData
  | ResnetData
  | MultiInputData;

const definitions: { [K in ModuleData["kind"]]: ModuleDefinition<Extract<ModuleData, { kind: K }>> } = {
  mlp,
  dueling,
  simba,
  lstm,
  cnn,
  cnn_lstm: cnnLstm,
  resnet,
  multiinput: multiInput,
};

/** The functions over this module's data. */
export const definitionOf = (data: ModuleData): ModuleDefinition<ModuleData> =>
  // The kind picks the definition of exactly this data; TypeScript cannot follow that through the union.
  definitions[data.kind] as unknown as ModuleDefinition<ModuleData>;
