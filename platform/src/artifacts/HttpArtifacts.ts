/** Access to the platform's artifacts over HTTP, for workers on other machines. */
import { z } from "zod";
import { pause, retryAfter } from "../../../src/hosting/index.ts";
import { isStorageError, StorageError, sha256Hex } from "../../../src/storage/index.ts";
import { Outages } from "../database/Outages.ts";
import type { TurnStore } from "./ArtifactStore.ts";

export interface HttpArtifactsOptions {
  /** Base URL of the platform. */
  readonly url: string;
  /** URL path of the artifacts. Default: that of checkpoints. */
  readonly path?: string;
  /** API key with the scope `worker`. */
  readonly key: string;
  /** Called when the platform becomes unreachable and when it is back. */
  readonly log: (message: string) => void;
  /** Aborts the wait for an unreachable platform. */
  readonly signal: AbortSignal;
}

/** URL path of the artifacts of checkpoints. */
const ARTIFACTS = "/v1/artifacts";

const callerSchema = z.object({ data: z.object({ project: z.string().nullable() }) });

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

  /** Resolves when the platform answers. @throws StorageError if it rejects the key, or the key is bound to a project. */
  async ready(): Promise<void> {
    const { url, path = ARTIFACTS } = this.#options;
    await this.#ask("GET", `${path}/${NOTHING}`, { name: url }).catch((error: unknown) => {
      if (!isStorageError(error, "not_found")) throw error;
    });
    const text = new TextDecoder().decode(await this.#ask("GET", "/api/users/current", { name: url }));
    const { project } = callerSchema.parse(JSON.parse(text)).data;
    if (project === null) return;
    const message = `has bound the key to the project "${project}", and workers train runs of all projects`;
    throw new StorageError("io", url, message);
  }

  /** @throws StorageError `full` if the platform's disk is full, `io` if it refuses the upload. */
  async put(bytes: Uint8Array): Promise<string> {
    const sha256 = await sha256Hex(bytes);
    await this.#ask("PUT", this.#pathOf(sha256), { name: sha256, body: new Uint8Array(bytes) });
    return sha256;
  }

  async get(sha256: string): Promise<Uint8Array> {
    const bytes = await this.#ask("GET", this.#pathOf(sha256), { name: sha256 });
    if ((await sha256Hex(bytes)) === sha256) return bytes;
    throw new StorageError("corrupt", sha256, "arrived corrupt from the platform (its SHA-256 differs)");
  }

  async remove(sha256: string): Promise<void> {
    await this.#ask("DELETE", this.#pathOf(sha256), { name: sha256 });
  }

  #pathOf(sha256: string): string {
    return `${this.#options.path ?? ARTIFACTS}/${sha256}`;
  }

  /**
   * Sends a request, and retries while the platform is unreachable, or for as long as it asks to wait (429).
   * @throws StorageError for `name` if refused.
   */
  async #ask(
    method: string,
    path: string,
    { body, name }: { readonly body?: Uint8Array<ArrayBuffer>; readonly name: string },
  ): Promise<Uint8Array> {
    const { url, key, signal } = this.#options;
    for (;;) {
      let wait = AGAIN_MS;
      try {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${key}`,
            ...(body ? { "Content-Type": "application/octet-stream" } : {}),
          },
          ...(body ? { body } : {}),
          signal,
        });
        const bytes = new Uint8Array(await response.arrayBuffer());
        const isBusy = response.status === 429;
        if ((response.status < 500 && !isBusy) || response.status === 507) {
          this.#outages.answered();
          if (response.ok) return bytes;
          throw refusal(name, response.status, bytes);
        }
        if (isBusy) wait = 1000 * (retryAfter(response.headers) ?? wait / 1000);
        this.#outages.failed(new Error(`it answers with ${response.status}`));
      } catch (error) {
        if (error instanceof StorageError || signal.aborted) throw error;
        this.#outages.failed(error);
      }
      await pause(wait, signal);
    }
  }
}

function refusal(name: string, status: number, body: Uint8Array): StorageError {
  const said = `was refused by the platform (${status}: ${new TextDecoder().decode(body).slice(0, 300)})`;
  if (status === 507) return new StorageError("full", name, said);
  return new StorageError(status === 404 ? "not_found" : "io", name, said);
}
