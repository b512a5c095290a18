/** Rows of Parquet files. The library that reads them is loaded with the first one. */
import type { FileMetaData, SchemaTree } from "hyparquet";
import { reasonOf } from "../../storage/files.ts";
import type { BinaryFile } from "../../storage/index.ts";
import type { Row } from "./rows.ts";

/** What a Parquet file begins and ends with. */
const MAGIC = "PAR1";
/** The magic at both ends, and the length of the description. */
const LEAST = 12;

const textAt = async (file: BinaryFile, start: number): Promise<string> =>
  new TextDecoder("latin1").decode(await file.slice(start, start + MAGIC.length).arrayBuffer());

/**
 * A cell as JSON would have it: numbers instead of large integers, texts instead of dates. Structs of a column have every key
 * of any of them; those without a value are left out.
 */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (value instanceof Date) return value.toISOString();
  // Of the views, the library makes typed arrays only.
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number | bigint>, plain);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, cell]) => ((cell ?? null) === null ? [] : [[key, plain(cell)]])),
    );
  return value;
}

const COMPRESSIONS = ["UNCOMPRESSED", "SNAPPY", "ZSTD", "GZIP"];

/** @throws Error for a compression that is not supported. */
function checkCompression(metadata: FileMetaData, name: string): void {
  const found = metadata.row_groups
    .flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec))
    .find((codec) => codec !== undefined && !COMPRESSIONS.includes(codec));
  if (found === undefined) return;
  throw new Error(
    `${name}: is compressed with ${found}, allowed ${COMPRESSIONS.join(", ")}; write it again, in Python with ` +
      'pandas.read_parquet(FILE).to_parquet(FILE, compression="zstd")',
  );
}

const hasKey = ({ element, children }: SchemaTree, key: string): boolean =>
  element.name === key || children.some((child) => hasKey(child, key));

/**
 * Reads all rows, in parts of the file. Lists of structs become lists of objects.
 * @param name Names the file in errors.
 * @throws Error for a file that is not Parquet, is encrypted, cut or damaged, uses a compression other than Snappy,
 *   Zstandard or gzip, or has a struct with the key "__proto__".
 */
export async function readParquet(file: BinaryFile, name: string): Promise<Row[]> {
  const whole = file.size >= LEAST;
  const [start, end] = whole
    ? [await textAt(file, 0), await textAt(file, file.size - MAGIC.length)]
    : ["", ""];
  if (end === "PARE" || start === "PARE")
    throw new Error(`${name}: is encrypted, allowed plain Parquet files`);
  if (start !== MAGIC)
    throw new Error(`${name}: is not a Parquet file; give the file itself, not a page about it`);
  if (end !== MAGIC) throw new Error(`${name}: is a Parquet file that has been cut; use a complete copy`);
  const [{ parquetMetadataAsync, parquetRead, parquetSchema }, { decompress }, { gunzipSync }] =
    await Promise.all([import("hyparquet"), import("fzstd"), import("fflate")]);
  // Those that data sets of the hub have, with the library's own Snappy.
  const compressors = {
    ZSTD: (bytes: Uint8Array, size: number) => decompress(bytes, new Uint8Array(size)),
    GZIP: (bytes: Uint8Array, size: number) => gunzipSync(bytes, { out: new Uint8Array(size) }),
  };
  const parts = {
    byteLength: file.size,
    slice: (from: number, to?: number) => file.slice(from, to).arrayBuffer(),
  };
  const metadata = await readable(name, () => parquetMetadataAsync(parts));
  checkCompression(metadata, name);
  const { children } = parquetSchema(metadata);
  // The library's own objects would lose the key.
  if (children.some((column) => column.children.some((inner) => hasKey(inner, "__proto__"))))
    throw new Error(`${name}: found the key "__proto__" within a column, allowed other keys; rename it`);
  const columns = children.map(({ element }) => element.name);
  const rows: unknown[][] = [];
  await readable(name, () =>
    parquetRead({
      file: parts,
      compressors,
      metadata,
      columns,
      onComplete: (read) => {
        for (const row of read) rows.push(row);
      },
    }),
  );
  return rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, plain(row[i])])));
}

async function readable<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new Error(`${name}: is not a readable Parquet file (${reasonOf(error)}); use another copy`, {
      cause: error,
    });
  }
}
