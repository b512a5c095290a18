/** Built-in data sets by id. */
import type { SplitRows } from "../split.ts";
import { backwards } from "./backwards.ts";
import { polite } from "./polite.ts";

const makers = new Map<string, () => SplitRows>([
  ["rlkit/backwards", backwards],
  ["rlkit/polite", polite],
]);

/** Ids of the built-in data sets. */
export const listDatasets = (): string[] => [...makers.keys()];

/** The rows of a built-in data set; `undefined` for other names. */
export const builtInDataset = (id: string): SplitRows | undefined => makers.get(id)?.();
