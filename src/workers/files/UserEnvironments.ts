/** User-written environments for manifests that name them. */
import { isHash, knownUserEnvironment, type UserPlace } from "../../sandbox/environments.ts";
import { SpecError, type SpecIssue, type TrainingManifest } from "../../specs/index.ts";
import { userEnvironmentName } from "../../specs/sections.ts";
import { reasonOf } from "../../storage/files.ts";
import { userPlaceOf } from "../../training/plan.ts";
import type { EnvironmentText } from "../protocol/stored.ts";
import type { EnvironmentShelf } from "./EnvironmentShelf.ts";

const issueAt = (key: "name" | "path", message: string): SpecIssue => ({
  code: "value",
  path: `environment.${key}`,
  segments: ["environment", key],
  message,
});

export class UserEnvironments {
  readonly #shelf: EnvironmentShelf;
  /**
   * Environments being opened. While the user types, a manifest is checked repeatedly, and an endless loop in
   * a module takes long to detect.
   */
  readonly #opening = new Map<string, Promise<void>>();

  constructor(shelf: EnvironmentShelf) {
    this.#shelf = shelf;
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
      const text = await this.#shelf.read(name);
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
