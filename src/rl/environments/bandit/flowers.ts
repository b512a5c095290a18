/** A synthetic table for bandits: three species of flowers with four measurements. */
import { Random } from "../../../evolution/random.ts";

/** The data of a {@link BanditEnvironment}: plain data that can be sent between threads. */
export interface BanditTable {
  /** [rows][numbers]. */
  readonly features: readonly (readonly number[])[];
  /** The class of each row: integers or text. */
  readonly targets: readonly (number | string)[];
}

/** One per species; two of them are close together, as in Fisher's iris data. */
const CENTRES = [
  [-1.0, 0.9, -1.3, -1.25],
  [0.1, -0.7, 0.3, 0.15],
  [0.9, -0.1, 1.1, 1.2],
];
const SPREAD = 0.3;
const ROWS = 50;
const SEED = 7;

/** 50 rows per species around its centre; always the same table. */
export function flowers(): BanditTable {
  const random = new Random({ seed: SEED });
  const features: number[][] = [];
  const targets: number[] = [];
  for (const [target, centre] of CENTRES.entries())
    for (let row = 0; row < ROWS; row++) {
      features.push(centre.map((x) => x + SPREAD * random.normal()));
      targets.push(target);
    }
  return { features, targets };
}
