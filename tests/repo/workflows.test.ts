/** What GitHub reads: workflows, forms, and the addresses of the package. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { root } from "../../scripts/lib/environment.mjs";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const yamlIn = (folder: string) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);

const Package = z.object({
  homepage: z.string(),
  bugs: z.string(),
  repository: z.object({ url: z.string() }),
  scripts: z.record(z.string(), z.string()),
});
const manifest = Package.parse(JSON.parse(read("package.json")));

const Step = z.union([
  z.strictObject({ run: z.string(), env: z.record(z.string(), z.string()).optional() }),
  z.object({ uses: z.string().regex(/^[\w-]+\/[\w-]+@v\d+$/, "an action is pinned to a major version") }),
]);
const Workflow = z.object({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.enum(["read", "write"])),
  jobs: z.record(z.string(), z.object({ "runs-on": z.string(), steps: z.array(Step) })),
});

describe.each(yamlIn(".github/workflows"))("%s", (file) => {
  const { jobs } = Workflow.parse(parse(read(file)));
  const runs = Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap((step) => ("run" in step ? [step.run] : [])),
  );

  it("runs scripts that there are", () => {
    const named = runs.flatMap((run) =>
      [...run.matchAll(/npm (?:run(?: --silent)? )?(\w+)/g)].map(([, name = ""]) => name),
    );
    expect(named).not.toEqual([]);
    expect(named.filter((name) => name !== "ci" && !(name in manifest.scripts))).toEqual([]);
  });
});

it.each(yamlIn(".github/ISSUE_TEMPLATE"))("%s is a form", (file) => {
  const form = z.union([
    z.strictObject({ blank_issues_enabled: z.boolean() }),
    z.strictObject({
      name: z.string(),
      description: z.string(),
      labels: z.array(z.string()),
      body: z.array(z.object({ type: z.string() })).min(1),
    }),
  ]);
  expect(form.safeParse(parse(read(file))).error).toBeUndefined();
});

it("has one address", () => {
  const address = manifest.repository.url.replace(/^git\+|\.git$/g, "");
  expect([manifest.homepage, manifest.bugs]).toEqual([`${address}#readme`, `${address}/issues`]);
});
