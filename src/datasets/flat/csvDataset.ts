/** Flat data sets as CSV: a header with the names of tables, and a row for each step. */
import { parseCsv, plainText, sha256Hex } from "../../storage/files.ts";
import type { BinaryFile } from "../../storage/index.ts";
import type { Column } from "../Column.ts";
import type { OpenOptions } from "../Dataset.ts";
import { DatasetError } from "../DatasetError.ts";
import { FlatDataset } from "./FlatDataset.ts";

/** Largest file, bytes: its rows are held as text while they are read. */
const MOST = 2 ** 27;

/** A header's first bytes: names in plain letters, at least two. */
const HEADER = /^\uFEFF?[\w \t"[\].-]*[A-Za-z][\w \t"[\].-]*,[\w \t"[\].,\r\n-]*$/;

/** Whether a file's first bytes are those of a CSV file. */
export const isCsv = (head: Uint8Array): boolean => HEADER.test(new TextDecoder().decode(head));

/** Tables that a header may name in the singular too. */
const SINGULAR = /^(?:next_)?(?:observation|action|reward|action_mask)$/;
/** A table with a number for each part: `action_0`, `action.0` or `action[0]`. */
const PART = /^(.+?)(?:[_.](\d+)|\[(\d+)\])$/;
const FLAGS: Readonly<Record<string, number>> = { true: 1, false: 0 };

/** The table that a column belongs to, and its place there; null for a table of one number. */
function placeOf(name: string): { readonly table: string; readonly part: number | null } {
  const plain = name.trim().toLowerCase();
  const [, base = plain, plainPart, bracketed] = PART.exec(plain) ?? [];
  const part = plainPart ?? bracketed;
  return { table: SINGULAR.test(base) ? `${base}s` : base, part: part === undefined ? null : Number(part) };
}

/** Columns of the file for each table, in the order of its numbers. */
function tablesOf(header: readonly string[], source: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, { readonly column: number; readonly part: number | null }[]>();
  for (const [column, name] of header.entries()) {
    const { table, part } = placeOf(name);
    found.set(table, [...(found.get(table) ?? []), { column, part }]);
  }
  return new Map(
    [...found].map(([table, columns]) => {
      const ordered = columns.sort((a, b) => (a.part ?? 0) - (b.part ?? 0));
      const isWhole = ordered.every(({ part }, i) => (part === null ? columns.length === 1 : part === i));
      if (!isWhole)
        throw new DatasetError(
          source,
          `line 1: found the columns ${columns.map(({ column }) => header[column]).join(", ")}, allowed one, or ${table}_0, ${table}_1, ... without gaps`,
        );
      return [table, ordered.map(({ column }) => column)] as const;
    }),
  );
}

function numberIn(field: string): number | null {
  const text = field.trim().toLowerCase();
  const flag = FLAGS[text];
  if (flag !== undefined) return flag;
  if (text === "nan") return Number.NaN;
  const value = Number(text);
  return text === "" || Number.isNaN(value) ? null : value;
}

/** @throws DatasetError naming the line and column of a value that is not a number. */
function columnsIn(text: string, source: string): ReadonlyMap<string, Column> {
  let records: ReturnType<typeof parseCsv>;
  try {
    records = parseCsv(plainText(text, source), source);
  } catch (error) {
    throw new DatasetError(source, error instanceof Error ? error.message : String(error));
  }
  const [header, ...rows] = records;
  const names = header?.fields ?? [];
  const short = rows.find(({ fields }) => fields.length !== names.length);
  if (short)
    throw new DatasetError(
      source,
      `line ${short.line}: found ${short.fields.length} fields, allowed ${names.length}, as in the header`,
    );
  return new Map(
    [...tablesOf(names, source)].map(([table, columns]) => {
      const width = columns.length;
      const values = new Float64Array(rows.length * width);
      for (const [row, { fields, line }] of rows.entries())
        for (const [i, column] of columns.entries()) {
          const field = fields[column] ?? "";
          const value = numberIn(field);
          if (value === null)
            throw new DatasetError(
              source,
              `line ${line}, column "${names[column]}": found ${JSON.stringify(field)}, allowed a number, true or false`,
            );
          values[row * width + i] = value;
        }
      const isNumber = width === 1 && !PART.test((names[columns[0] ?? 0] ?? "").trim());
      return [
        table,
        {
          place: table,
          untyped: true,
          shape: isNumber ? [rows.length] : [rows.length, width],
          read: (from, to) => values.subarray(from * width, to * width),
        } satisfies Column,
      ] as const;
    }),
  );
}

/**
 * @param bytes All bytes of the file, fewer than 128 MiB.
 * @throws DatasetError for a larger file, a header without the tables of a data set, and rows that do not fit it.
 */
export async function csvDataset(
  bytes: Uint8Array | BinaryFile,
  { source = "data set", sha256, metadata = null }: OpenOptions,
): Promise<FlatDataset> {
  const size = bytes instanceof Uint8Array ? bytes.byteLength : bytes.size;
  if (size > MOST)
    throw new DatasetError(source, `found ${size} bytes of CSV, allowed ${MOST}; write an HDF5 file`);
  if (metadata !== null)
    throw new DatasetError(source, "found metadata.json beside a CSV file, allowed beside HDF5 files");
  const all = bytes instanceof Uint8Array ? bytes : new Uint8Array(await bytes.arrayBuffer());
  const columns = columnsIn(new TextDecoder().decode(all), source);
  return FlatDataset.ofColumns(columns, { source, sha256: sha256 ?? (await sha256Hex(all)) });
}
