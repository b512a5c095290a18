/** Data sets built into rlkit, which manifests can name without a file. */
import { CARTPOLE_RULE } from "../../specs/sections.ts";
import type { Dataset } from "../Dataset.ts";
import { cartPoleRule } from "./cartPoleRule.ts";

const made: Readonly<Record<string, () => Dataset>> = { [CARTPOLE_RULE]: cartPoleRule };

/** Creates the built-in data set of this name; `null` for other paths. */
export const builtInDataset = (path: string): Dataset | null => made[path]?.() ?? null;
