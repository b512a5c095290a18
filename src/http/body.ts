/** The body of a response, read as it arrives. */

/** A body whose length is not known in advance. */
type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * The bytes of a body as they arrive.
 *
 * @param within Limits the wait for each chunk (default: no limit)
 * @throws errors of reading the body.
 */
export async function* bodyChunks(
  body: Body,
  within: <T>(read: Promise<T>) => Promise<T> = (read) => read,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await within(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // Releases the connection when the consumer stops early. After a failure, cancelling may reject.
    await reader.cancel().catch(() => undefined);
  }
}

/** The text of a body, up to about `most` bytes; the rest is not read. @throws errors of reading the body. */
export async function boundedText(body: Body | null, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let read = 0;
  for await (const chunk of body ? bodyChunks(body) : []) {
    text += decoder.decode(chunk, { stream: true });
    read += chunk.length;
    if (read >= most) return text;
  }
  return text + decoder.decode();
}

/** Longest line in characters, so that an endless line cannot fill the memory. */
const LONGEST_LINE = 16_000_000;

/**
 * The lines of a body as they arrive, without line endings (LF or CR LF). The last line may lack its ending.
 * @throws RangeError for a line of more than 16 million characters; errors of reading the body.
 */
export async function* textLines(body: Body): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bodyChunks(body)) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
    if (rest.length > LONGEST_LINE) throw new RangeError("the platform sent a line that does not end");
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
