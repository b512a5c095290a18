import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseManifest, templates } from "../../../src/manifests/index.ts";
import {
  editManifest,
  type FieldEdit,
  fieldText,
} from "../../../src/ui/pages/editor/document/editManifest.ts";
import {
  type ManifestDocument,
  type ManifestPath,
  numberOf,
  readManifest,
} from "../../../src/ui/pages/editor/document/ManifestDocument.ts";
import { convertManifest, manifestText } from "../../../src/ui/pages/editor/document/writeManifest.ts";

function read(text: string): ManifestDocument {
  const result = readManifest(text);
  if (!result.ok) throw new Error(result.message);
  return result.manifest;
}

const edited = (text: string, path: ManifestPath, edit: FieldEdit): string =>
  editManifest(read(text), path, edit);
const number = (text: string): FieldEdit => ({ kind: "number", text });

const MANIFEST = `# my best run
algorithm:
  name: DQN
  lr: 1e-4 # found by hand

environment:
  name: "CartPole-v1"
training:
  max_steps: 1_000_000
  evo_steps: 10_000
network:
  encoder_config:
    hidden_size: [64, 64]
`;

describe("editing a manifest's text", () => {
  it("changes one value and nothing else", () => {
    expect(edited(MANIFEST, ["algorithm", "lr"], number("3e-4"))).toBe(MANIFEST.replace("1e-4", "3e-4"));
  });

  it("keeps numbers as they are written", () => {
    const text = edited(MANIFEST, ["training", "evo_steps"], number("20_000"));
    expect(text).toContain("max_steps: 1_000_000");
    expect(text).toContain("evo_steps: 20_000");
    expect(read(text).values.training).toEqual({ max_steps: 1_000_000, evo_steps: 20_000 });
  });

  it("writes text that is no number as it is, for the check to name", () => {
    const text = edited(MANIFEST, ["training", "max_steps"], number("many"));
    expect(read(text).values.training).toMatchObject({ max_steps: "many" });
  });

  it("adds a key, and the sections above it", () => {
    const text = edited(MANIFEST, ["mutation", "probabilities", "no_mut"], number("0.5"));
    expect(text.startsWith(MANIFEST)).toBe(true);
    expect(read(text).values.mutation).toEqual({ probabilities: { no_mut: 0.5 } });
  });

  it("fills a section that is empty", () => {
    const text = edited("algorithm:\n  name: DQN\nnetwork:\n", ["network", "latent_dim"], number("32"));
    expect(read(text).values).toEqual({ algorithm: { name: "DQN" }, network: { latent_dim: 32 } });
  });

  it("unsets a key, and mappings below a section that are empty then, but no section", () => {
    const text = edited(MANIFEST, ["network", "encoder_config", "hidden_size"], { kind: "unset" });
    expect(read(text).values.network).toEqual({});
    expect(edited(MANIFEST, ["network", "nothing", "here"], { kind: "unset" })).toBe(MANIFEST);
  });

  it("writes lists in one line", () => {
    const text = edited(MANIFEST, ["network", "encoder_config", "hidden_size"], {
      kind: "numbers",
      text: "128,32",
    });
    expect(text).toContain("hidden_size: [128, 32]");
  });

  it("quotes words that other readers of YAML take for something else", () => {
    const text = edited(MANIFEST, ["training", "name"], { kind: "value", value: "no" });
    expect(text).toContain(`name: "no"`);
  });

  it("works on JSON, which stays JSON", () => {
    const json = convertManifest(read(MANIFEST), "json");
    const text = edited(json, ["algorithm", "lr"], number("3e-4"));
    expect(text).toContain(`"lr": 3e-4`);
    expect(JSON.parse(text)).toMatchObject({ algorithm: { name: "DQN", lr: 3e-4 } });
  });

  it("shows a value as it is written", () => {
    const document = read(MANIFEST);
    expect(fieldText(document, ["algorithm", "lr"])).toBe("1e-4");
    expect(fieldText(document, ["training", "max_steps"])).toBe("1_000_000");
    expect(fieldText(document, ["network", "encoder_config", "hidden_size"])).toBe("64, 64");
    expect(fieldText(document, ["training", "pop_size"])).toBe("");
  });

  it("shows and reads any number that was typed", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), (text) => {
        const value = Number(text);
        expect(numberOf(text)).toBe(value);
        const document = read(edited(MANIFEST, ["algorithm", "lr"], number(text)));
        expect(document.values.algorithm).toMatchObject({ lr: value });
        expect(fieldText(document, ["algorithm", "lr"])).toBe(text);
      }),
    );
  });
});

describe("manifests as text", () => {
  it.each(templates.map((template) => [template.id, template.manifest] as const))(
    "hold template %s in both formats",
    (_, manifest) => {
      const yaml = manifestText(manifest, "yaml");
      const json = convertManifest(read(yaml), "json");
      const expected = parseManifest(manifest);
      expect(parseManifest(yaml)).toEqual(expected);
      expect(parseManifest(JSON.parse(json))).toEqual(expected);
      expect(parseManifest(convertManifest(read(json), "yaml"))).toEqual(expected);
    },
  );
});

describe("reading a manifest's text", () => {
  it("names the line where the syntax breaks", () => {
    expect(readManifest("algorithm:\n  name: [DQN\n")).toMatchObject({ ok: false, line: 3 });
  });

  it.each(["just words", "- a\n- list", "42"])("refuses %j, which is no mapping", (text) => {
    expect(readManifest(text)).toMatchObject({ ok: false });
  });

  it("takes an empty text for an empty manifest", () => {
    expect(read("").values).toEqual({});
    expect(read("# nothing yet\n").values).toEqual({});
  });
});
