/** A network's modules as JSON values in agent files. */
import { z } from "zod";
import { listModules, type ModuleData } from "../../rl/modules/moduleData.ts";
import { show } from "../../specs/explainName.ts";
import { isMapping } from "../../specs/isMapping.ts";

/** Any module's data, as the definition of its kind has it; kinds that are registered later too. */
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
    // To go on makes a union with what is no module's data, as an encoder is, report this and not that nothing fits.
    context.issues.push({ code: "custom", path: ["kind"], message, input: raw.kind, continue: true });
    return z.NEVER;
  }
  const { data, error } = definition.schema.safeParse(raw);
  if (data !== undefined) return data;
  for (const { path, message } of error.issues)
    context.issues.push({ code: "custom", path, message, input: raw });
  return z.NEVER;
});
