/** Sandboxes for a browser's compute worker: the page creates them, and the coordinator passes them on. */
import { browserSandbox } from "../../sandbox/browser.ts";
import type { OpenSandbox } from "../../sandbox/sandboxes.ts";
import type { WorkerSandboxAnswer, WorkerSandboxRequest } from "../spawn/browser.ts";

const waiting = new Map<number, (answer: WorkerSandboxAnswer["answer"]) => void>();
let next = 0;

/** @throws Error if the page could not create a sandbox. */
export const requestSandbox: OpenSandbox = async () => {
  const id = next++;
  const answer = await new Promise<WorkerSandboxAnswer["answer"]>((resolve) => {
    waiting.set(id, resolve);
    self.postMessage({ type: "sandbox", id } satisfies WorkerSandboxRequest);
  });
  if ("problem" in answer) throw new Error(answer.problem);
  return browserSandbox(answer.ports);
};

/** Resolves the request that an answer belongs to. */
export function takeSandbox({ answer }: WorkerSandboxAnswer): void {
  waiting.get(answer.id)?.(answer);
  waiting.delete(answer.id);
}
