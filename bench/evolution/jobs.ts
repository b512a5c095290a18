/** Processes that measure runs, and what they say to each other. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { measure, type Outcome } from "./measure.ts";
import type { Recipe } from "./recipes.ts";
import { type Job, nameOf, type Results } from "./results.ts";
import { findTask } from "./tasks.ts";

const ENTRY = fileURLToPath(new URL("../evolution.ts", import.meta.url));

/** What a child answers to a job. */
type Answer = { readonly outcome: Outcome } | { readonly error: string };

/** Measures the runs that the parent process sends, one at a time. */
export function serveJobs(recipes: readonly Recipe[]): void {
  const answer = async ({ task, recipe: name, seed }: Job): Promise<Answer> => {
    try {
      const recipe = recipes.find((r) => r.name === name);
      if (!recipe) throw new RangeError(`no recipe "${name}"`);
      return { outcome: await measure(findTask(task), recipe, seed) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
  // The parent has ended, with this process in the middle of a run.
  process.once("disconnect", () => process.exit());
  process.on("message", (job: Job) => {
    void answer(job).then((result) => process.send?.(result));
  });
}

/**
 * Runs jobs in child processes and adds their outcomes.
 *
 * @param given Names and files of the contenders, as given.
 * @returns messages of the jobs that failed.
 */
export async function runJobs(
  jobs: readonly Job[],
  results: Results,
  {
    processes,
    given,
    log,
  }: { readonly processes: number; readonly given: readonly string[]; readonly log: (line: string) => void },
): Promise<readonly string[]> {
  const queue = [...jobs];
  const failures: string[] = [];
  let done = 0;
  const worker = async (): Promise<void> => {
    let child: ChildProcess | null = null;
    for (let job = queue.shift(); job; job = queue.shift()) {
      child ??= fork(ENTRY, ["--child", "--recipes", given.join()], {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      const answer = await answerOf(child, job);
      const told = `${++done} of ${jobs.length}: ${nameOf(job)}`;
      if ("outcome" in answer) {
        const { delivered, area, env_steps, processor_s } = answer.outcome;
        results.add(answer.outcome);
        log(
          `${told}: delivered ${delivered.toFixed(2)}, area ${area.toFixed(2)}, ${env_steps} steps, ${processor_s.toFixed(1)} s`,
        );
        continue;
      }
      failures.push(`${nameOf(job)}: ${answer.error}`);
      log(`${told}: ${answer.error}`);
      child.kill();
      child = null;
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: processes }, worker));
  return failures;
}

function answerOf(child: ChildProcess, job: Job): Promise<Answer> {
  return new Promise((resolve) => {
    const onMessage = (answer: Answer): void => {
      child.off("exit", onExit);
      resolve(answer);
    };
    const onExit = (code: number | null): void => {
      child.off("message", onMessage);
      resolve({ error: `the process ended with ${code} before it answered` });
    };
    child.once("message", onMessage);
    child.once("exit", onExit);
    child.send(job);
  });
}
