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
