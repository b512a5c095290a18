/** HDF5 files by h5wasm, which is loaded when the first one is opened. */
import type { DataHandle } from "../Column.ts";
import { DatasetError } from "../DatasetError.ts";

/** A file of its file system that is open for writing. */
interface OpenedFile {
  readonly fd: number;
}

/** What this library uses of h5wasm. */
export interface Hdf5 {
  readonly File: new (path: string, mode: "r" | "w") => Hdf5File;
  readonly FS: {
    readFile(path: string): Uint8Array;
    /** With `canOwn` the bytes themselves become the file. */
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
    /** WORKERFS reads a browser's files where they lie, in workers. */
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

let loading: Promise<Hdf5> | null = null;

/** The library with a file system in memory, loaded once. */
export function loadHdf5(): Promise<Hdf5> {
  loading ??= import("h5wasm").then(async ({ default: h5wasm }) => {
    const { FS } = await h5wasm.ready;
    // Its own types say more of what a file holds than is read here, and less of its file system.
    return { File: h5wasm.File, FS } as unknown as Hdf5;
  });
  return loading;
}

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
/** Bytes that `requireHdf5` looks at. */
export const HEADER_BYTES = 64;
/** Where the superblock says how long the file is, by its version. */
const END_AT = [40, 44, 28, 28];
const VERSION_AT = 8;

/**
 * Opening what is no HDF5 file, or part of one, would fail without an error: the signature and the length are looked at
 * first (HDF5 file format specification, superblock).
 * @param head The first 64 bytes.
 * @throws DatasetError
 */
export function requireHdf5(head: Uint8Array, size: number, source: string): void {
  requireSignature(head, source);
  const at = END_AT[head[VERSION_AT] ?? -1];
  if (at === undefined || head.length < at + 8) return;
  const end = new DataView(head.buffer, head.byteOffset).getBigUint64(at, true);
  if (end > BigInt(size))
    throw new DatasetError(source, `is cut off: found ${size} bytes, and it says ${end}; fetch it again`);
}

/** @throws DatasetError for bytes that are not the beginning of an HDF5 file. */
export function requireSignature(head: Uint8Array, source: string): void {
  if (SIGNATURE.some((byte, i) => head[i] !== byte))
    throw new DatasetError(source, "is no HDF5 file (its first bytes are not HDF5's signature)");
}

/** An open file. @throws DatasetError for one that HDF5 cannot open. */
export function openHdf5({ File }: Pick<Hdf5, "File">, path: string, source: string): Hdf5File {
  const file = new File(path, "r");
  // The library reports what is wrong to the console and gives a file that no call works on.
  if (file.file_id < 0n) throw new DatasetError(source, "is a damaged HDF5 file; fetch it again");
  return file;
}
