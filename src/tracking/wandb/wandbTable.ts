/** Tables as files of a run of Weights & Biases. */
import { sha256Hex } from "../../storage/index.ts";

/** A table as it was told. */
export interface WandbTable {
  readonly key: string;
  readonly ncols: number;
  readonly nrows: number;
  /** The file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** @throws TypeError for a cell that JSON cannot have. */
export const wandbTable = (
  key: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): WandbTable => ({
  key,
  ncols: columns.length,
  nrows: rows.length,
  bytes: new TextEncoder().encode(JSON.stringify({ columns, data: rows })),
});

/** The file's path in the run, and the entry of the history that shows it. @param step Of the history's line. */
export async function tableFile({ key, ncols, nrows, bytes }: WandbTable, step: number) {
  const sha256 = await sha256Hex(bytes);
  const path = `media/table/${key}_${step}_${sha256.slice(0, 20)}.table.json`;
  const entry = { _type: "table-file", path, sha256, size: bytes.length, ncols, nrows };
  return { path, entry: `${JSON.stringify(key)}: ${JSON.stringify(entry)}` };
}
