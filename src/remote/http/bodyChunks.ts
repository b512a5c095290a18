/** The bytes of a body as they arrive. @throws errors of reading the body. */
export async function* bodyChunks(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Releases the connection when the consumer stops early. After a failure, cancelling may reject.
    await reader.cancel().catch(() => undefined);
  }
}
