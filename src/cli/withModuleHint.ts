import type { SpecIssue } from "../specs/index.ts";
import { MODULE_HINT } from "./modules.ts";

/** Whether the environment is none of those that are registered. Other problems with its name list no allowed ones. */
const isUnknown = ({ code, path, allowed }: SpecIssue): boolean =>
  path === "environment.name" && code === "value" && allowed !== undefined;

/** The issues of a manifest; one about an unknown environment also says how to load the module that registers it. */
export const withModuleHint = (issues: readonly SpecIssue[]): SpecIssue[] =>
  issues.map((issue) => (isUnknown(issue) ? { ...issue, message: `${issue.message}${MODULE_HINT}` } : issue));
