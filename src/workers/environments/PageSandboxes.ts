/** Sandboxes for worker threads; only the page can create them. */
import { browserSandbox, type LentPorts } from "../../sandbox/browser.ts";
import type { OpenSandbox } from "../../sandbox/sandboxes.ts";
import type { SandboxAnswer, SandboxRequest } from "../protocol/environments.ts";

export class PageSandboxes {
  readonly #page: Promise<MessagePort>;
  #meet: (port: MessagePort) => void = () => undefined;
  readonly #waiting = new Map<number, (answer: SandboxAnswer) => void>();
  #next = 0;

  constructor() {
    this.#page = new Promise((resolve) => {
      this.#meet = resolve;
    });
  }

  /** @param port Answers every request with a sandbox. */
  lend(port: MessagePort): void {
    port.onmessage = ({ data }: MessageEvent<SandboxAnswer>) => {
      this.#waiting.get(data.id)?.(data);
      this.#waiting.delete(data.id);
    };
    this.#meet(port);
  }

  /** @throws Error if the page could not create a sandbox. */
  async open(): Promise<LentPorts> {
    const page = await this.#page;
    const id = this.#next++;
    const answer = await new Promise<SandboxAnswer>((resolve) => {
      this.#waiting.set(id, resolve);
      page.postMessage({ id } satisfies SandboxRequest);
    });
    if ("problem" in answer) throw new Error(answer.problem);
    return answer.ports;
  }

  /** As `open`, for threads that open environments themselves. */
  readonly openSandbox: OpenSandbox = async () => browserSandbox(await this.open());
}
