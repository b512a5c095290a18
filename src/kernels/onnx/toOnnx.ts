/** The ONNX target: a program with its parameters as a model that other runtimes read. */
import type { Program } from "../program.ts";
import { exportProgram, type OnnxOptions } from "./exportProgram.ts";
import { encodeModel } from "./model.ts";

export type { OnnxOptions };

/**
 * An ONNX model of a program. States that it only reads become inputs or constants, those that it writes outputs, under
 * their own names; where the model also needs what a written state held before, that is the input `S` and its new value
 * the output `S.next`. What no output needs is left out.
 * @throws TypeError for operations that ONNX models cannot have here (loops, random numbers, u32); RangeError for a
 *   symbol that is not bound.
 */
export function toOnnx(program: Program, options: OnnxOptions): Uint8Array<ArrayBuffer> {
  return encodeModel(exportProgram(program, options).model);
}
