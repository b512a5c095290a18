/** The reference evaluator, which tests of other rooms reach through `runOnReference` (tests/kernels/support/run.ts). */
export { evaluate } from "../../../../src/kernels/reference/evaluate.ts";
