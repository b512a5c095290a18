/** Formats of row files, by file extension. */
export const ROW_FORMATS = ["json", "jsonl", "ndjson", "csv"] as const;

export type RowFormat = (typeof ROW_FORMATS)[number];

/** The format of a file. @throws Error for an unsupported format, with an alternative. */
export function rowFormatOf(file: string): RowFormat {
  const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  if (ending === "parquet" || ending === "arrow")
    throw new Error(`${file}: ${ending} files are not supported; write the rows as JSON, JSONL or CSV`);
  const format = ROW_FORMATS.find((known) => known === ending);
  if (format === undefined)
    throw new Error(`${file}: found the ending "${ending}", allowed ${ROW_FORMATS.join(", ")}`);
  return format;
}
