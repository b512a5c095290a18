/**
 * The stored formats, each with its version and the migrations from older versions. To raise a version, add
 * the migration here, a fixture of the old version to tests/formats, and a line to docs/compatibility.md.
 * Manifests are written by people and follow their own rules (`manifests/oldKeys.ts`).
 */
import { decodeSafetensors, encodeSafetensors, type SafetensorsFile } from "./safetensors.ts";
import { StorageError } from "./storageError.ts";

/**
 * Converts content of one version to the next without mutating its input.
 * @param path Names the file in errors.
 */
export type MigrationStep<Content> = (content: Content, path: string) => Content;

/** A stored format: its current version, and the migrations from older versions. */
export interface StoredFormat<Content> {
  /** The name used in messages. */
  readonly name: string;
  readonly version: number;
  /** The step from each supported older version to the next one, without gaps. */
  readonly steps: Readonly<Record<number, MigrationStep<Content>>>;
}

/** The oldest supported version. */
export const oldestVersion = <Content>({ version, steps }: StoredFormat<Content>): number =>
  Math.min(version, ...Object.keys(steps).map(Number));

/**
 * Converts content of any supported version to the format's current version.
 * @param path Names the file in errors.
 * @throws StorageError `version` for a newer version, and for an older one without a step.
 */
export function migrate<Content>(
  format: StoredFormat<Content>,
  version: number,
  content: Content,
  path: string,
): Content {
  const oldest = oldestVersion(format);
  if (!(Number.isInteger(version) && version >= oldest && version <= format.version)) {
    const read = oldest === format.version ? `version ${oldest}` : `versions ${oldest} to ${format.version}`;
    const wanted =
      version > format.version
        ? "use the rlkit that wrote it, or a newer one"
        : "use the rlkit that wrote it";
    throw new StorageError(
      "version",
      path,
      `has ${format.name} version ${version}, this rlkit reads ${read}; ${wanted}`,
    );
  }
  let current = content;
  for (let at = version; at < format.version; at++) {
    const step = format.steps[at];
    if (!step) throw new Error(`${format.name}: no step leads from version ${at} to ${at + 1}`);
    current = step(current, path);
  }
  return current;
}

/** The files of a run's checkpoint, and its `run.json` as an object. */
interface RunFiles {
  readonly run: Readonly<Record<string, unknown>>;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/**
 * From version 1 to 2: rows of a replay buffer record where episodes end. Version 1 had only single-step
 * returns, which do not use this. So its termination flag stands for both kinds of end.
 */
function withEpisodeEnds({ run, files }: RunFiles, path: string): RunFiles {
  const upgraded = [...files].map(([name, bytes]): [string, Uint8Array] => {
    if (!/^replay_\d+\.safetensors$/.test(name)) return [name, bytes];
    const { tensors, metadata } = decodeSafetensors(bytes, name);
    const done = tensors.get("done");
    if (!done) throw new StorageError("corrupt", path, `${name} has no field done; use an older checkpoint`);
    return [name, encodeSafetensors([...tensors, ["ended", done]], metadata)];
  });
  return { run: { ...run, version: 2 }, files: new Map(upgraded) };
}

/** A JSON object as it was read. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The database methods that migrations use, declared here so that the library's types need no DOM library.
 */
export interface IndexDatabase {
  createObjectStore(name: string, options: { readonly keyPath: string }): unknown;
}

/** One agent's file; its version is in the metadata. */
export const AGENT_FORMAT: StoredFormat<SafetensorsFile> = { name: "agent format", version: 1, steps: {} };

/** `COMMIT.json` of a checkpoint, without its digest. */
export const CHECKPOINT_FORMAT: StoredFormat<JsonObject> = {
  name: "checkpoint format",
  version: 1,
  steps: {},
};

/** A run at a generation boundary: `run.json` and the checkpoint's other files. */
export const SAVED_RUN_FORMAT: StoredFormat<RunFiles> = {
  name: "run format",
  version: 2,
  steps: { 1: withEpisodeEnds },
};

/** `manifest.json` of a run in the workbench's store. */
export const STORED_RUN_FORMAT: StoredFormat<JsonObject> = {
  name: "stored run format",
  version: 1,
  steps: {},
};

/** `COMMIT.json` of a data set in browser storage, without its digest. */
export const DATASET_FORMAT: StoredFormat<JsonObject> = { name: "data set format", version: 1, steps: {} };

/** `export.json` of an exported run. */
export const EXPORT_FORMAT: StoredFormat<JsonObject> = { name: "export format", version: 1, steps: {} };

/** The list of runs in IndexedDB; a new database has version 0. */
export const INDEX_FORMAT: StoredFormat<IndexDatabase> = {
  name: "index format",
  version: 1,
  steps: {
    0: (database) => {
      database.createObjectStore("runs", { keyPath: "id" });
      return database;
    },
  },
};
