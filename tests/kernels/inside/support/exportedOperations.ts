import type { Program } from "../../../../src/kernels/index.ts";
import { ONNX_FORMS } from "../../../../src/kernels/onnx/operations.ts";
import { functionCases } from "../../support/functionCases.ts";
import { type OperationCase, operationCases } from "../../support/operationCases.ts";
import { type OperationProgram, operationProgram, symbolic } from "../../support/operationProgram.ts";

const isExported = ({ region }: Program): boolean =>
  region.nodes.every(
    ({ op, dtype }) =>
      dtype !== "u32" && (op.kind === "effect" || op.name === "read" || Object.hasOwn(ONNX_FORMS, op.name)),
  );

/** The cases whose operations have ONNX forms, with gradients. */
export const exportedOperations = (): { operation: OperationCase; made: OperationProgram }[] =>
  [...operationCases, ...functionCases]
    .map((operation) => ({ operation, made: operationProgram(operation, symbolic, true) }))
    .filter(({ made }) => isExported(made.program));
