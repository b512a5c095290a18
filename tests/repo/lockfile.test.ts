import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";

interface Locked {
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), "utf8")) as unknown;
const { packages } = read("package-lock.json") as { packages: Record<string, Locked> };

/** A fresh clone is installed with `npm ci`, which refuses a lockfile with gaps; npm itself writes such at times. */
describe("package-lock.json", () => {
  it("asks for the dependencies of package.json", () => {
    const { dependencies, devDependencies } = read("package.json") as Locked;
    expect(packages[""]).toMatchObject({ dependencies, devDependencies });
  });

  it("pins the package of every platform that a tool is published for", () => {
    const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
    const missing = wanted.filter((name) => packages[`node_modules/${name}`]?.version === undefined);
    expect(missing).toEqual([]);
  });
});
