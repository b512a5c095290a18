/** HDF5 files, read with h5wasm, which is loaded when the first file is opened. */
import { importOptional } from "../../kernels/devices.ts";
import type { DataHandle } from "../Column.ts";
import { DatasetError } from "../DatasetError.ts";

/** A file that is open for writing in h5wasm's file system. */
interface OpenedFile {
  readonly fd: number;
}

/** The part of h5wasm that this library uses. */
export interface Hdf5 {
  readonly File: new (path: string, mode: "r" | "w") => Hdf5File;
  readonly FS: {
    readFile(path: string): Uint8Array;
    /** With `canOwn`, the file uses the bytes themselves instead of a copy. */
    writeFile(path: string, bytes: Uint8Array, options: { readonly canOwn: true }): void;
    open(path: string, flags: "w"): OpenedFile;
    truncate(path: string, size: number): void;
    write(file: OpenedFile, bytes: Uint8Array, offset: number, length: number, position: number): number;
    close(file: OpenedFile): void;
    unlink(path: string): void;
    mkdir(path: string): void;
    rmdir(path: string): void;
    mount(kind: unknown, options: object, path: string): void;
    unmount(path: string): void;
    /** In workers, WORKERFS reads a browser's files without copying them. */
    readonly filesystems: { readonly WORKERFS?: unknown };
  };
}

export interface Hdf5Group extends DataHandle {
  create_group(name: string): Hdf5Group;
  create_attribute(
    name: string,
    data: unknown,
    shape?: readonly number[] | null,
    dtype?: string | null,
  ): void;
  create_dataset(options: {
    readonly name: string;
    readonly data: ArrayBufferView;
    readonly shape: readonly number[];
    readonly maxshape: readonly (number | null)[];
    readonly chunks: readonly number[];
  }): unknown;
}

export interface Hdf5File extends Hdf5Group {
  readonly file_id: bigint;
  close(): unknown;
}

interface Hdf5Module extends Pick<Hdf5, "File"> {
  readonly ready: Promise<Pick<Hdf5, "FS">>;
}

let loading: Promise<Hdf5> | null = null;

/** Loads the library with its in-memory file system, once. */
export function loadHdf5(): Promise<Hdf5> {
  loading ??= importHdf5()
    .then(async ({ ready, File }) => ({ File, FS: (await ready).FS }))
    .catch((error: unknown) => {
      loading = null;
      throw error;
    });
  return loading;
}

/**
 * The package's default export; its own types describe file contents in more detail than needed here.
 * @throws Error with the command that installs the package.
 */
export async function importHdf5(module?: string): Promise<Hdf5Module> {
  return ((await importOptional("h5wasm", "HDF5 files", module)) as { readonly default: Hdf5Module }).default;
}

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
/** Number of bytes that `requireHdf5` checks. */
export const HEADER_BYTES = 64;
/** Offset of the file length in the superblock, by superblock version. */
const END_AT = [40, 44, 28, 28];
const VERSION_AT = 8;

/**
 * Checks the signature and the length in the superblock (HDF5 file format specification), because h5wasm
 * reports no error when it opens a file that is truncated or not HDF5.
 * @param head The first 64 bytes.
 * @throws DatasetError
 */
export function requireHdf5(head: Uint8Array, size: number, source: string): void {
  requireSignature(head, source);
  const at = END_AT[head[VERSION_AT] ?? -1];
  if (at === undefined || head.length < at + 8) return;
  const end = new DataView(head.buffer, head.byteOffset).getBigUint64(at, true);
  if (end > BigInt(size))
    throw new DatasetError(
      source,
      `is truncated: found ${size} bytes, and its header says ${end}; fetch it again`,
    );
}

/** @throws DatasetError if the bytes do not start with the HDF5 signature. */
export function requireSignature(head: Uint8Array, source: string): void {
  if (SIGNATURE.some((byte, i) => head[i] !== byte))
    throw new DatasetError(
      source,
      "is not an HDF5 file (it does not start with the HDF5 signature); check the path",
    );
}

/** Opens a file. @throws DatasetError if HDF5 cannot open it. */
export function openHdf5({ File }: Pick<Hdf5, "File">, path: string, source: string): Hdf5File {
  const file = new File(path, "r");
  // For a damaged file, h5wasm only logs to the console and returns an unusable file.
  if (file.file_id < 0n) throw new DatasetError(source, "is a damaged HDF5 file; fetch it again");
  return file;
}
