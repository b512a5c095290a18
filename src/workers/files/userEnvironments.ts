/** User-written environments for manifests that name them. */

import { SpecError, type SpecIssue, type TrainingManifest } from "../../manifests/index.ts";
import { isHash, isRobot, knownUserEnvironment, type UserPlace } from "../../sandbox/environments.ts";
import { alternatives } from "../../specs/messages.ts";
import { userEnvironmentName } from "../../specs/sections.ts";
import { reasonOf, serialiser } from "../../storage/files.ts";
import { type FileStore, joinPath, StorageError, sha256Hex } from "../../storage/index.ts";
import { userPlaceOf } from "../../training/plan.ts";
import type { EnvironmentText, KeptEnvironment } from "../protocol/stored.ts";

/** User-written environments in browser storage. Each has one source text, in a file named by its hash. */
const DIRECTORY = "/v1/environments";
const FILE = /^([0-9a-f]{64})\.js$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** About a hundred times the size of a usual environment. */
const MAX_BYTES = 1_000_000;
/** A robot has meshes: its files' own limits are below this, in base64. */
const ROBOT_BYTES = 12_000_000;

const directoryOf = (name: string): string => joinPath(DIRECTORY, name);
const fileOf = (name: string, sha256: string): string => joinPath(directoryOf(name), `${sha256}.js`);

export class KeptEnvironments {
  readonly #files: FileStore;
  readonly #serially = serialiser();

  constructor(files: FileStore) {
    this.#files = files;
  }

  async list(): Promise<readonly KeptEnvironment[]> {
    const directories = (await this.#files.list(DIRECTORY)).filter(({ kind }) => kind === "directory");
    const found = await Promise.all(directories.map(({ name }) => this.#find(name)));
    return found.filter((one) => one !== null);
  }

  /** @throws Error listing the stored environments; StorageError `corrupt` if the text has changed. */
  async read(name: string): Promise<EnvironmentText> {
    const kept = await this.#find(name);
    if (kept === null) throw await this.#unknown(name);
    const path = fileOf(name, kept.sha256);
    const bytes = await this.#files.read(path);
    if ((await sha256Hex(bytes)) !== kept.sha256)
      throw new StorageError("corrupt", path, "is corrupt; save the environment again");
    return textAs(name, kept.sha256, new TextDecoder().decode(bytes));
  }

  /** @throws Error for an invalid name or size; StorageError if it cannot be written. */
  save(name: string, source: string): Promise<EnvironmentText> {
    if (!NAME.test(name))
      throw new Error(
        `name: found ${JSON.stringify(name)}; allowed are 1 to 64 letters, digits, "_" and "-", a letter or digit first`,
      );
    const bytes = new TextEncoder().encode(source);
    const most = isRobot(source) ? ROBOT_BYTES : MAX_BYTES;
    if (bytes.byteLength === 0 || bytes.byteLength > most)
      throw new Error(`source: found ${bytes.byteLength} bytes, allowed are 1 to ${most}`);
    return this.#serially(name, async () => {
      const sha256 = await sha256Hex(bytes);
      const before = await this.#files.list(directoryOf(name));
      const file = `${sha256}.js`;
      if (!before.some((entry) => entry.name === file)) await this.#files.write(fileOf(name, sha256), bytes);
      for (const entry of before)
        if (entry.name !== file) await this.#files.remove(joinPath(directoryOf(name), entry.name));
      return textAs(name, sha256, source);
    });
  }

  remove(name: string): Promise<void> {
    return this.#serially(name, async () => {
      if ((await this.#find(name)) === null) throw await this.#unknown(name);
      await this.#files.remove(directoryOf(name));
    });
  }

  /** Null if there is none. A crash while saving may leave two files; either is valid. */
  async #find(name: string): Promise<KeptEnvironment | null> {
    if (!NAME.test(name)) return null;
    for (const { name: file, size } of await this.#files.list(directoryOf(name))) {
      const sha256 = FILE.exec(file)?.[1];
      if (sha256 !== undefined) return keptAs(name, sha256, size);
    }
    return null;
  }

  async #unknown(name: string): Promise<Error> {
    const names = (await this.list()).map((kept) => kept.id);
    const others =
      names.length === 0
        ? "; there is none"
        : alternatives("", idOf(name), { names, listed: "the Environments page" });
    return new Error(
      `"${idOf(name)}" is not an environment stored in this browser${others}. Write it on the Environments page`,
    );
  }
}

const idOf = (name: string): string => `user/${name}`;

const keptAs = (name: string, sha256: string, bytes: number): KeptEnvironment => ({
  name,
  id: idOf(name),
  sha256,
  bytes,
});

export const textAs = (name: string, sha256: string, source: string): EnvironmentText => ({
  name,
  id: idOf(name),
  sha256,
  source,
});

const issueAt = (key: "name" | "path", message: string): SpecIssue => ({
  code: "value",
  path: `environment.${key}`,
  segments: ["environment", key],
  message,
});

export class UserEnvironments {
  readonly #kept: KeptEnvironments;
  /**
   * Environments being opened. While the user types, a manifest is checked repeatedly, and an endless loop in
   * a module takes long to detect.
   */
  readonly #opening = new Map<string, Promise<void>>();

  constructor(kept: KeptEnvironments) {
    this.#kept = kept;
  }

  /**
   * Opens the environment of a manifest, so that the manifest can be checked and trained.
   * @returns the reason why it cannot be opened; null if it is open or not user-written.
   */
  async open(manifest: TrainingManifest): Promise<SpecIssue | null> {
    const place = userPlaceOf(manifest);
    if (place === null) return null;
    const name = userEnvironmentName(place.name);
    if (name === null || (place.path ?? null) !== null)
      return issueAt(
        "path",
        "is in a file, which the workbench does not read; write the environment on the Environments page, and name it user/<name>",
      );
    // A run's own copy, which may be older than the stored one.
    if (isHash(place.version) && knownUserEnvironment(place)) return null;
    return this.#opened(name, place);
  }

  /** As `open`. @throws SpecError with the reason if the environment cannot be opened. */
  async require(manifest: TrainingManifest): Promise<void> {
    const issue = await this.open(manifest);
    if (issue !== null) throw new SpecError([issue], "manifest");
  }

  async #opened(name: string, place: UserPlace): Promise<SpecIssue | null> {
    try {
      const text = await this.#kept.read(name);
      const { version, entrypoint, env_config } = place;
      const key = JSON.stringify([text.id, text.sha256, version, entrypoint, env_config]);
      const opening =
        this.#opening.get(key) ?? openText(place, text).finally(() => this.#opening.delete(key));
      this.#opening.set(key, opening);
      await opening;
      return null;
    } catch (error) {
      if (error instanceof SpecError) throw error;
      return issueAt("name", reasonOf(error));
    }
  }
}

/** @throws EnvironmentError and related errors with the reason. */
async function openText(place: UserPlace, { id, source }: EnvironmentText): Promise<void> {
  // Loaded on demand, so that the worker's start does not load the sandbox code.
  const { openUserEnvironment, prepareModule } = await import("./parts/userModules.ts");
  await openUserEnvironment(place, await prepareModule(id, source));
}
