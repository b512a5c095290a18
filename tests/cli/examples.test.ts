import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { templateFiles, templatesModule } from "../../scripts/docs/writeTemplates.ts";
import { root } from "../../scripts/lib/environment.mjs";
import { expandStages, hasStages, parseManifest, templates } from "../../src/manifests/index.ts";
import { listEnvironments } from "../../src/rl/environments.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { runCli, writeText } from "./support.ts";

const files = templateFiles();

describe("examples/manifests", () => {
  it("are the templates (npx tsx scripts/docs/writeTemplates.ts)", () => {
    const written = readFileSync(path.join(root, "src/manifests/templates.ts"), "utf8");
    expect(written).toBe(templatesModule(files));
  });

  it("say their title, description and place, or are refused by name", () => {
    const text = "# title: One\n# place: 1\nalgorithm: { name: DQN }\n";
    expect(() => templatesModule([{ id: "one", text }])).toThrow(
      'examples/manifests/one.yaml: found no line "# description: ..."',
    );
    const first = `${text}# description: Text.\n`;
    const second = first.replace("place: 1", "place: 0.5").replace("One", "Two");
    const written = templatesModule([
      { id: "one", text: first },
      { id: "two", text: second },
    ]);
    expect(written.indexOf('"title":"Two"')).toBeLessThan(written.indexOf('"title":"One"'));
    expect(() => templatesModule([{ id: "one", text: first.replace("place: 1", "place: x") }])).toThrow(
      "examples/manifests/one.yaml: place must be a number",
    );
  });

  it.each(files.map(({ id, text }) => [id, text] as const))(
    "has %s as the template is, valid",
    async (id, text) => {
      const template = templates.find((one) => one.id === id);
      const environments = listEnvironments();
      const raw: unknown = parse(text);
      const written = hasStages(raw)
        ? expandStages(raw, { environments }).map(({ manifest }) => manifest)
        : [parseManifest(text, { environments })];
      expect(written[0]).toEqual(parseManifest(template?.manifest ?? ""));
      expect(written).toHaveLength(template?.stages?.length ?? 1);

      const store = memoryFileStore();
      await writeText(store, "m.yaml", text);
      const { code, stdout } = await runCli(["validate", "m.yaml", "--json"], { store });
      expect(code).toBe(0);
      const nothing = { errors: [], unsupported: [], warnings: [], translations: [] };
      const verdicts = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown);
      expect(verdicts).toEqual(written.map(() => expect.objectContaining({ ok: true, ...nothing })));
    },
  );
});
