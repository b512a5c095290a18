/** The kinds of modules. To add one, create a file next to simba.ts and add it to both lists and to their types. */
import { cnn, cnnArchitecture } from "./cnn.ts";
import { cnnLstm, cnnLstmArchitecture } from "./cnnLstm.ts";
import { dueling } from "./dueling.ts";
import { lstm, lstmArchitecture } from "./lstm.ts";
import { mlp, mlpArchitecture } from "./mlp.ts";
import { multiInput, multiInputArchitecture } from "./multiInput.ts";
import { resnet, resnetArchitecture } from "./resnet.ts";
import { simba, simbaArchitecture } from "./simba.ts";

export * from "./cnn.ts";
export * from "./cnnLstm.ts";
export * from "./convolutions.ts";
export * from "./defineArchitecture.ts";
export * from "./dueling.ts";
export * from "./lstm.ts";
export * from "./mlp.ts";
export * from "./multiInput.ts";
export * from "./resnet.ts";
export * from "./simba.ts";

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

/** What manifests know of rlkit's own encoders, in the order of lists and messages. */
export const ARCHITECTURES: Architectures = [
  mlpArchitecture,
  cnnArchitecture,
  cnnLstmArchitecture,
  lstmArchitecture,
  simbaArchitecture,
  multiInputArchitecture,
  resnetArchitecture,
];

type Modules = readonly [
  typeof mlp,
  typeof dueling,
  typeof simba,
  typeof lstm,
  typeof cnn,
  typeof cnnLstm,
  typeof resnet,
  typeof multiInput,
];

/** What rlkit's own modules compute. */
export const MODULES: Modules = [mlp, dueling, simba, lstm, cnn, cnnLstm, resnet, multiInput];
