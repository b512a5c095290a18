import type { CnnLstmSettings } from "../../specs/networks/CnnLstmSpec.ts";
import { convolutionsData } from "./cnnData.ts";
import { type Convolutions, flattenedSize, imageNumbers } from "./convolutions.ts";
import { type LstmData, lstmData } from "./lstmData.ts";

/** Convolutions over an image whose flattened result goes through recurrent layers, as plain data. */
export interface CnnLstmData {
  readonly kind: "cnn_lstm";
  /** Numbers of the image. */
  readonly inputs: number;
  readonly outputs: number;
  readonly cnn: Convolutions;
  readonly lstm: LstmData;
}

/** An encoder from its settings. */
export function cnnLstmData(
  input_shape: Convolutions["input_shape"],
  outputs: number,
  settings: CnnLstmSettings,
): CnnLstmData {
  const cnn = convolutionsData(input_shape, settings);
  const output_activation = settings.output_activation ?? settings.activation;
  return {
    kind: "cnn_lstm",
    inputs: imageNumbers(input_shape),
    outputs,
    cnn,
    lstm: lstmData(flattenedSize(cnn), outputs, settings, output_activation),
  };
}
