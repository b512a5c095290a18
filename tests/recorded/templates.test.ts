/**
 * Fingerprints of every template: what it says, what a run from it is given, and how its manifest is parsed and exported.
 * After a wanted change of a template, and only then: npx vitest run tests/recorded/templates.test.ts -u
 */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import {
  manifestToJson,
  manifestToYaml,
  parseManifest,
  type TrainingManifest,
  templates,
} from "../../src/manifests/index.ts";

/** Defaults of fields that were added after the recording. */
const ADDED = { learn_from: "own", max_replay_ratio: 8 };

/** The parsed manifest without those fields. */
function recorded(parsed: TrainingManifest): object {
  expect(parsed.training).toMatchObject(ADDED);
  const training = Object.entries(parsed.training).filter(([name]) => !(name in ADDED));
  return { ...parsed, training: Object.fromEntries(training) };
}

const fingerprint = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

it("templates stay as they were recorded, in their order", async () => {
  const found = templates.map(({ id, title, description, manifest }) => {
    const parsed = parseManifest(manifest);
    return {
      id,
      said: fingerprint(`${title}\n${description}`),
      manifest: fingerprint(JSON.stringify(manifest)),
      parsed: fingerprint(JSON.stringify(recorded(parsed))),
      yaml: fingerprint(manifestToYaml(parsed)),
      json: fingerprint(manifestToJson(parsed)),
    };
  });
  await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot("./templates.json");
});
