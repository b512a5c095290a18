/** Schema of a network's modules in the JSON of agent files. */
import { z } from "zod";
import { listModules, type ModuleData } from "../../rl/networks.ts";
import { isMapping, show } from "../../specs/messages.ts";

/** Marks the issue of a module whose kind is not registered. */
export const UNKNOWN_KIND = { unknown: "kind" };

/** Data of any module, checked by the schema of its kind; includes kinds that are registered later. */
export const moduleData: z.ZodType<ModuleData> = z.unknown().transform((raw, context): ModuleData => {
  if (!isMapping(raw)) {
    context.issues.push({ code: "invalid_type", expected: "object", input: raw });
    return z.NEVER;
  }
  const modules = listModules();
  const definition = modules.find(({ kind }) => kind === raw.kind);
  if (!definition) {
    const known = modules.map(({ kind }) => kind).join(", ");
    const message = `found ${show(raw.kind)}, allowed: ${known}`;
    // With `continue`, a union (such as an encoder) reports this issue instead of a generic "no member
    // matches".
    context.issues.push({
      code: "custom",
      path: ["kind"],
      message,
      params: UNKNOWN_KIND,
      input: raw.kind,
      continue: true,
    });
    return z.NEVER;
  }
  const { data, error } = definition.schema.safeParse(raw);
  if (data !== undefined) return data;
  for (const { path, message } of error.issues)
    context.issues.push({ code: "custom", path, message, input: raw });
  return z.NEVER;
});
