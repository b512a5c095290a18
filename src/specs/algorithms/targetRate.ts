import { field, fraction, hpoRangeOf } from "../field.ts";

/** The field `tau`. */
export const targetRate = (value: number) =>
  field(
    fraction().default(value),
    "Fraction of the online network blended into its target network at each update of the target.",
    { step: "log", hpo: hpoRangeOf(1e-4, 0.01) },
  );
