import type { CompletionsReport } from "../../../../tracking/observer.ts";

/** A completion, with the number of times that a member wrote it in one iteration. */
interface ShownCompletion {
  readonly completion: string;
  readonly reward: number;
  /** Outer iteration, 1 for the first. */
  readonly iteration: number;
  /** Index of the member; null if unknown. */
  readonly member: number | null;
  readonly count: number;
}

/** The completions of a prompt, newest first. */
export interface PromptGroup {
  readonly prompt: string;
  readonly completions: readonly ShownCompletion[];
}

/** Maximum numbers of prompts, and of completions per prompt, that the page shows. */
const MAX_PROMPTS = 24;
const MAX_COMPLETIONS = 8;

const newestOf = ({ completions }: PromptGroup): number => completions[0]?.iteration ?? 0;

/** The index of the member in a slot of a generation; null if unknown. */
type MemberOf = (generation: number, slot: number) => number | null;

/**
 * Groups completions by prompt. The most recently answered prompts come first; ties are in alphabetical
 * order.
 */
export function completionGroups(
  reports: readonly CompletionsReport[],
  memberOf: MemberOf,
): readonly PromptGroup[] {
  const prompts = new Map<string, Map<string, ShownCompletion>>();
  for (const { generation, records } of reports.toReversed()) {
    for (const { prompt, completion, reward, step, agent_index } of records) {
      const written = prompts.get(prompt) ?? new Map<string, ShownCompletion>();
      prompts.set(prompt, written);
      const key = JSON.stringify([step, agent_index, reward, completion]);
      const count = (written.get(key)?.count ?? 0) + 1;
      written.set(key, {
        completion,
        reward,
        iteration: step,
        member: memberOf(generation, agent_index),
        count,
      });
    }
  }
  return [...prompts]
    .map(([prompt, written]) => ({
      prompt,
      completions: [...written.values()]
        .sort((a, b) => b.iteration - a.iteration || (a.member ?? -1) - (b.member ?? -1) || b.count - a.count)
        .slice(0, MAX_COMPLETIONS),
    }))
    .sort((a, b) => newestOf(b) - newestOf(a) || (a.prompt < b.prompt ? -1 : 1))
    .slice(0, MAX_PROMPTS);
}
