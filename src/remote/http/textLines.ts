/** Longest line, in characters: an endless one must not fill the memory. */
const LONGEST_LINE = 16_000_000;

/**
 * The lines of a body as they come, without their ends (LF or CR LF); the last one may lack its end.
 * @throws RangeError for a line of more than 16 million characters; what reading the body throws.
 */
export async function* textLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield line.replace(/\r$/, "");
      if (rest.length > LONGEST_LINE) throw new RangeError("the platform sent a line without an end");
      if (!done) continue;
      if (rest !== "") yield rest;
      return;
    }
  } finally {
    // Who stops reading lets the connection go; one that failed has none.
    await reader.cancel().catch(() => undefined);
  }
}
