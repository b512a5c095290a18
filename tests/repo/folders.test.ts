/**
 * Folders beside each other import one another in one direction only, at every depth of src. In some rooms they are also
 * entered at few files.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";

const src = path.join(root, "src");

const IMPORT = /(?:from|import\()\s*"(\.[^"]+)"/g;

/** Files of src that each file imports, by their paths in it. */
function imports(): Map<string, string[]> {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((f) => /\.tsx?$/.test(f));
  return new Map(
    files.map((file) => {
      const text = readFileSync(path.join(src, file), "utf8");
      const targets = [...text.matchAll(IMPORT)].map(([, target = ""]) =>
        path.join(path.dirname(file), target),
      );
      return [file, targets];
    }),
  );
}

/** What a file imports of the folders beside its own: pairs of folders of the same folder, at the depth where they part. */
function siblingEdges(): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const [file, targets] of imports()) {
    for (const target of targets) {
      const [from, to] = [file.split(path.sep), target.split(path.sep)];
      const depth = from.findIndex((part, i) => part !== to[i]);
      // One of them lies in the folder itself.
      if (depth < 0 || depth >= from.length - 1 || depth >= to.length - 1) continue;
      const [a, b] = [from, to].map((parts) => parts.slice(0, depth + 1).join("/")) as [string, string];
      edges.set(a, (edges.get(a) ?? new Set()).add(b));
    }
  }
  return edges;
}

/** Rooms whose folders enter each other at few files, as rooms do at their doors. */
const WITH_DOORS_INSIDE = ["agents", "llm", "rl", "training", "workers"];
const MOST_DOORS = 8;

/** The files at which each folder of a room is entered from the folders beside it. */
function entries(room: string): Map<string, Set<string>> {
  const entered = new Map<string, Set<string>>();
  const folderOf = (file: string) => (file.split(path.sep).length > 2 ? file.split(path.sep)[1] : undefined);
  for (const [file, targets] of imports())
    for (const target of targets) {
      if (!file.startsWith(`${room}${path.sep}`) || !target.startsWith(`${room}${path.sep}`)) continue;
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from === undefined || to === undefined || from === to) continue;
      entered.set(to, (entered.get(to) ?? new Set()).add(target));
    }
  return entered;
}

/** A way from the folder back to itself; null where there is none. */
function circle(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const seen = new Set<string>();
  const walk = (folder: string, way: string[]): string[] | null => {
    for (const next of edges.get(folder) ?? []) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...way, next]);
      if (found) return found;
    }
    return null;
  };
  return walk(start, [start]);
}

it("no folder of src imports, by way of others, itself", () => {
  const edges = siblingEdges();
  expect(edges.size).toBeGreaterThan(20);
  const circles = [...edges.keys()].map((folder) => circle(folder, edges)).filter((found) => found !== null);
  expect(circles.map((way) => way.join(" -> "))).toEqual([]);
});

it.each(WITH_DOORS_INSIDE)("each folder of src/%s is entered from those beside it at few files", (room) => {
  const entered = entries(room);
  expect(entered.size).toBeGreaterThan(3);
  const many = [...entered].filter(([, files]) => files.size > MOST_DOORS);
  expect(many.map(([folder, files]) => `${folder}: ${[...files].sort().join(", ")}`)).toEqual([]);
});
