/** JSON that was deflated and written in base64, as the generated modules hold it. */
export async function inflate<T>(packed: string): Promise<T> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  // The modules are a part of the site, and a test reads them.
  return (await new Response(inflated).json()) as T;
}
