import type { Browser, CDPSession, Page } from "playwright";

/** What a thread holds once garbage was collected. Sizes are bytes. */
export interface ThreadHeap {
  /** `page`, or the worker's name. */
  readonly name: string;
  /** Objects of JavaScript. */
  readonly used: number;
  /** Bytes outside that heap which ArrayBuffers hold. */
  readonly buffers: number;
  /** Objects of the browser, such as DOM nodes. */
  readonly embedder: number;
}

export interface DomCounters {
  readonly documents: number;
  readonly nodes: number;
  readonly jsEventListeners: number;
}

interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize: number;
  readonly backingStorageSize: number;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** The heaps of a page and of all workers in its browser, through the DevTools protocol. */
export class ThreadHeaps {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #page: CDPSession;
  readonly #browser: CDPSession;
  #calls = 0;

  private constructor(page: CDPSession, browser: CDPSession) {
    this.#page = page;
    this.#browser = browser;
    browser.on("Target.receivedMessageFromTarget", ({ message }) => {
      const answer = JSON.parse(message) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
  }

  static async of(browser: Browser, page: Page): Promise<ThreadHeaps> {
    return new ThreadHeaps(await page.context().newCDPSession(page), await browser.newBrowserCDPSession());
  }

  dom(): Promise<DomCounters> {
    return this.#page.send("Memory.getDOMCounters");
  }

  /** Collects garbage in every thread, and says what each holds then. */
  async collect(): Promise<readonly ThreadHeap[]> {
    const heaps = [await this.#collectIn("page", (method) => this.#page.send(method))];
    const { targetInfos } = await this.#browser.send("Target.getTargets", { filter: [{}] });
    for (const { targetId, title, type } of targetInfos) {
      if (type !== "worker") continue;
      const attached = await this.#browser.send("Target.attachToTarget", { targetId, flatten: false });
      heaps.push(await this.#collectIn(title, (method) => this.#call(attached.sessionId, method)));
      await this.#browser.send("Target.detachFromTarget", attached);
    }
    return heaps;
  }

  async #collectIn(
    name: string,
    send: (
      method: "HeapProfiler.enable" | "HeapProfiler.collectGarbage" | "Runtime.getHeapUsage",
    ) => Promise<unknown>,
  ): Promise<ThreadHeap> {
    await send("HeapProfiler.enable");
    // What finalisers let go of is garbage for the second time alone.
    await send("HeapProfiler.collectGarbage");
    await send("HeapProfiler.collectGarbage");
    const usage = (await send("Runtime.getHeapUsage")) as HeapUsage;
    return {
      name,
      used: usage.usedSize,
      buffers: usage.backingStorageSize,
      embedder: usage.embedderHeapUsedSize,
    };
  }

  /** Playwright sends to pages and browsers alone; to a worker the browser hands messages on. */
  async #call(sessionId: string, method: string): Promise<unknown> {
    this.#calls += 1;
    const id = this.#calls;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    await this.#browser.send("Target.sendMessageToTarget", {
      sessionId,
      message: JSON.stringify({ id, method }),
    });
    const { error, result } = await answered;
    this.#waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}
