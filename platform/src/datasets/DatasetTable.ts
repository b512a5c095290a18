/** Data sets that were uploaded: artifacts that a project's runs may name. */
import type { TrainingManifest } from "../../../src/manifests/index.ts";
import type { Database } from "../database/Database.ts";
import type { Artifact } from "../runs/RunRow.ts";

/** The path by which manifests name an upload, in `environment.dataset_path` or `training.demonstrations`. */
export const uploadPath = (sha256: string): string => `uploads/${sha256}`;

/** The SHA-256 in the path of an upload; null for any other path. */
const uploadOf = (path: string): string | null => /^uploads\/([0-9a-f]{64})$/.exec(path)?.[1] ?? null;

/** The field of a manifest that names a data set. No run reads two. */
export const datasetField = ({ environment }: TrainingManifest): string =>
  environment.env_type === "offline" ? "environment.dataset_path" : "training.demonstrations";

/** The upload that a manifest learns from; null if it names none. */
export function uploadIn({ environment, training }: TrainingManifest): string | null {
  const path = environment.env_type === "offline" ? environment.dataset_path : training.demonstrations;
  return path === null ? null : uploadOf(path);
}

export class DatasetTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds an upload to a project. Adding it again has no effect. */
  async add(project: string, { sha256, size }: Artifact): Promise<void> {
    await this.#database.query(
      "INSERT INTO datasets (project, sha256, size) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [project, sha256, size],
    );
  }

  async has(project: string, sha256: string): Promise<boolean> {
    const sql = "SELECT 1 FROM datasets WHERE project = $1 AND sha256 = $2";
    return (await this.#database.query(sql, [project, sha256])).length > 0;
  }
}
