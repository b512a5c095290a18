/** The interface of the package as etc holds it: a change of a declaration is seen in review. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { apiReports } from "../../scripts/api/apiReports.ts";
import { spokenName } from "../../scripts/api/mentions.ts";
import { type ApiName, entryFiles, readPublicApi } from "../../scripts/api/publicApi.ts";
import { buildLibIfStale } from "../../scripts/lib/build.mjs";
import { root } from "../../scripts/lib/environment.mjs";

const folder = path.join(root, "etc");

it("is the interface that the sources declare", async () => {
  expect(await buildLibIfStale()).toBe(true);
  const declared = apiReports(readPublicApi());
  const changed = [...declared].filter(([file, text]) => {
    const kept = readdirSync(folder).includes(file) ? readFileSync(path.join(folder, file), "utf8") : "";
    return kept.replaceAll("\r\n", "\n") !== text;
  });
  const unexpected = readdirSync(folder).filter((file) => !declared.has(file));
  const stale = [...changed.map(([file]) => file), ...unexpected];
  expect(stale.map((file) => `etc/${file} is not the interface; "npm run api" writes it`)).toEqual([]);
  expect(declared.size).toBe(entryFiles.length + 1);
});

describe("a report", () => {
  const name = (name: string, id: number, code: string): ApiName => ({
    name,
    id,
    room: "",
    declarations: [{ kind: "type", doc: "", code, members: [] }],
    uses: [],
  });

  it("has each declaration once, and names where the other entries have it", () => {
    const [a, b] = [name("A", 1, "export type A = B;"), name("B", 2, "export type B = C;")];
    const entries = [
      { entry: "rlkit", names: [a] },
      { entry: "rlkit/storage/node", names: [{ ...a, name: "Same" }, b] },
    ];
    expect([...apiReports({ entries, behind: [name("C", 3, "type C = 1;")] })]).toEqual([
      ["rlkit.api.md", "# rlkit\n\n```ts\nexport type A = B;\n```\n"],
      [
        "storage-node.api.md",
        "# rlkit/storage/node\n\n```ts\nexport type B = C;\n```\n\n## Of other entries\n\n- `Same` of rlkit\n",
      ],
      ["behind.api.md", "# Named by exports, and not exported\n\n```ts\ntype C = 1;\n```\n"],
    ]);
  });
});

it.each([
  ["DQN", "DQN"],
  ["new Accelerator({ workers: 2 })", "Accelerator"],
  ["DQN.load(path)", "DQN"],
  ["make(id)", "make"],
  ["make", undefined],
  ["learn_step", undefined],
  ["rlkit/kernels", undefined],
])("the code %s of a guide speaks of %s", (code, expected) => {
  expect(spokenName(code)).toBe(expected);
});
