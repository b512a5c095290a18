/** Parses untrusted JSON, with a limit on its nesting depth. */
import { ApiError } from "./ApiError.ts";

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
