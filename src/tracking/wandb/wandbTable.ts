/** Tables as files of a Weights & Biases run. */
import { sha256Hex } from "../../storage/index.ts";

/** A table, ready to upload. */
export interface WandbTable {
  readonly key: string;
  readonly ncols: number;
  readonly nrows: number;
  /** Content of the file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** @throws TypeError for a cell that JSON cannot represent. */
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

/** The file's path in the run, and its entry in the history. @param step Step of the history line. */
export async function tableFile({ key, ncols, nrows, bytes }: WandbTable, step: number) {
  const sha256 = await sha256Hex(bytes);
  const path = `media/table/${key}_${step}_${sha256.slice(0, 20)}.table.json`;
  const entry = { _type: "table-file", path, sha256, size: bytes.length, ncols, nrows };
  return { path, entry: `${JSON.stringify(key)}: ${JSON.stringify(entry)}` };
}
