/** What `bench/results/ROW.json` holds: the figures of one row, and each time that it was measured. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const summarySchema = z.strictObject({
  median: z.number(),
  /** Absent where a figure was measured once. */
  min: z.number().optional(),
  max: z.number().optional(),
});

const figureSchema = z.strictObject({
  name: z.string(),
  unit: z.string(),
  target: z
    .union([z.strictObject({ at_most: z.number() }), z.strictObject({ at_least: z.number() })])
    .optional(),
  digits: z.int().nonnegative().optional(),
});

const measurementSchema = z.strictObject({
  date: z.iso.date(),
  /** Short name of the commit, with "+" where files had changed since; null where nobody recorded it. */
  commit: z.string().nullable(),
  machine: z.string(),
  command: z.string(),
  /** What else the reader must know, such as other work on the machine. */
  note: z.string().optional(),
  /** One for each figure, in their order; null where it was not measured. */
  values: z.array(summarySchema.nullable()),
});

export const resultFileSchema = z
  .strictObject({
    title: z.string(),
    figures: z.array(figureSchema).min(1),
    /** From the oldest to the newest. */
    history: z.array(measurementSchema).min(1),
  })
  .refine(({ figures, history }) => history.every(({ values }) => values.length === figures.length), {
    error: "each measurement must have one value (or null) for each figure",
  });

export type ResultFile = z.infer<typeof resultFileSchema>;
export type Measurement = z.infer<typeof measurementSchema>;
export type ResultFigure = z.infer<typeof figureSchema>;

/** Folder of the results. */
export const RESULTS = path.resolve(import.meta.dirname, "../results");

export const resultPath = (row: string): string => path.join(RESULTS, `${row}.json`);

/** @throws Error naming the file if it is not a result file. */
export function readResult(row: string): ResultFile {
  const parsed = resultFileSchema.safeParse(JSON.parse(readFileSync(resultPath(row), "utf8")));
  if (parsed.success) return parsed.data;
  throw new Error(`bench/results/${row}.json: ${z.prettifyError(parsed.error)}`);
}

/** Names of all rows that have been measured. */
export const measuredRows = (): string[] =>
  readdirSync(RESULTS)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .sort();

/** The newest measurement of a figure. @returns null if it was never measured. */
export function latest(file: ResultFile, figure: number): (Measurement & { readonly at: number }) | null {
  const at = file.history.findLastIndex(({ values }) => values[figure] !== null);
  const found = file.history[at];
  return found === undefined ? null : { ...found, at };
}
