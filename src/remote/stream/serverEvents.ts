/** Parses server-sent events from the lines of their stream (HTML Standard, 9.2.6). */

export interface ServerEvent {
  /** `null` for an event without an id. */
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/**
 * Yields the events of a stream. An incomplete event at the end is dropped.
 * @param onRetry Called with the time to wait before reconnecting, in ms.
 */
export async function* serverEvents(
  lines: AsyncIterable<string>,
  onRetry: (ms: number) => void,
): AsyncGenerator<ServerEvent, void, undefined> {
  let block: { id: string | null; event: string; data: string[] } = { id: null, event: "message", data: [] };
  for await (const line of lines) {
    if (line === "") {
      const { data, ...event } = block;
      if (data.length > 0) yield { ...event, data: data.join("\n") };
      block = { id: null, event: "message", data: [] };
      continue;
    }
    // A line that starts with a colon is a comment, without a field name.
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === "event") block.event = value;
    else if (field === "data") block.data.push(value);
    else if (field === "id") block.id = value;
    else if (field === "retry" && /^\d+$/.test(value)) onRetry(Number(value));
  }
}
