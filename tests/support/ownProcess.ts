/** Which unit tests need a process of their own; the others share one, and the modules that are loaded in it. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A file says so, and why, in a comment above its imports. */
const MARK = /^\/\/ @own-process: \S/m;

/** Tests of the platform's processes, of the packed library and of the repository. */
const FOLDERS = ["platform", "public", "repo"] as const;

const isUnit = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) && !/^(?:browser|e2e)\//.test(file.replaceAll(path.sep, "/"));

/** All unit test files, relative to the repository. */
export const unitTests: readonly string[] = readdirSync(path.join(ROOT, "tests"), {
  recursive: true,
  encoding: "utf8",
})
  .filter(isUnit)
  .map((file) => `tests/${file.replaceAll(path.sep, "/")}`)
  .sort();

export const ownProcess: readonly string[] = unitTests.filter(
  (file) =>
    FOLDERS.some((folder) => file.startsWith(`tests/${folder}/`)) ||
    MARK.test(readFileSync(path.join(ROOT, file), "utf8")),
);
