import { type FileEntry, type FileStore, serialiser } from "../fileStore.ts";
import { sortedEntries } from "../memoryFileStore.ts";
import { pathSegments, temporaryName } from "../paths.ts";
import { unsharedBytes } from "../sha256.ts";
import { fileChanged, StorageError } from "../storageError.ts";
import { exceptionName, opfsStorageError } from "./opfsError.ts";
import { writeThrough } from "./syncAccess.ts";

/** The DOM type, if the DOM library is present; otherwise declarations that name the type would be errors. */
export type OpfsDirectory = typeof globalThis extends {
  FileSystemDirectoryHandle: { prototype: infer Handle };
}
  ? Handle
  : never;

/** Browser features to ignore; for tests of the fallbacks. */
export interface OpfsOptions {
  readonly syncAccess?: false;
  readonly move?: false;
}

/** A file handle's `move`, which the DOM's types lack. Directories have none (Chromium 156). */
interface MovableFile {
  move(parent: FileSystemDirectoryHandle, name: string): Promise<void>;
}

const atStart = (_size: number): number => 0;

/**
 * Delays between attempts to open a file that another handle locks; after a crash a lock may
 * stay for a while.
 */
const RETRY_MS = [5, 10, 20, 40, 80, 160, 320, 640];

/** Whether this browser and page have an origin private file system, which requires a secure context. */
export function hasOpfs(): boolean {
  return typeof navigator !== "undefined" && typeof navigator.storage?.getDirectory === "function";
}

/**
 * Files in the origin private file system. A dedicated worker writes through synchronous access handles: to a
 * sibling file that is flushed and then moved over the target, or in place if files have no `move`. Elsewhere
 * the store writes through `createWritable`, which replaces the file on closing.
 * @param root Directory that contains every path. Defaults to the origin's root directory.
 */
