import { listEnvironments } from "../rl/environments.ts";
import { listAlgorithms, type SpecIssue } from "../specs/index.ts";
import { listArchitectures } from "../specs/networks.ts";
import { MODULE_HINT } from "./modules.ts";

/** For each key that holds a name which a module may register: the end of its path, and the registered names. */
const NAMES: readonly (readonly [place: RegExp, registered: () => readonly string[]])[] = [
  [/^environment\.name$/, listEnvironments],
  [/^algorithm\.name$/, () => listAlgorithms().map(({ name }) => name)],
  [/\bencoder_config\.arch$/, () => listArchitectures().map(({ arch }) => arch)],
];

/** Whether the issue is that a name is not registered. Other problems with a name list no allowed ones. */
const isUnknown = ({ code, path, allowed, found }: SpecIssue): boolean =>
  code === "value" &&
  allowed !== undefined &&
  NAMES.some(([place, registered]) => place.test(path) && !registered().includes(String(found)));

/** The issues of a manifest; one about an unknown name also says how to load the module that registers it. */
export const withModuleHint = (issues: readonly SpecIssue[]): SpecIssue[] =>
  issues.map((issue) => (isUnknown(issue) ? { ...issue, message: `${issue.message}${MODULE_HINT}` } : issue));
