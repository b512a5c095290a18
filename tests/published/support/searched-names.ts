import { z } from "zod";
import { SECTIONS } from "../../../scripts/docs/sections.ts";
import { trainedNames } from "../../../src/agents/members.ts";
import { algorithmDefinition, type SpecIssueCode } from "../../../src/manifests/index.ts";
import { listEnvironments } from "../../../src/rl/environments.ts";
import { listArchitectures } from "../../../src/rl/networks.ts";
import type { TrainingEvent } from "../../../src/tracking/observer.ts";

/** All codes and events: a missing or an unknown one is an error of types. */
const CODES: Readonly<Record<SpecIssueCode, true>> = {
  missing: true,
  type: true,
  range: true,
  value: true,
  unknown_key: true,
  unsupported: true,
  rule: true,
  syntax: true,
};
const EVENTS: Readonly<Record<TrainingEvent["event"], true>> = {
  generation: true,
  progress: true,
  checkpoint: true,
  completions: true,
  download: true,
  warning: true,
  champion: true,
  end: true,
};

const fieldsOf = (schema: z.ZodType): readonly string[] =>
  Object.keys(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }).properties ?? {});

/** What someone may look for by its name. */
export const searchedNames = (): readonly string[] => [
  ...Object.values(SECTIONS).flatMap(({ schema }) => fieldsOf(schema)),
  ...trainedNames(),
  ...trainedNames().flatMap((name) => fieldsOf(algorithmDefinition(name).schema)),
  ...listArchitectures().map(({ arch }) => arch),
  ...listEnvironments(),
  ...Object.keys(CODES),
  ...Object.keys(EVENTS),
];
