import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { listEnvironments } from "../../src/rl/environments.ts";
import { manifestToYaml, parseManifest, templates } from "../../src/specs/index.ts";
import { memoryFileStore } from "../../src/storage/index.ts";
import { runCli, writeText } from "./support.ts";

const folder = path.join(root, "examples/manifests");

describe("examples/manifests", () => {
  it("has files of templates only", () => {
    const own = new Set(templates.map(({ id }) => `${id}.yaml`));
    expect(readdirSync(folder).filter((file) => !own.has(file))).toEqual([]);
  });

  // `npx vitest run tests/cli/examples.test.ts -u` updates the files, after all tests of this file. So the text is
  // validated, which the file then holds.
  it.each(templates.map((template) => [template.id, template] as const))(
    "has %s as the template is, valid",
    async (id, { title, description, manifest }) => {
      const parsed = parseManifest(manifest, { environments: listEnvironments() });
      const text = `# ${title}: ${description}\n${manifestToYaml(parsed)}`;
      await expect(text).toMatchFileSnapshot(path.join(folder, `${id}.yaml`));
      expect(parseManifest(text)).toEqual(parsed);

      const store = memoryFileStore();
      await writeText(store, "m.yaml", text);
      const { code, stdout } = await runCli(["validate", "m.yaml", "--json"], { store });
      expect(code).toBe(0);
      const nothing = { errors: [], unsupported: [], warnings: [], translations: [] };
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, ...nothing });
    },
  );
});
