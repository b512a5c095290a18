/** Cache of finished trainings on disk, so that an interrupted row can continue. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { LearningRow } from "./rows.ts";
import { manifestOf, type Point } from "./trainOnce.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Source folders that affect the result of a training. */
const SOURCES = ["specs", "kernels", "evolution", "rl", "training"];

function sourcesDigest(): string {
  const digest = createHash("sha256");
  for (const folder of SOURCES) {
    const directory = path.join(ROOT, "src", folder);
    const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((f) =>
      f.endsWith(".ts"),
    );
    for (const file of files.sort()) {
      // Templates are covered by the digest of the row's manifest.
      if (folder === "specs" && file.startsWith("templates")) continue;
      digest.update(file).update(readFileSync(path.join(directory, file)));
    }
  }
  return digest.digest("hex");
}

/** Results of one row with the current sources and manifest. */
export class ResultCache {
  readonly #directory: string;

  constructor(row: LearningRow) {
    const key = createHash("sha256")
      .update(sourcesDigest())
      .update(JSON.stringify([row, manifestOf(row)]))
      .digest("hex")
      .slice(0, 16);
    this.#directory = path.join(ROOT, ".cache", "results", row.name, key);
  }

  #file(seed: number): string {
    return path.join(this.#directory, `seed-${seed}.json`);
  }

  read(seed: number): Point[] | null {
    try {
      return JSON.parse(readFileSync(this.#file(seed), "utf8")) as Point[];
    } catch {
      return null;
    }
  }

  write(seed: number, points: readonly Point[]): void {
    mkdirSync(this.#directory, { recursive: true });
    const temporary = `${this.#file(seed)}.part`;
    writeFileSync(temporary, JSON.stringify(points));
    renameSync(temporary, this.#file(seed));
  }
}
