import { StorageError } from "./storageError.ts";

/**
 * Brings content of one version to the next; it changes nothing that it is given.
 * @param path Names the file in errors.
 */
export type MigrationStep<Content> = (content: Content, path: string) => Content;

/** A format that is stored: its version today, and how content of older versions becomes content of it. */
export interface StoredFormat<Content> {
  /** What messages call it. */
  readonly name: string;
  readonly version: number;
  /** The step from each older version that is read to the next one, without a gap. */
  readonly steps: Readonly<Record<number, MigrationStep<Content>>>;
}

/** The oldest version that is read. */
export const oldestVersion = <Content>({ version, steps }: StoredFormat<Content>): number =>
  Math.min(version, ...Object.keys(steps).map(Number));

/**
 * Content of any version that is read as content of the format's version today.
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
