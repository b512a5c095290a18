/** Parses a form into an object: text parts as strings, file parts as name and bytes. */
import { ApiError } from "./ApiError.ts";

/** Maximum number of parts. */
const MOST = 20;

/** @throws ApiError 400 if the body is not a valid form. */
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
