/** Environments that a person wrote, for manifests that name them. */
import { isHash, knownUserEnvironment, type UserPlace } from "../../sandbox/userEnvironments.ts";
import { SpecError, type SpecIssue, type TrainingManifest } from "../../specs/index.ts";
import { userEnvironmentName } from "../../specs/userEnvironmentName.ts";
import { reasonOf } from "../../storage/storageError.ts";
import { userPlaceOf } from "../../training/plan/environmentOf.ts";
import type { EnvironmentText } from "../protocol.ts";
import type { EnvironmentShelf } from "./EnvironmentShelf.ts";

const issueAt = (key: "name" | "path", message: string): SpecIssue => ({
  code: "value",
  path: `environment.${key}`,
  segments: ["environment", key],
  message,
});

export class UserEnvironments {
  readonly #shelf: EnvironmentShelf;
  /** What is being opened: whoever types has a manifest checked again and again, and a loop takes long to be found out. */
  readonly #opening = new Map<string, Promise<void>>();

  constructor(shelf: EnvironmentShelf) {
    this.#shelf = shelf;
  }

  /**
   * Opens what a manifest trains in, so that the manifest can be checked and trained.
   * @returns why it cannot be opened; null where it is open, or is nobody's own.
   */
  async open(manifest: TrainingManifest): Promise<SpecIssue | null> {
    const place = userPlaceOf(manifest);
    if (place === null) return null;
    const name = userEnvironmentName(place.name);
    if (name === null || (place.path ?? null) !== null)
      return issueAt(
        "path",
        "is a file's, which the workbench does not read; write the environment on the page Environments, and name it user/<name>",
      );
    // A run's own copy, which may be older than the one that is kept.
    if (isHash(place.version) && knownUserEnvironment(place)) return null;
    return this.#opened(name, place);
  }

  /** The same. @throws SpecError saying why it cannot be opened. */
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

/** @throws EnvironmentError and its like, saying what cannot be opened. */
async function openText(place: UserPlace, { id, source }: EnvironmentText): Promise<void> {
  // No part of what the worker opens with.
  const { prepareModule } = await import("../../sandbox/moduleSource.ts");
  const { openUserEnvironment } = await import("../../sandbox/openUserEnvironment.ts");
  await openUserEnvironment(place, await prepareModule(id, source));
}
