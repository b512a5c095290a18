/** Reads files that the user picked in the same way as a run reads them. */

import { type IncomingDataset, type IncomingFile, MAIN_FILE, ROWS_FILE } from "../../datasets/kept.ts";
import { DatasetError, hashOf, openDataset, parseMinariMetadata } from "../../datasets/reading.ts";
import { readRowFile } from "../../llm/environments.ts";
import { parseTable, TABLE_FILES } from "../../training/plan.ts";
import type { PickedFile } from "../protocol/stored.ts";

/** A checked data set and the files to store. */
export interface CheckedDataset {
  readonly dataset: IncomingDataset;
  readonly files: readonly IncomingFile[];
}

const EPISODES = /\.(?:hdf5|h5|hdf|csv)$/i;
const METADATA = "metadata.json";

/** @throws DatasetError or SpecError naming the file and its problem. */
export async function checkedDataset(name: string, picked: readonly PickedFile[]): Promise<CheckedDataset> {
  const named = (wanted: string) => picked.find((file) => file.name === wanted);
  const table = TABLE_FILES.map(named);
  const [features, targets] = table;
  if (features && targets) return checkedTable(name, features, targets);
  const rows = named(ROWS_FILE);
  if (rows && picked.length === 1) return checkedRows(name, rows);
  const large = picked.filter((file) => EPISODES.test(file.name));
  const [main] = large;
  if (!main || large.length > 1)
    throw new DatasetError(
      name,
      `found ${picked.map((file) => file.name).join(", ") || "no files"}; allowed one HDF5 file, with or without its metadata.json, one CSV file of steps, ${TABLE_FILES.join(" and ")}, or ${ROWS_FILE}`,
    );
  const beside = named(METADATA);
  const metadata = beside ? await beside.content.text() : null;
  const dataset = await openDataset(main.content, { source: name, metadata });
  try {
    const { sha256, environment, total_steps } = dataset;
    return {
      dataset: {
        name: metadata === null ? name : (parseMinariMetadata(metadata, name).dataset_id ?? name),
        // For a Blob it is always computed.
        sha256: sha256 ?? "",
        kind: "episodes",
        origin: "added",
        hub_dataset_id: null,
        environment,
        rows: total_steps,
        episodes: dataset.episodes().length,
      },
      files: [
        { name: MAIN_FILE, content: main.content },
        ...(beside ? [{ name: METADATA, content: beside.content }] : []),
      ],
    };
  } finally {
    dataset.close();
  }
}

async function checkedRows(name: string, file: PickedFile): Promise<CheckedDataset> {
  const { length } = await readRowFile(file.content, file.name);
  if (length === 0) throw new DatasetError(name, "found no rows, allowed one or more");
  return {
    dataset: {
      name,
      sha256: await hashOf([file.content]),
      kind: "rows",
      origin: "added",
      hub_dataset_id: null,
      environment: null,
      rows: length,
      episodes: null,
    },
    files: [file],
  };
}

async function checkedTable(
  name: string,
  features: PickedFile,
  targets: PickedFile,
): Promise<CheckedDataset> {
  const table = parseTable({
    features: { name: features.name, text: await features.content.text() },
    targets: { name: targets.name, text: await targets.content.text() },
  });
  return {
    dataset: {
      name,
      sha256: await hashOf([features.content, targets.content]),
      kind: "table",
      origin: "added",
      hub_dataset_id: null,
      environment: null,
      rows: table.targets.length,
      episodes: null,
    },
    files: [features, targets],
  };
}
