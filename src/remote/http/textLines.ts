/** Longest line in characters, so that an endless line cannot fill the memory. */
const LONGEST_LINE = 16_000_000;

/**
 * The lines of a body as they arrive, without line endings (LF or CR LF). The last line may lack its ending.
 * @throws RangeError for a line of more than 16 million characters; errors of reading the body.
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
      if (rest.length > LONGEST_LINE) throw new RangeError("the platform sent a line that does not end");
      if (!done) continue;
      if (rest !== "") yield rest;
      return;
    }
  } finally {
    // Releases the connection when the consumer stops early. After a failure, cancelling may reject.
    await reader.cancel().catch(() => undefined);
  }
}
