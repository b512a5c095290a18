import { cast, iota, type Operand, reshape } from "../../../../kernels/index.ts";
import { pick } from "../../dynamics/numbers.ts";

/** One number per body as a column [k, 1] or row [k] that broadcasts; a single number if all are equal. */
export function table(values: readonly number[], as: "column" | "row" = "column"): Operand {
  const [first = 0] = values;
  if (values.every((value) => value === first)) return first;
  const row = pick(cast(iota(values.length), "f32"), values);
  return as === "row" ? row : reshape(row, [values.length, 1]);
}
