/** Queries to the GraphQL API of Weights & Biases, the lines of its history file, and files of tables. */
import { sha256Hex } from "../../storage/index.ts";

export const VIEWER = "query Viewer { viewer { entity } }";

/** The service's record of a run; its bucket is null if the run does not exist. */
export const RESUME = `query RunResumeStatus($project: String, $entity: String, $name: String!) {
  model(name: $project, entityName: $entity) {
    bucket(name: $name, missingOk: true) { name historyLineCount }
  }
}`;

export const UPSERT = `mutation UpsertBucket(
  $name: String, $project: String, $entity: String, $groupName: String, $displayName: String, $notes: String,
  $jobType: String, $tags: [String!], $config: JSONString
) {
  upsertBucket(input: {
    name: $name, modelName: $project, entityName: $entity, groupName: $groupName, displayName: $displayName,
    notes: $notes, jobType: $jobType, tags: $tags, config: $config
  }) {
    bucket { name project { name entity { name } } }
  }
}`;

export const CREATE_FILES = `mutation CreateRunFiles($entity: String!, $project: String!, $run: String!, $files: [String!]!) {
  createRunFiles(input: { entityName: $entity, projectName: $project, runName: $run, files: $files }) {
    uploadHeaders
    files { name uploadUrl }
  }
}`;

/** Entries of a line as JSON text with bare NaN and Infinity, as the service's own client writes them. */
export const lineEntries = (row: Readonly<Record<string, number>>): string =>
  Object.entries(row)
    .map(([key, value]) => `${JSON.stringify(key)}: ${value}`)
    .join(", ");

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