export function opfsFileStore(root?: OpfsDirectory, options: OpfsOptions = {}): FileStore {
  const serially = serialiser();
  const hasSyncAccess = options.syncAccess !== false && hasFileMethod("createSyncAccessHandle");
  const hasMove = options.move !== false && hasFileMethod("move");

  let opened: Promise<FileSystemDirectoryHandle> | undefined;
  const openRoot = (): Promise<FileSystemDirectoryHandle> => {
    if (root !== undefined) return Promise.resolve(root);
    if (!hasOpfs()) {
      throw new StorageError(
        "io",
        "/",
        "this browser provides no storage for pages; use a current browser, over https",
      );
    }
    opened ??= navigator.storage.getDirectory();
    return opened;
  };

  const directory = async (
    segments: readonly string[],
    create: boolean,
  ): Promise<FileSystemDirectoryHandle> => {
    let handle = await openRoot();
    for (const segment of segments) handle = await handle.getDirectoryHandle(segment, { create });
    return handle;
  };
  const locate = async (path: string, create: boolean): Promise<[FileSystemDirectoryHandle, string]> => {
    const segments = pathSegments(path);
    const name = segments.pop();
    if (name === undefined) throw new StorageError("io", path, "names no file; use a path with a name");
    return [await directory(segments, create), name];
  };

  /**
   * Writes through a synchronous access handle on an existing or new file.
   * @param start Returns the write position for the file's length; throws if the file must not be written.
   */
  const writeSync = async (file: FileSystemFileHandle, bytes: Uint8Array, path: string, start = atStart) => {
    const access = await retryLocked(() => file.createSyncAccessHandle());
    try {
      writeThrough(access, unsharedBytes(bytes), start(access.getSize()), path);
    } finally {
      access.close();
    }
  };
  const writeAsync = async (file: FileSystemFileHandle, bytes: Uint8Array, path: string, start = atStart) => {
    const position = start((await file.getFile()).size);
    const stream = await retryLocked(() => file.createWritable({ keepExistingData: position > 0 }));
    try {
      await stream.write({ type: "write", position, data: unsharedBytes(bytes) });
    } catch (error) {
      await stream.abort().catch(() => undefined);
      throw error;
    }
    await stream.close();
    const { size } = await file.getFile();
    if (size !== position + bytes.byteLength) {
      throw new StorageError(
        "io",
        path,
        `holds ${size} bytes after writing, not ${position + bytes.byteLength}`,
      );
    }
  };

  const replace = async (path: string, bytes: Uint8Array): Promise<void> => {
    const [parent, name] = await locate(path, true);
    if (!hasSyncAccess) {
      return writeAsync(await parent.getFileHandle(name, { create: true }), bytes, path);
    }
    if (!hasMove) return writeSync(await parent.getFileHandle(name, { create: true }), bytes, path);
    const temporary = temporaryName(name);
    try {
      const file = await parent.getFileHandle(temporary, { create: true });
      await writeSync(file, bytes, path);
      await move(file, parent, name);
    } catch (error) {
      await parent.removeEntry(temporary).catch(() => undefined);
      throw error;
    }
  };

  const readWhole = async (path: string): Promise<Uint8Array> => {
    const [parent, name] = await locate(path, false);
    const file = await parent.getFileHandle(name);
    // A snapshot becomes unreadable if another handle writes in the meantime; a new one is readable.
    return retryLocked(async () => new Uint8Array(await (await file.getFile()).arrayBuffer()));
  };

  const guard = async <T>(path: string, bytes: number, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw opfsStorageError(error, path, bytes);
    }
  };
  const keyOf = (path: string): string => pathSegments(path).join("/");

  return {
    kind: "opfs",
    read: (path) => guard(path, 0, () => readWhole(path)),
    blob: (path) =>
      guard(path, 0, async () => {
        const [parent, name] = await locate(path, false);
        return (await parent.getFileHandle(name)).getFile();
      }),
    write: (path, bytes) =>
      guard(path, bytes.byteLength, () => serially(keyOf(path), () => replace(path, bytes))),
    append: (path, bytes, expected) =>
      guard(path, bytes.byteLength, () =>
        serially(keyOf(path), async () => {
          const [parent, name] = await locate(path, true);
          const file = await parent.getFileHandle(name, { create: true });
          await (hasSyncAccess ? writeSync : writeAsync)(file, bytes, path, (size) => {
            if (expected !== undefined && size !== expected) throw fileChanged(path, size, expected);
            return size;
          });
        }),
      ),
    rename: (from, to) =>
      guard(from, 0, () =>
        serially(keyOf(to), async () => {
          const [parent, name] = await locate(from, false);
          const file = await parent.getFileHandle(name);
          if (hasMove) {
            const [target, targetName] = await locate(to, true);
            await move(file, target, targetName);
          } else {
            await replace(to, await readWhole(from));
            await parent.removeEntry(name);
          }
        }),
      ),
    list: (dir) =>
      guard(dir, 0, async () => {
        const handle = await orNull(() => directory(pathSegments(dir), false));
        if (handle === null) return [];
        const entries: FileEntry[] = [];
        for await (const [name, entry] of handle.entries()) {
          const found = await orNull(() => describe(name, entry));
          if (found !== null) entries.push(found);
        }
        return sortedEntries(entries);
      }),
    exists: (path) =>
      guard(path, 0, async () => {
        const segments = pathSegments(path);
        const name = segments.pop();
        if (name === undefined) return true;
        try {
          await (await directory(segments, false)).getFileHandle(name);
          return true;
        } catch (error) {
          if (exceptionName(error) === "NotFoundError") return false;
          // The name is a directory's, or a part of the path is a file.
          if (exceptionName(error) !== "TypeMismatchError") throw error;
          return orNull(() => directory([...segments, name], false)).then(
            (found) => found !== null,
            () => false,
          );
        }
      }),
    remove: (path) =>
      guard(path, 0, async () => {
        const segments = pathSegments(path);
        const name = segments.pop();
        const parent = await orNull(() => directory(segments, false));
        if (parent === null) return;
        const names = name === undefined ? await namesIn(parent) : [name];
        for (const entry of names) {
          await orNull(() => retryLocked(() => parent.removeEntry(entry, { recursive: true })));
        }
      }),
    async estimate() {
      const { usage, quota } = await guard("/", 0, () => navigator.storage.estimate());
      return usage === undefined || quota === undefined ? null : { used: usage, quota };
    },
  };
}

function hasFileMethod(name: "createSyncAccessHandle" | "move"): boolean {
  return typeof FileSystemFileHandle !== "undefined" && name in FileSystemFileHandle.prototype;
}

function isMovable(file: FileSystemFileHandle): file is FileSystemFileHandle & MovableFile {
  return "move" in file;
}

async function move(
  file: FileSystemFileHandle,
  parent: FileSystemDirectoryHandle,
  name: string,
): Promise<void> {
  if (!isMovable(file)) throw new TypeError("file handles have no move");
  await retryLocked(() => file.move(parent, name));
}

async function describe(name: string, handle: FileSystemHandle): Promise<FileEntry> {
  if (!isFileHandle(handle)) return { name, kind: "directory", size: 0 };
  return { name, kind: "file", size: (await handle.getFile()).size };
}

function isFileHandle(handle: FileSystemHandle): handle is FileSystemFileHandle {
  return handle.kind === "file";
}

async function namesIn(directory: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const name of directory.keys()) names.push(name);
  return names;
}

/** The result, or null if the file or directory does not exist. */
async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (exceptionName(error) === "NotFoundError") return null;
    throw error;
  }
}

async function retryLocked<T>(work: () => Promise<T>): Promise<T> {
  for (const wait of RETRY_MS) {
    try {
      return await work();
    } catch (error) {
      if (!["NoModificationAllowedError", "NotReadableError"].includes(exceptionName(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return work();
}
