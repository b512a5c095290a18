/** The tables of fields in docs are those that the schemas give. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { algorithmTable, sharedTable } from "../../scripts/docs/algorithmTables.ts";
import { networkTable, sectionTable, withFieldTables } from "../../scripts/docs/fieldTable.ts";
import { SECTIONS } from "../../scripts/docs/sections.ts";
import { root } from "../../scripts/lib/environment.mjs";
import { trainedNames } from "../../src/agents/members.ts";
import { DatasetEnvSpec, listAlgorithms, RolloutEnvSpec } from "../../src/manifests/index.ts";
import { listEnvironments } from "../../src/rl/environments.ts";
import { listArchitectures } from "../../src/rl/networks.ts";
import { pages } from "./pages.ts";

const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

/** Lines of `of` that `text` does not have. */
function linesMissing(text: string, of: string): string[] {
  const lines = new Set(text.split("\n"));
  return of.split("\n").filter((line) => !lines.has(line));
}

describe("tables of fields", () => {
  it.each(pages.filter((page) => read(page).includes("<!-- fields of ")))(
    "%s has those of the schemas (npx tsx scripts/docs/writeFieldTables.ts)",
    (page) => {
      const [found, made] = [read(page), withFieldTables(read(page))];
      expect({ missing: linesMissing(found, made), stale: linesMissing(made, found) }).toEqual({
        missing: [],
        stale: [],
      });
      expect(found === made).toBe(true);
    },
  );

  it("say default, bounds, the range of a search and the meaning", () => {
    const rows = algorithmTable("DQN").split("\n");
    expect(rows[0]).toBe("| field | default | allowed (search range) | meaning |");
    expect(rows).toContain(
      "| `double` | `false` | `true`, `false` | Chooses the next action with the online network and values it with the target network. |",
    );
    expect(rows.find((row) => row.startsWith("| `cudagraphs`"))).toContain("*No effect.*");
    const shared = sharedTable("reinforcement-learning").split("\n");
    const gamma = "| `gamma` | `0.99` | number 0 to 1 (0.9 to 0.9999) | Discount of future rewards. |";
    expect(shared[shared.indexOf(gamma) - 1]).toBe(
      "| **All but ES, AlphaZero, BC, NeuralUCB, NeuralTS** |  |  |  |",
    );
  });

  it("name the fields that have their row elsewhere, with defaults that differ", () => {
    const rows = algorithmTable("NeuralTS").split("\n");
    expect(rows.find((row) => row.startsWith("| [NeuralUCB](neural-ucb.md#fields) |"))).toContain("`lamb`");
    expect(rows.find((row) => row.startsWith("| [several algorithms]"))).toContain("`lr` (`0.003`)");
    expect(algorithmTable("NeuralUCB")).toContain("| `lamb` | `1` |");
  });

  it.each(listAlgorithms())("have every field of $name, in its row or by name", ({ name, schema }) => {
    const [text, language, learning] = [
      algorithmTable(name),
      sharedTable("language-models"),
      sharedTable("reinforcement-learning"),
    ];
    const described = (field: string): boolean => {
      const row = `| \`${field}\` | `;
      if (text.includes(row)) return true;
      const place = text.split("\n").find((line) => line.startsWith("| [") && line.includes(`\`${field}\``));
      const [, other = ""] = /^\| \[(\w+)\]/.exec(place ?? "") ?? [];
      if (other !== "") return algorithmTable(other).includes(row);
      return (place?.includes("#fields-of-language-models") ? language : learning).includes(row);
    };
    const fields = Object.keys(schema.shape).filter((field) => field !== "name");
    expect(fields.filter((field) => !described(field))).toEqual([]);
  });

  it("tell what a declared encoder must say from what is inferred", () => {
    expect(networkTable("mlp")).toContain("| `hidden_size` | required | `[64,64]` | list |");
    expect(networkTable("resnet")).toContain("| `num_blocks` | required |  |");
  });

  it("list the fields of every section", () => {
    const page = read("docs/manifest.md");
    const missing = Object.keys(SECTIONS).filter(
      (name) => !page.includes(`<!-- fields of section ${name} -->`),
    );
    expect(missing).toEqual([]);
    expect(sectionTable("mutation.rl_hp_selection")).toContain("| `min` | required | number |");
    expect(sectionTable("environment.offline")).not.toContain("`num_envs`");
    // One table stands for both.
    const [rollout, dataset] = [RolloutEnvSpec, DatasetEnvSpec].map((spec) =>
      Object.keys(z.toJSONSchema(spec, { io: "input", unrepresentable: "any" }).properties ?? {}),
    );
    expect(rollout).toEqual(dataset);
  });

  it("refuse an unknown name", () => {
    expect(() => sharedTable("nothing")).toThrow("nothing");
    expect(() => withFieldTables("<!-- fields of algorithm Nobody -->\n<!-- end of fields -->")).toThrow(
      "Nobody",
    );
    expect(() => withFieldTables("<!-- fields of section nothing -->\n<!-- end of fields -->")).toThrow(
      "nothing",
    );
    expect(() => withFieldTables("<!-- fields of network nothing -->\n<!-- end of fields -->")).toThrow(
      "nothing",
    );
  });
});

describe("pages", () => {
  it("have every algorithm that is trained", () => {
    const text = pages
      .filter((page) => page.startsWith("docs/algorithms/"))
      .map(read)
      .join("\n");
    const missing = trainedNames().filter((name) => !text.includes(`<!-- fields of algorithm ${name} -->`));
    expect(missing).toEqual([]);
    expect(text).toContain("<!-- fields of shared reinforcement-learning -->");
    expect(text).toContain("<!-- fields of shared language-models -->");
  });

  it("have every kind of network", () => {
    const text = read("docs/networks.md");
    const missing = listArchitectures()
      .map(({ arch }) => arch)
      .filter(
        (arch) => !(text.includes(`\n## ${arch}\n`) && text.includes(`<!-- fields of network ${arch} -->`)),
      );
    expect(missing).toEqual([]);
  });

  it("have every environment but the probes, whose names are combined", () => {
    const text = pages
      .filter((page) => page.startsWith("docs/environments/"))
      .map(read)
      .join("\n");
    const named = listEnvironments().filter((id) => text.includes(`\`${id}\``));
    const others = listEnvironments().filter((id) => !named.includes(id));
    const tasks = "ConstantReward|ObsDependentReward|DiscountedReward|FixedObsPolicy|Policy";
    const alone = `(${tasks})(-image|-mixed)?`;
    const probe = new RegExp(`^rlkit/(${alone}|Team(${tasks}|Follow|Shared))(-continuous)?-v0$`);
    expect(["Follow", "Shared"].filter((task) => !text.includes(`Team${task}`))).toEqual([]);
    expect(others.filter((id) => !probe.test(id))).toEqual([]);
  });
});
