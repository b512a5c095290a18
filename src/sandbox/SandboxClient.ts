import { EnvironmentError } from "../rl/environments/face/EnvironmentError.ts";
import { type SandboxCall, sandboxReply } from "./messages.ts";
import { SandboxLostError } from "./SandboxLostError.ts";
import type { SandboxPort, Transferable } from "./SandboxPort.ts";
import { SandboxTimeoutError } from "./SandboxTimeoutError.ts";

export interface SandboxClientOptions {
  /** Name of the environment or module in messages. */
  readonly name: string;
  /** Time limit for each reply, in seconds. */
  readonly timeout_s: number;
}

/** A call that waits for its reply. */
interface Waiting {
  readonly id: number;
  readonly call: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The client's end of a sandbox: one request at a time, each with a deadline. */
export class SandboxClient<C extends { readonly call: string } = SandboxCall> {
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
   * @param patience Multiplies the deadline, for long calls.
   * @throws EnvironmentError for an error thrown in the sandbox or an invalid value returned
   *   there; SandboxTimeoutError if no
   * reply arrives in time, which ends the sandbox; SandboxLostError if the sandbox ended by
   * itself or sent an invalid reply.
   */
  call(request: C, transfer: readonly Transferable[] = [], patience = 1): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (this.#waiting)
      throw new Error(
        `${this.#options.name}: ${request.call}: found ${this.#call} still running, allowed one call at a time`,
      );
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#late(patience), 1000 * patience * this.#options.timeout_s);
      this.#waiting = { id, call: request.call, resolve, reject, timer };
      this.#port.post({ ...request, id }, transfer);
    });
  }

  /** Ends the sandbox and rejects the pending call with SandboxLostError. */
  end(): void {
    this.#end(new SandboxLostError(`${this.#options.name}: ${this.#call}: the sandbox was closed`));
  }

  get isEnded(): boolean {
    return this.#ended !== null;
  }

  get #call(): string {
    return this.#waiting?.call ?? "between calls";
  }

  #late(patience: number): void {
    const { name, timeout_s } = this.#options;
    const what = `${this.#call}: found no answer within ${patience * timeout_s} s`;
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
