import { IO_TIMEOUT_S } from "../../llm/environments.ts";
import { UserModules } from "../../llm/modules.ts";
import { SandboxedModule } from "../../sandbox/modules.ts";
import { openSandbox } from "../../sandbox/sandboxes.ts";
import type { RolloutEnvSpec } from "../../specs/sections.ts";
import type { ModuleTexts } from "../loop/WorkloadDefinition.ts";

/** Time limit in seconds for an answer of a module whose author may not be the person who runs it. */
const SANDBOXED_S = 10;

/**
 * The modules that an environment names.
 * @param texts Modules as text, by path; no others are allowed. By default, modules are files.
 */
export function modulesOf(
  { request_timeout_s }: Pick<RolloutEnvSpec, "request_timeout_s">,
  texts?: ModuleTexts,
): Promise<UserModules> {
  if (!texts) return UserModules.of({ deadline_s: request_timeout_s ?? IO_TIMEOUT_S });
  const given = new Map(Object.entries(texts));
  const timeout_s = Math.min(request_timeout_s ?? SANDBOXED_S, SANDBOXED_S);
  return UserModules.of({ deadline_s: timeout_s }, (path) => {
    const script = given.get(path);
    if (script === undefined)
      throw new Error(`module ${path}: was not given; allowed ${[...given.keys()].join(", ")}`);
    return new SandboxedModule(openSandbox, { name: path, script, timeout_s });
  });
}
