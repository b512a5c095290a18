import { checkManifestText, parseManifestText } from "./manifestText.ts";
import {
  checkManifest,
  type ManifestResult,
  type ParseManifestOptions,
  parseManifestObject,
} from "./parseManifestObject.ts";
import type { TrainingManifest, TrainingManifestInput } from "./TrainingManifest.ts";

/** YAML or JSON text, an object of either form, or a manifest that was parsed before. */
export type ManifestInput =
  | string
  | TrainingManifestInput
  | TrainingManifest
  | Readonly<Record<string, unknown>>;

/**
 * Validates a manifest and fills in its defaults; the input is left as it is.
 *
 * @param input Text is YAML or JSON, never a file's path.
 * @throws {@link SpecError} listing every problem; for text, with line and column.
 */
export function parseManifest(input: ManifestInput, options: ParseManifestOptions = {}): TrainingManifest {
  return typeof input === "string" ? parseManifestText(input, options) : parseManifestObject(input, options);
}

/** As {@link parseManifest}, with the issues returned instead of thrown. */
export function validateManifest(input: ManifestInput, options: ParseManifestOptions = {}): ManifestResult {
  return typeof input === "string" ? checkManifestText(input, options) : checkManifest(input, options);
}
