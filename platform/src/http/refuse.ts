import { SpecError } from "../../../src/specs/index.ts";

/** Rejects a field of a submission. @throws SpecError always. */
export function refuse(path: string, message: string): never {
  throw new SpecError([{ code: "unsupported", path, segments: path.split("."), message }], "submission");
}
