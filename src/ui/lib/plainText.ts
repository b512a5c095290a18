/** A value as text: scalars as they are, the rest as JSON. */
export function plainText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : (JSON.stringify(value) ?? "");
}
