import { FieldError } from "../../specs/checks.ts";
import { meant, nearest } from "../../specs/messages.ts";
import { type RolloutEnvSpec, TEXT_ENVIRONMENTS } from "../../specs/sections.ts";
import { isNode } from "../../storage/files.ts";
import { isPythonAddress, moduleAddress } from "../modules/moduleProtocol.ts";
import { requireRubric } from "./rubrics.ts";

const CLASS = "export class Environment { reset(seed) {..} step(text) {..} }";

/** Fields that name code, their allowed values, and what to write instead of Python. */
const CODE = [
  [
    "entrypoint",
    `a built-in id (${TEXT_ENVIRONMENTS.join(", ")}) or a JavaScript module's export`,
    `a JavaScript module with ${CLASS} and name it as path.mjs:Environment`,
  ],
  [
    "factory",
    "a JavaScript module's function",
    "a JavaScript module with export function make(entrypoint, env_config) that returns an environment, and name it as path.mjs:make",
  ],
  [
    "observation_processor",
    "a JavaScript module's function",
    "a JavaScript module with export function read(observation) that returns a text, and name it as path.mjs:read; or observation_field",
  ],
] as const;

/**
 * @throws FieldError for Python code, for modules where they cannot be loaded, and for values that name no code.
 */
function requireCode(spec: RolloutEnvSpec, loadsModules: boolean): void {
  for (const [key, allowed, instead] of CODE) {
    const value = spec[key];
    const isBuiltIn = key === "entrypoint" && TEXT_ENVIRONMENTS.some((id) => id === value);
    // The factory interprets its entrypoint itself.
    if (value === null || isBuiltIn || (key === "entrypoint" && spec.factory !== null)) continue;
    const place = `environment.${key}`;
    const found = `found "${value}"`;
    if (moduleAddress(value) !== null) {
      if (loadsModules) continue;
      throw new FieldError(
        key,
        `${found}; a page cannot run modules that a manifest names; train with \`rlkit train\``,
        { place },
      );
    }
    if (isPythonAddress(value))
      throw new FieldError(key, `${found}; Python does not run here; write ${instead}`, { place });
    const hint = key === "entrypoint" ? meant(nearest(value, TEXT_ENVIRONMENTS)) : "";
    throw new FieldError(key, `${found}, allowed ${allowed}${hint}`, { place });
  }
}

/**
 * @param loadsModules Whether JavaScript modules can be loaded (default: only in Node).
 * @throws FieldError naming an unsupported field, with an alternative.
 */
export function requireSupported(spec: RolloutEnvSpec, loadsModules = isNode()): void {
  const own = "your own environment (an object with reset and step) in trainLlmRollout's env_factory";
  const refused = [
    ["env_url", `environments by URL are not supported; use ${own}`],
    ["env_image", `containers are not supported; use ${own}`],
    ["mcp_tool", `tools of served environments are not supported; use ${own}`],
    ["env_packages", `Python packages are not supported; use ${own}`],
  ] as const;
  for (const [key, why] of refused)
    if (spec[key] !== null)
      throw new FieldError(key, `found ${JSON.stringify(spec[key])}; ${why}`, {
        place: `environment.${key}`,
      });
  requireCode(spec, loadsModules);
  requireRubricHere(spec, loadsModules);
}

/**
 * @param loadsModules Whether JavaScript modules can be loaded (default: only in Node).
 * @throws FieldError for a rubric that cannot be used, with an alternative.
 */
export function requireRubricHere(
  { rubric_file_path: rubric, rubric_name }: Pick<RolloutEnvSpec, "rubric_file_path" | "rubric_name">,
  loadsModules = isNode(),
): void {
  if (rubric === null) return;
  requireRubric(rubric, rubric_name ?? "reward_fn");
  if (moduleAddress(rubric) !== null && !loadsModules)
    throw new FieldError(
      "rubric_file_path",
      `found "${rubric}"; a page cannot run modules that a manifest names; name a built-in rubric, or train with \`rlkit train\``,
      { place: "environment.rubric_file_path" },
    );
}
