/** Data sets that manifests name and nobody has to have. */
import { CARTPOLE_RULE } from "../../specs/builtInData.ts";
import type { Dataset } from "../Dataset.ts";
import { cartPoleRule } from "./cartPoleRule.ts";

const made: Readonly<Record<string, () => Dataset>> = { [CARTPOLE_RULE]: cartPoleRule };

/** Makes the data set of a name; null for other paths. */
export const builtInDataset = (path: string): Dataset | null => made[path]?.() ?? null;
