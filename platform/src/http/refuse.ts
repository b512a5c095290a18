import { SpecError } from "../../../src/specs/index.ts";

/** Refuses a field of a submission. @throws SpecError. */
export function refuse(path: string, message: string): never {
  throw new SpecError([{ code: "unsupported", path, segments: [path], message }], "submission");
}
