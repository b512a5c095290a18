import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { listEnvironments } from "../../src/rl/environments/index.ts";
import { manifestToYaml, parseManifest, templates } from "../../src/specs/index.ts";
import { nodeFileStore } from "../../src/storage/node/index.ts";
import { runCli } from "./support.ts";

const folder = path.join(root, "examples/manifests");

describe("examples/manifests", () => {
  it("has a file for every template and no other", () => {
    expect(readdirSync(folder).sort()).toEqual(templates.map(({ id }) => `${id}.yaml`).sort());
  });

  // `npx vitest run tests/cli/examples.test.ts -u` updates the files.
  it.each(templates.map((template) => [template.id, template] as const))(
    "has %s as the template is, valid",
    async (id, { title, description, manifest }) => {
      const parsed = parseManifest(manifest, { environments: listEnvironments() });
      const text = `# ${title}: ${description}\n${manifestToYaml(parsed)}`;
      await expect(text).toMatchFileSnapshot(path.join(folder, `${id}.yaml`));
      expect(parseManifest(text)).toEqual(parsed);

      const file = path.join(folder, `${id}.yaml`);
      const { code, stdout } = await runCli(["validate", file, "--json"], { store: nodeFileStore() });
      expect(code).toBe(0);
      const nothing = { errors: [], unsupported: [], warnings: [], translations: [] };
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, ...nothing });
    },
  );
});
