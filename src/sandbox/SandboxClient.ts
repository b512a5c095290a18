import type { z } from "zod";
import { EnvironmentError } from "../rl/faces.ts";
import { reasonOf } from "../storage/files.ts";
import { type SandboxCall, type SandboxRequest, sandboxReply } from "./messages.ts";
import { SandboxLostError, type SandboxPort, SandboxTimeoutError, type Transferable } from "./SandboxPort.ts";

interface SandboxClientOptions {
  /** Name of the environment or module in messages. */
  readonly name: string;
  /** Time limit for each reply, in seconds. */
  readonly timeout_s: number;
}

/** Seconds after the deadline at which a call stops by itself if this thread cannot end its sandbox. */
const ORPHANED_S = 5;

/** Longest time of a timer, in seconds. */
const LONGEST_S = 2_147_483;

interface CallOptions {
  readonly transfer?: readonly Transferable[];
  /** Multiplies the deadline, for long calls. */
  readonly patience?: number;
  /** The call in messages (default: the request's name). */
  readonly what?: string;
}

/** A call that waits for its reply. */
interface Waiting {
  readonly id: number;
  readonly what: string;
  /** Its deadline. */
  readonly limit_s: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The client's end of a sandbox: one request at a time, each with a deadline. */
export class SandboxClient {
  readonly #port: SandboxPort;
  readonly #options: SandboxClientOptions;
  #waiting: Waiting | null = null;
  #next = 1;
  /** Error that rejects all further calls; `null` while the sandbox is usable. */
  #ended: Error | null = null;

  constructor(port: SandboxPort, options: SandboxClientOptions) {
    this.#port = port;
    this.#options = options;
    port.listen(
      (message) => this.#heard(message),
      (reason) =>
        this.#end(new SandboxLostError(`${options.name}: ${this.#call}: the sandbox ended: ${reason}`)),
    );
  }

  /**
   * @throws EnvironmentError for an error thrown in the sandbox or an invalid value returned
   *   there; SandboxTimeoutError if no
   * reply arrives in time, which ends the sandbox; SandboxLostError if the sandbox ended by
   * itself or sent an invalid reply.
   */
  call(
    request: SandboxCall,
    { transfer = [], patience = 1, what = request.call }: CallOptions = {},
  ): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (this.#waiting)
      throw new Error(
        `${this.#options.name}: ${what}: found ${this.#call} still running, allowed one call at a time`,
      );
    const id = this.#next++;
    const limit_s = Math.min(patience * this.#options.timeout_s, LONGEST_S - ORPHANED_S);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#late(), 1000 * limit_s);
      this.#waiting = { id, what, limit_s, resolve, reject, timer };
      try {
        this.#port.post({ ...request, id, limit_s: limit_s + ORPHANED_S } satisfies SandboxRequest, transfer);
      } catch (error) {
        // The request cannot be copied, so nothing was sent.
        this.#waiting = null;
        clearTimeout(timer);
        reject(new EnvironmentError(`${this.#options.name}: ${what}: ${reasonOf(error)}`, { cause: error }));
      }
    });
  }

  /**
   * Reads a reply. Modules share their sandbox with the code that replies for them, so a reply may be forged.
   * @throws SandboxLostError for a reply of the wrong shape, which ends the sandbox.
   */
  read<Schema extends z.ZodType>(schema: Schema, reply: unknown, what: string): z.output<Schema> {
    const parsed = schema.safeParse(reply);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const error = new SandboxLostError(
      `${this.#options.name}: ${what}: found an invalid reply: ${issue?.path.join(".")} ${issue?.message}`,
    );
    this.#end(error);
    throw error;
  }

  /** Ends the sandbox and rejects the pending call with SandboxLostError. */
  end(): void {
    this.#end(new SandboxLostError(`${this.#options.name}: ${this.#call}: the sandbox was closed`));
  }

  get isEnded(): boolean {
    return this.#ended !== null;
  }

  get #call(): string {
    return this.#waiting?.what ?? "between calls";
  }

  #late(): void {
    const { name } = this.#options;
    const what = `${this.#call}: found no answer within ${this.#waiting?.limit_s} s`;
    this.#end(
      new SandboxTimeoutError(
        `${name}: ${what}, allowed calls that return in time; its sandbox was ended (fix an endless loop, or raise the timeout)`,
      ),
    );
  }

  #heard(message: unknown): void {
    const waiting = this.#waiting;
    const parsed = sandboxReply.safeParse(message);
    if (!waiting || !parsed.success || parsed.data.id !== waiting.id) {
      const found = parsed.success ? "an unexpected reply" : "an invalid reply";
      this.#end(
        new SandboxLostError(`${this.#options.name}: ${this.#call}: found ${found}; its sandbox was ended`),
      );
      return;
    }
    this.#waiting = null;
    clearTimeout(waiting.timer);
    if (parsed.data.ok) waiting.resolve(parsed.data.result);
    else waiting.reject(new EnvironmentError(parsed.data.error.message));
  }

  #end(why: Error): void {
    if (this.#ended) return;
    this.#ended = why;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) clearTimeout(waiting.timer);
    this.#port.end();
    waiting?.reject(why);
  }
}
