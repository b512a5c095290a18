/** The buffers of all typed arrays in plain data, each once, for transfer instead of copying. */
export function transferables(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    if (ArrayBuffer.isView(part)) {
      if (part.buffer instanceof ArrayBuffer) found.add(part.buffer);
      return;
    }
    for (const inner of Object.values(part)) visit(inner);
  };
  visit(value);
  return [...found];
}
