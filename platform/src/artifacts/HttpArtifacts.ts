/** Access to the platform's artifacts over HTTP, for workers on other machines. */
import { isStorageError, StorageError, sha256Hex } from "../../../src/storage/index.ts";
import { Outages } from "../database/Outages.ts";
import { pause } from "../database/pause.ts";
import type { TurnStore } from "./TurnStore.ts";

export interface HttpArtifactsOptions {
  /** Base URL of the platform. */
  readonly url: string;
  /** URL path of the artifacts. Default: `/v1/artifacts`, those of checkpoints. */
  readonly path?: string;
  /** API key with the scope `worker`. */
  readonly key: string;
  /** Called when the platform becomes unreachable and when it is back. */
  readonly log: (message: string) => void;
  /** Aborts the wait for an unreachable platform. */
  readonly signal: AbortSignal;
}

/** Hash of an artifact that does not exist. */
const NOTHING = "0".repeat(64);

/** Milliseconds between attempts while the platform is unreachable. */
const AGAIN_MS = 500;

export class HttpArtifacts implements TurnStore {
  readonly #options: HttpArtifactsOptions;
  readonly #outages: Outages;

  constructor(options: HttpArtifactsOptions) {
    this.#options = options;
    this.#outages = new Outages(`the platform at ${options.url}`, options.log);
  }

  /** Resolves when the platform answers. @throws StorageError if it rejects the key. */
  async ready(): Promise<void> {
    await this.#ask("GET", NOTHING, { name: this.#options.url }).catch((error: unknown) => {
      if (!isStorageError(error, "not_found")) throw error;
    });
  }

  /** @throws StorageError `full` if the platform's disk is full, `io` if it refuses the upload. */
  async put(bytes: Uint8Array): Promise<string> {
    const sha256 = await sha256Hex(bytes);
    await this.#ask("PUT", sha256, { body: new Uint8Array(bytes) });
    return sha256;
  }

  async get(sha256: string): Promise<Uint8Array> {
    const bytes = await this.#ask("GET", sha256);
    if ((await sha256Hex(bytes)) === sha256) return bytes;
    throw new StorageError("corrupt", sha256, "arrived corrupt from the platform (its SHA-256 differs)");
  }

  async remove(sha256: string): Promise<void> {
    await this.#ask("DELETE", sha256);
  }

  /**
   * Sends a request, and retries while the platform is unreachable.
   * @throws StorageError for `name` if refused.
   */
  async #ask(
    method: string,
    sha256: string,
    { body, name = sha256 }: { readonly body?: Uint8Array<ArrayBuffer>; readonly name?: string } = {},
  ): Promise<Uint8Array> {
    const { url, path = "/v1/artifacts", key, signal } = this.#options;
    for (;;) {
      try {
        const response = await fetch(`${url}${path}/${sha256}`, {
          method,
          headers: {
            Authorization: `Bearer ${key}`,
            ...(body ? { "Content-Type": "application/octet-stream" } : {}),
          },
          ...(body ? { body } : {}),
          signal,
        });
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (response.status < 500 || response.status === 507) {
          this.#outages.answered();
          if (response.ok) return bytes;
          throw refusal(name, response.status, bytes);
        }
        this.#outages.failed(new Error(`it answers with ${response.status}`));
      } catch (error) {
        if (error instanceof StorageError || signal.aborted) throw error;
        this.#outages.failed(error);
      }
      await pause(AGAIN_MS, signal);
    }
  }
}

function refusal(name: string, status: number, body: Uint8Array): StorageError {
  const said = `was refused by the platform (${status}: ${new TextDecoder().decode(body).slice(0, 300)})`;
  if (status === 507) return new StorageError("full", name, said);
  return new StorageError(status === 404 ? "not_found" : "io", name, said);
}
