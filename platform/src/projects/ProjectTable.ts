/** Projects, which group runs and to which keys may be bound. */
import { z } from "zod";
import type { Database } from "../database/Database.ts";
import { ConflictError } from "../runs/RunTable.ts";

export const projectSchema = z.object({
  name: z.string(),
  description: z.string(),
  llm_based: z.boolean(),
});

type Project = z.infer<typeof projectSchema>;

const COLUMNS = Object.keys(projectSchema.shape).join(", ");

/** The project of runs that are submitted without one. */
export const DEFAULT_PROJECT = "default";

export class ProjectTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<readonly Project[]> {
    const rows = await this.#database.query(`SELECT ${COLUMNS} FROM projects ORDER BY name`);
    return rows.map((row) => projectSchema.parse(row));
  }

  async has(name: string): Promise<boolean> {
    return (await this.#database.query("SELECT 1 FROM projects WHERE name = $1", [name])).length > 0;
  }

  /** @throws ConflictError if the name is taken. */
  async create({ name, description, llm_based }: Project): Promise<Project> {
    const [row] = await this.#database.query(
      `INSERT INTO projects (name, description, llm_based) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
      [name, description, llm_based],
    );
    if (row) return projectSchema.parse(row);
    throw new ConflictError(`name: a project "${name}" already exists; choose another name`);
  }

  /**
   * @returns whether the project existed.
   * @throws ConflictError if it has runs, or is the default project.
   */
  async delete(name: string): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const [project] = await query("SELECT name FROM projects WHERE name = $1 FOR UPDATE", [name]);
      if (!project) return false;
      const [run] = await query("SELECT 1 FROM runs WHERE project = $1 LIMIT 1", [name]);
      if (run || name === DEFAULT_PROJECT)
        throw new ConflictError(
          `project "${name}": it ${run ? "has runs" : "is the default project"}, so it cannot be deleted`,
        );
      await query("DELETE FROM projects WHERE name = $1", [name]);
      return true;
    });
  }
}
