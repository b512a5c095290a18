/** The ONNX target: a program with its parameters as a model for other runtimes. */
import type { Program } from "../program.ts";
import { exportProgram, type OnnxOptions } from "./exportProgram.ts";
import { encodeModel } from "./model.ts";

export type { OnnxOptions };

/**
 * Converts a program to an ONNX model. States that it only reads become inputs or constants, and states that
 * it writes become outputs, under their own names. If the model also needs the previous value of a written
 * state `S`, that is the input `S`, and the new value is the output `S.next`. Parts that no output needs are
 * left out.
 * @throws TypeError for operations without an ONNX form (loops, random numbers, u32); RangeError for a symbol
 *   that is not bound.
 */
export function toOnnx(program: Program, options: OnnxOptions): Uint8Array<ArrayBuffer> {
  return encodeModel(exportProgram(program, options).model);
}
