import type { Advice, FromStage, Player, Question, ToStage } from "../../stage/stageProtocol.ts";
import { lendSandboxes } from "../client/lendSandboxes.ts";
import { startStageWorker } from "../stage/StageClient.ts";

interface Waiting {
  readonly resolve: (advice: Advice) => void;
  readonly reject: (reason: Error) => void;
}

/** An agent in a worker of its own, asked about positions of its game. The worker starts with the first question. */
export class AdviserClient {
  readonly #player: Player;
  readonly #start: () => Worker;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  /** Ends the sandboxes lent to the worker, which would outlive it. */
  #endSandboxes: (() => void) | null = null;
  #asked = 0;

  constructor({ bytes, environment, env_config, module }: Player, start: () => Worker = startStageWorker) {
    this.#player = { bytes, environment, env_config, module };
    this.#start = start;
  }

  /** @throws Error saying why the agent cannot answer. */
  ask(question: Question): Promise<Advice> {
    const worker = (this.#worker ??= this.#open());
    const id = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ kind: "ask", id, question } satisfies ToStage);
    });
  }

  /** Ends the worker; a later question starts another one. */
  close(reason = "The agent was replaced."): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#endSandboxes?.();
    this.#endSandboxes = null;
    for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    this.#waiting.clear();
  }

  #open(): Worker {
    const worker = this.#start();
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.close(event.message || "The agent's code could not be loaded.");
    });
    worker.addEventListener("message", ({ data }: MessageEvent<FromStage>) => {
      if (data.kind === "problem") this.close(data.message);
      if (data.kind !== "advice") return;
      this.#waiting.get(data.id)?.resolve(data.advice);
      this.#waiting.delete(data.id);
    });
    const sandboxes = this.#player.module ? this.#lent() : null;
    const message: ToStage = { kind: "adviser", player: this.#player, sandboxes };
    worker.postMessage(message, sandboxes ? [sandboxes] : []);
    return worker;
  }

  /** A port on which the worker asks for sandboxes. */
  #lent(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#endSandboxes = lendSandboxes(port1);
    return port2;
  }
}
