import { bodyChunks } from "./bodyChunks.ts";

/** Longest line in characters, so that an endless line cannot fill the memory. */
const LONGEST_LINE = 16_000_000;

/**
 * The lines of a body as they arrive, without line endings (LF or CR LF). The last line may lack its ending.
 * @throws RangeError for a line of more than 16 million characters; errors of reading the body.
 */
export async function* textLines(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string, void, undefined> {
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
