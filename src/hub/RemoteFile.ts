import type { BinaryFile } from "../storage/index.ts";
import { accessOf, asked, type HubFile, type HubListing, type HubOptions } from "./listing.ts";
import { fileAddress, HubError } from "./repository.ts";

/** @internal A file of a listed repository, or a part of it, which is read from the hub part by part and not stored. */
export class RemoteFile implements BinaryFile {
  readonly size: number;
  readonly #start: number;
  readonly #read: (start: number, end: number) => Promise<ArrayBuffer>;

  private constructor(
    start: number,
    end: number,
    read: (start: number, end: number) => Promise<ArrayBuffer>,
  ) {
    this.#start = start;
    this.size = Math.max(0, end - start);
    this.#read = read;
  }

  static of(
    { kind, id, revision }: HubListing,
    { path, size }: HubFile,
    options: HubOptions = {},
  ): RemoteFile {
    const access = accessOf(kind, id, options);
    const address = fileAddress(access.hub, kind, access.name.repository, revision, path);
    return new RemoteFile(0, size, async (start, end) => {
      if (start === end) return new ArrayBuffer(0);
      const isWhole = start === 0 && end === size;
      const range: Record<string, string> = isWhole ? {} : { Range: `bytes=${start}-${end - 1}` };
      const read = async (response: Response): Promise<ArrayBuffer> => {
        // A server that ignores ranges would send the whole file.
        if (!isWhole && response.status !== 206)
          throw new HubError(id, `${address}: the server sends no parts`);
        return response.arrayBuffer();
      };
      const bytes = await asked(address, access, options, read, range);
      if (bytes.byteLength === end - start) return bytes;
      throw new HubError(
        id,
        `${address}: ${bytes.byteLength} bytes came, where ${end - start} were asked for`,
      );
    });
  }

  slice(start = 0, end = this.size): RemoteFile {
    const at = (position: number): number => this.#start + Math.min(Math.max(position, 0), this.size);
    return new RemoteFile(at(start), at(end), this.#read);
  }

  /** @throws HubError for a server that cannot be reached, or sends something else. */
  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#read(this.#start, this.#start + this.size);
  }
}
