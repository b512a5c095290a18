/** The file of finished runs, one JSON line each. */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Outcome } from "./measure.ts";
import { applies, manifestOf, type Recipe } from "./recipes.ts";
import type { EvolutionTask } from "./tasks.ts";

/** A run that is to be measured. */
export interface Job {
  readonly task: string;
  readonly recipe: string;
  readonly seed: number;
  /** Digest of the task and the manifest, so that results of other versions of them do not count. */
  readonly digest: string;
}

/** A run in words. */
export const nameOf = ({ task, recipe, seed }: Job): string => `${task} ${recipe} ${seed}`;

const keyOf = (job: Job): string => `${nameOf(job)} ${job.digest}`;

/** Identifies what a run trains; not the code that trains it. */
export const digestOf = (task: EvolutionTask, recipe: Recipe): string =>
  createHash("sha256")
    .update(JSON.stringify([task, manifestOf(task, recipe)]))
    .digest("hex")
    .slice(0, 12);

/** The results of a folder. */
export class Results {
  readonly #file: string;
  readonly #outcomes = new Map<string, Outcome>();

  /** Reads the finished runs. A line that an interruption left incomplete does not count. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#file = path.join(folder, "runs.jsonl");
    if (!existsSync(this.#file)) return;
    const text = readFileSync(this.#file, "utf8");
    if (text !== "" && !text.endsWith("\n")) appendFileSync(this.#file, "\n");
    for (const line of text.split("\n")) {
      const outcome = parsed(line);
      if (outcome) this.#outcomes.set(keyOf(outcome), outcome);
    }
  }

  /** The outcomes of those jobs that are finished. */
  chosen(jobs: readonly Job[]): readonly Outcome[] {
    return jobs.flatMap((job) => this.#outcomes.get(keyOf(job)) ?? []);
  }

  /** The jobs that are not finished. */
  missing(jobs: readonly Job[]): readonly Job[] {
    return jobs.filter((job) => !this.#outcomes.has(keyOf(job)));
  }

  add(outcome: Outcome): void {
    this.#outcomes.set(keyOf(outcome), outcome);
    appendFileSync(this.#file, `${JSON.stringify(outcome)}\n`);
  }
}

function parsed(line: string): Outcome | null {
  try {
    return line === "" ? null : (JSON.parse(line) as Outcome);
  } catch {
    return null;
  }
}

/** The jobs of all tasks, recipes and seeds: all contenders of a seed, then the next seed. */
export const jobsOf = (
  tasks: readonly EvolutionTask[],
  recipes: readonly Recipe[],
  seeds: readonly number[],
): readonly Job[] => {
  const runs = tasks.flatMap((task) =>
    recipes
      .filter((recipe) => applies(recipe, task))
      .map((recipe) => ({ task: task.name, recipe: recipe.name, digest: digestOf(task, recipe) })),
  );
  return seeds.flatMap((seed) => runs.map((run) => ({ ...run, seed })));
};

/** Seeds from text such as "0-9,100". @throws RangeError for other text. */
export function seedsIn(text: string): readonly number[] {
  return text.split(",").flatMap((part) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? [];
    const count = Number(last) - Number(first) + 1;
    if (!(count > 0))
      throw new RangeError(`--seeds: found "${part}"; allowed: numbers and ranges such as 0-9`);
    return Array.from({ length: count }, (_, i) => Number(first) + i);
  });
}
