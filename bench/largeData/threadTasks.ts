import type { Browser, Page } from "playwright";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Wall time and CPU time in microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Times of a task of a page's thread, in milliseconds. */
export interface ThreadTask {
  readonly wall: number;
  /** CPU time, which other load on the machine does not lengthen. */
  readonly processor: number;
}

/** The tasks that the page's thread ran during an action. */
export async function threadTasks(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<ThreadTask[]> {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await act();
  const trace = (await browser.stopTracing()).toString();
  const { traceEvents }: { traceEvents: readonly TraceEvent[] } = JSON.parse(trace);
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  return traceEvents
    .filter(({ name, ph, pid, tid }) => ph === "X" && name.endsWith("RunTask") && mains.has(`${pid}:${tid}`))
    .map(({ dur = 0, tdur = Number.NaN }) => ({ wall: dur / 1000, processor: tdur / 1000 }));
}
