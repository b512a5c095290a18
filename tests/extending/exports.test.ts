/** The sub-paths of the package export the names that the pages of docs/extending use. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";

const read = (file: string): string => readFileSync(file, "utf8");

const DECLARATION =
  /^export (?:abstract )?(?:async )?(?:const|class|function\*?|interface|type) (\w+)(?=[ <(:=])/gm;
const LIST = /^export (?:type )?\{([^}]*)\}/gm;
const ALL = /^export (?:type )?\* from "([^"]+)";/gm;

/** Every name that a source exports, types too. */
function exportsOf(file: string): Set<string> {
  const text = read(file);
  const listed = [...text.matchAll(LIST)].flatMap(([, names = ""]) =>
    names.split(",").map((name) =>
      name
        .trim()
        .replace(/^type /, "")
        .replace(/^.* as /, ""),
    ),
  );
  const declared = [...text.matchAll(DECLARATION)].map(([, name = ""]) => name);
  const others = [...text.matchAll(ALL)].flatMap(([, from = ""]) => [
    ...exportsOf(path.resolve(path.dirname(file), from)),
  ]);
  return new Set([...listed, ...declared, ...others].filter((name) => name !== ""));
}

const sources = ["rl", "specs", "evolution", "kernels", "training"].flatMap((folder) =>
  readdirSync(path.join(root, "src", folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith("extending/index.ts"))
    .map((file) => path.join(root, "src", folder, file)),
);

/** Names that any file of rlkit exports. */
const known = new Set(sources.flatMap((file) => [...exportsOf(file)]));

/** Names in running text and tables: `add`, `make<"parallel">(id)`; in code blocks, the names that are imported. */
function namesIn(page: string): Set<string> {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  const imported = blocks.flatMap((code) =>
    [...code.matchAll(/^import (?:type )?\{([^}]*)\} from "(.*)";$/gm)]
      .filter(([, , from = ""]) => /^(?:\.|rlkit\/)/.test(from))
      .flatMap(([, names = ""]) => names.split(",").map((name) => name.trim().replace(/^type /, ""))),
  );
  const text = page.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const inText = [...text.matchAll(/`(\w+)(?:<[^`]*>)?(?:\([^`]*\))?`/g)].map(([, name = ""]) => name);
  return new Set([...imported, ...inText].filter((name) => known.has(name)));
}

/**
 * Names that a page gives for work inside rlkit, for whole runs, of `rlkit/rl`, or as words of their own: the lists
 * that a new definition is added to, the constants of tests, and names of fields that are also exported somewhere.
 */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  environment: ["Dynamics", "builtInEnvironments", "load", "planarTask", "stepDraws"],
  algorithm: ["SAC", "createPopulation"],
  network: [
    "ARCHITECTURES",
    "EncoderSpec",
    "MODULES",
    "ModuleData",
    "cnn",
    "lstm",
    "mlp",
    "simba",
    "structureKey",
    "withinBounds",
  ],
};

const FOLDERS: Readonly<Record<string, string>> = { algorithm: "agents" };

describe.each(Object.entries(INSIDE))("rlkit/extending/%s", (page, inside) => {
  it("exports the names that its page uses", () => {
    const given = new Set([
      ...exportsOf(path.join(root, `src/${FOLDERS[page] ?? "rl"}/extending/${page}.ts`)),
      ...exportsOf(path.join(root, "src/kernels/index.ts")),
      ...inside,
    ]);
    const used = namesIn(read(path.join(root, `docs/extending/${page}.md`)));
    expect(used.size).toBeGreaterThan(10);
    expect([...used].filter((name) => !given.has(name))).toEqual([]);
  });
});
