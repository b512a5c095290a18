import type { FileHandle } from "node:fs/promises";
import {
  access,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  statfs,
} from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { FileStore } from "../fileStore.ts";
import { sortedEntries } from "../memoryFileStore.ts";
import { pathSegments, temporaryName } from "../paths.ts";
import {
  codeOf,
  fileChanged,
  notFound,
  reasonOf,
  StorageError,
  storageFull,
  storageLocked,
} from "../storageError.ts";
import { diskFile } from "./DiskFile.ts";

/**
 * Files on the disk. A write goes to a sibling file, which is synced and renamed over the target.
 * @param root Directory that contains every path, with `..` rejected, and with no file read through a link that
 *   leads out of it. Without it, paths are relative to the working directory, or absolute.
 */
export function nodeFileStore(root?: string): FileStore {
  const locate = (path: string): string =>
    root === undefined ? resolve(path) : join(resolve(root), ...pathSegments(path));

  /** The system path of a file that is read. @throws StorageError for a link that leads out of the root. */
  const inside = async (path: string): Promise<string> => {
    if (root === undefined) return locate(path);
    const [directory, file] = [await realpath(resolve(root)), await realpath(locate(path))];
    if (file === directory || file.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`))
      return file;
    throw new StorageError("io", path, "is a link that leads out of its directory; give the file itself");
  };

  return {
    kind: "disk",
    isRooted: root !== undefined,
    async read(path) {
      return guard(path, 0, async () => new Uint8Array(await readFile(await inside(path))));
    },
    async blob(path) {
      const place = await guard(path, 0, () => inside(path));
      return diskFile({ path, place, guard: (work) => guard(path, 0, work) });
    },
    // What reads a file itself could follow a link in it, such as one of HDF5, out of the root.
    ...(root === undefined ? { pathOf: locate } : {}),
    async write(path, bytes) {
      const target = locate(path);
      await guard(path, bytes.byteLength, async () => {
        await makeParents(target);
        const temporary = join(dirname(target), temporaryName(basename(target)));
        try {
          const handle = await open(temporary, "wx");
          try {
            await writeWhole(handle, bytes);
            await handle.sync();
            await verifySize(handle, bytes.byteLength, path);
          } finally {
            await handle.close();
          }
          await rename(temporary, target);
        } catch (error) {
          await rm(temporary, { force: true });
          throw error;
        }
        await syncDirectory(dirname(target));
      });
    },
    async append(path, bytes, expected) {
      const target = locate(path);
      await guard(path, bytes.byteLength, async () => {
        await makeParents(target);
        const handle = await open(target, "a");
        try {
          const before = (await handle.stat()).size;
          if (expected !== undefined && before !== expected) throw fileChanged(path, before, expected);
          try {
            await writeWhole(handle, bytes);
            await handle.sync();
            await verifySize(handle, before + bytes.byteLength, path);
          } catch (error) {
            await handle.truncate(before);
            throw error;
          }
        } finally {
          await handle.close();
        }
      });
    },
    async rename(from, to) {
      const target = locate(to);
      await guard(from, 0, async () => {
        await makeParents(target);
        await rename(locate(from), target);
        await syncDirectory(dirname(target));
      });
    },
    async list(dir) {
      const directory = locate(dir);
      return guard(dir, 0, async () => {
        const names = await readdir(directory).catch((error: unknown) => {
          if (codeOf(error) === "ENOENT") return [];
          throw error;
        });
        const entries = await Promise.all(
          names.map(async (name) => {
            const info = await stat(join(directory, name)).catch(() => null);
            if (info?.isDirectory()) return { name, kind: "directory" as const, size: 0 };
            return info?.isFile() ? { name, kind: "file" as const, size: info.size } : null;
          }),
        );
        return sortedEntries(entries.filter((entry) => entry !== null));
      });
    },
    async exists(path) {
      return isThere(locate(path));
    },
    async isLink(path) {
      return guard(
        path,
        0,
        async () => (await lstat(locate(path)).catch(() => null))?.isSymbolicLink() ?? false,
      );
    },
    async remove(path) {
      await guard(path, 0, () => rm(locate(path), { recursive: true, force: true }));
    },
    async estimate() {
      // The root may not exist before the first write, so the nearest existing parent directory is used.
      for (let dir = locate("."); ; dir = dirname(dir)) {
        const info = await statfs(dir).catch(() => null);
        if (info !== null) {
          const used = (info.blocks - info.bfree) * info.bsize;
          return { used, quota: used + info.bavail * info.bsize };
        }
        if (dir === dirname(dir)) return null;
      }
    },
  };
}

async function writeWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.byteLength; ) {
    const { bytesWritten } = await handle.write(bytes, offset, bytes.byteLength - offset);
    if (bytesWritten <= 0) throw Object.assign(new Error("the disk accepted no bytes"), { code: "ENOSPC" });
    offset += bytesWritten;
  }
}

async function verifySize(handle: FileHandle, expected: number, path: string): Promise<void> {
  const { size } = await handle.stat();
  if (size !== expected) {
    throw new StorageError("io", path, `holds ${size} bytes after writing, not ${expected}; check the disk`);
  }
}

/**
 * Creates the directories above `target` and syncs them; otherwise a power cut could lose the
 * names of synced files.
 */
async function makeParents(target: string): Promise<void> {
  const directory = dirname(target);
  const first = await makeDirectories(directory);
  if (first === undefined) return;
  const stop = dirname(first);
  for (let dir = dirname(directory); dir.length >= stop.length; dir = dirname(dir)) {
    await syncDirectory(dir);
    if (dir === stop) break;
  }
}

/**
 * Creates a directory and its parents. Node's recursive `mkdir` never ends if an existing directory accepts
 * no new ones, such as /proc.
 * @returns the first directory created.
 */
async function makeDirectories(directory: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let dir = directory; !(await isThere(dir)); dir = dirname(dir)) {
    missing.unshift(dir);
    if (dir === dirname(dir)) break;
  }
  for (const dir of missing) {
    await mkdir(dir).catch((error: unknown) => {
      // Another process created it in the meantime.
      if (codeOf(error) === "EEXIST") return;
      if (codeOf(error) !== "ENOENT") throw error;
      const message = "no directory can be created in its parent directory; choose another path";
      throw new StorageError("io", dir, message, { cause: error });
    });
  }
  return missing[0];
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Syncs a directory if the system supports it. Windows does not, and refuses to open one. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r").catch(() => null);
  if (handle === null) return;
  try {
    await handle.sync();
  } catch (error) {
    if (!["EPERM", "EINVAL", "ENOTSUP", "EBADF"].includes(codeOf(error))) throw error;
  } finally {
    await handle.close();
  }
}

async function guard<T>(path: string, bytes: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw nodeStorageError(error, path, bytes);
  }
}

/** The `StorageError` for a failed system call on `path`; `bytes` is the number of bytes it was to write. */
export function nodeStorageError(error: unknown, path: string, bytes: number): StorageError {
  if (error instanceof StorageError) return error;
  const cause = { cause: error };
  switch (codeOf(error)) {
    case "ENOENT":
      return notFound(path, cause);
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return storageFull(path, bytes, cause);
    case "EBUSY":
    case "ETXTBSY":
      return storageLocked(path, cause);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new StorageError("io", path, "this user may not write or read here; choose another path", cause);
    case "EISDIR":
      return new StorageError(
        "io",
        path,
        "is a directory where a file was expected; use another name",
        cause,
      );
    case "ENOTDIR":
    case "EEXIST":
      return new StorageError(
        "io",
        path,
        "a part of the path is a file, not a directory; use another path",
        cause,
      );
    default:
      return new StorageError("io", path, `${reasonOf(error)}; check the disk and the path`, cause);
  }
}
