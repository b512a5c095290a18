/** Parses the bodies of requests: untrusted JSON with a limit on its nesting depth, and forms. */

import { z } from "zod";
import { ApiError } from "./ApiError.ts";

/** Names that users give to runs and projects. They are never used as paths. */
export const nameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._+()-]*$/u,
    "must begin with a letter or digit, then letters, digits, spaces and ._+()-",
  );

const DEEPEST = 32;

/** @throws ApiError 400 if the text is not JSON or is nested too deeply. */
export function parseJson(text: string, what = "body"): unknown {
  if (depthOf(text) > DEEPEST)
    throw new ApiError(400, `${what}: its JSON is nested more than ${DEEPEST} levels deep`);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError(400, `${what}: is not valid JSON (${reason})`);
  }
}

/** Nesting depth of objects and arrays. Brackets in strings are ignored. */
function depthOf(text: string): number {
  let [depth, deepest, inString] = [0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === "\\") i++;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"') inString = true;
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth--;
  }
  return deepest;
}

/** Maximum number of parts. */
const MOST = 20;

/** Text parts of a form as strings, file parts as name and bytes. @throws ApiError 400 if the body is not a valid form. */
export async function formFields(bytes: Uint8Array, type: string): Promise<Record<string, unknown>> {
  const response = new Response(new Uint8Array(bytes), { headers: { "Content-Type": type } });
  const form = await response.formData().catch((error: unknown) => {
    throw new ApiError(400, "body: is not a valid form; send multipart/form-data", { cause: error });
  });
  const fields: Record<string, unknown> = {};
  for (const [name, part] of form) {
    if (Object.keys(fields).length === MOST) throw new ApiError(400, `body: has more than ${MOST} parts`);
    if (Object.hasOwn(fields, name)) throw new ApiError(400, `body: has the part ${name} twice`);
    fields[name] =
      typeof part === "string" ? part : { name: part.name, bytes: new Uint8Array(await part.arrayBuffer()) };
  }
  return fields;
}
