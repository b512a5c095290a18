import type { SpecIssue } from "../specs/index.ts";
import { MODULE_HINT } from "./modules.ts";

/** The issues of a manifest; one about an unknown environment also says how to load the module that registers it. */
export const withModuleHint = (issues: readonly SpecIssue[]): SpecIssue[] =>
  issues.map((issue) =>
    issue.path === "environment.name" && issue.message.startsWith("unknown environment")
      ? { ...issue, message: `${issue.message}${MODULE_HINT}` }
      : issue,
  );
