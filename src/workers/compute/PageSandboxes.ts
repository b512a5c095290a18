/**
 * Sandboxes for worker threads. Only the page can create them; for compute workers the coordinator passes them on.
 */
import { browserSandbox, type LentPorts, type SandboxPorts } from "../../sandbox/browser.ts";
import type { OpenSandbox } from "../../sandbox/sandboxes.ts";
import type { SandboxAnswer, SandboxRequest } from "../protocol/stored.ts";
import type { WorkerSandboxAnswer, WorkerSandboxRequest } from "./spawn/browserSpawner.ts";

/** Requests that have not been answered. */
class SandboxRequests<Ports extends SandboxPorts> {
  readonly #waiting = new Map<number, (answer: SandboxAnswer<Ports>) => void>();
  #next = 0;

  /** @throws Error if the page could not create a sandbox. */
  async send(post: (request: SandboxRequest) => void): Promise<Ports> {
    const id = this.#next++;
    const answer = await new Promise<SandboxAnswer<Ports>>((resolve) => {
      this.#waiting.set(id, resolve);
      post({ id });
    });
    if ("problem" in answer) throw new Error(answer.problem);
    return answer.ports;
  }

  take(answer: SandboxAnswer<Ports>): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}

/** The sandboxes of a thread that the page itself answers. */
export class PageSandboxes {
  readonly #page: Promise<MessagePort>;
  #meet: (port: MessagePort) => void = () => undefined;
  readonly #requests = new SandboxRequests<LentPorts>();

  constructor() {
    this.#page = new Promise((resolve) => {
      this.#meet = resolve;
    });
  }

  /** @param port Answers every request with a sandbox. */
  lend(port: MessagePort): void {
    port.onmessage = ({ data }: MessageEvent<SandboxAnswer>) => this.#requests.take(data);
    this.#meet(port);
  }

  /** @throws Error if the page could not create a sandbox. */
  async open(): Promise<LentPorts> {
    const page = await this.#page;
    return this.#requests.send((request) => page.postMessage(request));
  }

  /** As `open`, for threads that open environments themselves. */
  readonly openSandbox: OpenSandbox = async () => browserSandbox(await this.open());
}

/** The requests of this compute worker. */
const requests = new SandboxRequests<SandboxPorts>();

/** Opens a sandbox in a compute worker. @throws Error if the page could not create it. */
export const requestSandbox: OpenSandbox = async () =>
  browserSandbox(
    await requests.send((request) =>
      self.postMessage({ type: "sandbox", ...request } satisfies WorkerSandboxRequest),
    ),
  );

/** Resolves the request of a compute worker that an answer belongs to. */
export const takeSandbox = ({ answer }: WorkerSandboxAnswer): void => requests.take(answer);
