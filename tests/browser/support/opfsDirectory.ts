/** An empty directory of the origin's file system for the length of one test. */
export async function withOpfsDirectory<T>(
  work: (root: FileSystemDirectoryHandle) => Promise<T>,
): Promise<T> {
  const origin = await navigator.storage.getDirectory();
  const name = `test-${crypto.randomUUID()}`;
  try {
    return await work(await origin.getDirectoryHandle(name, { create: true }));
  } finally {
    await origin.removeEntry(name, { recursive: true });
  }
}
