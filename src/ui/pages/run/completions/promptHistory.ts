/** A run's completions around its prompts: every prompt with what members wrote for it, iteration by iteration. */
import type { CompletionRecord, CompletionsReport } from "../../../../tracking/observer.ts";

/** The index of the member in a slot of a generation; null if unknown. */
export type MemberOf = (generation: number, slot: number) => number | null;

/** A completion with its writer. */
export interface Written extends CompletionRecord {
  /** Index of the member; null if unknown. */
  readonly member: number | null;
}

/** The completions of a prompt in one iteration. */
export interface PromptStep {
  /** Outer iteration, 1 for the first. */
  readonly step: number;
  /** In the order of members and of their samples. */
  readonly completions: readonly Written[];
  /** Mean reward. */
  readonly reward: number;
}

/** A prompt with its completions, earliest iteration first. */
export interface PromptHistory {
  readonly prompt: string;
  readonly steps: readonly PromptStep[];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Rewards of the completions that have one; others are NaN here, and null in files. */
export const rewardsOf = (completions: readonly { readonly reward: number }[]): readonly number[] =>
  completions.map(({ reward }) => reward).filter(Number.isFinite);

const newestOf = ({ steps }: PromptHistory): number => steps.at(-1)?.step ?? 0;

/** Groups completions by prompt and iteration. The prompts that were answered last come first, then by alphabet. */
export function promptHistories(
  reports: readonly CompletionsReport[],
  memberOf: MemberOf,
): readonly PromptHistory[] {
  const prompts = new Map<string, Map<number, Written[]>>();
  for (const { generation, records } of reports)
    for (const record of records) {
      const steps = prompts.get(record.prompt) ?? new Map<number, Written[]>();
      prompts.set(record.prompt, steps);
      const written = steps.get(record.step) ?? [];
      steps.set(record.step, written);
      written.push({ ...record, member: memberOf(generation, record.agent_index) });
    }
  return [...prompts]
    .map(([prompt, steps]) => ({
      prompt,
      steps: [...steps]
        .map(([step, written]) => ({
          step,
          completions: written.toSorted(
            (a, b) =>
              a.agent_index - b.agent_index ||
              a.group_index - b.group_index ||
              a.sample_index - b.sample_index,
          ),
          reward: mean(rewardsOf(written)),
        }))
        .sort((a, b) => a.step - b.step),
    }))
    .sort((a, b) => newestOf(b) - newestOf(a) || (a.prompt < b.prompt ? -1 : 1));
}

/** Change of the mean reward from the first to the last iteration; null with only one. */
export function changeOf({ steps }: PromptHistory): number | null {
  const [first, last] = [steps[0], steps.at(-1)];
  return first === undefined || last === undefined || steps.length < 2 ? null : last.reward - first.reward;
}

/** Prompts of which the prompt or a completion contains the words; pinned ones first, else in their order. */
export function foundPrompts(
  histories: readonly PromptHistory[],
  words: string,
  pinned: ReadonlySet<string>,
): readonly PromptHistory[] {
  const wanted = words.trim().toLowerCase();
  const has = (text: string): boolean => text.toLowerCase().includes(wanted);
  const found = histories.filter(
    ({ prompt, steps }) =>
      has(prompt) || steps.some(({ completions }) => completions.some(({ completion }) => has(completion))),
  );
  return [
    ...found.filter(({ prompt }) => pinned.has(prompt)),
    ...found.filter(({ prompt }) => !pinned.has(prompt)),
  ];
}

/** One completion of each of two iterations. */
export interface CompletionPair {
  readonly before: Written | null;
  readonly after: Written | null;
}

/**
 * Pairs the completions of two iterations: by the member's place and the sample, then those that are left in their order.
 * If one iteration has more, the others have no counterpart.
 */
export function completionPairs(before: PromptStep, after: PromptStep): readonly CompletionPair[] {
  // A prompt may be in several groups of one iteration, so samples are counted per member.
  const keyed = ({ completions }: PromptStep): Map<string, Written> => {
    const counts = new Map<number, number>();
    return new Map(
      completions.map((written) => {
        const count = counts.get(written.agent_index) ?? 0;
        counts.set(written.agent_index, count + 1);
        return [`${written.agent_index} ${count}`, written];
      }),
    );
  };
  const [old, fresh] = [keyed(before), keyed(after)];
  const both = [...old.keys()].filter((key) => fresh.has(key));
  const [oldLeft, freshLeft] = [old, fresh].map((written) =>
    [...written].flatMap(([key, one]) => (both.includes(key) ? [] : [one])),
  );
  const left = Math.max(oldLeft?.length ?? 0, freshLeft?.length ?? 0);
  return [
    ...both.map((key) => ({ before: old.get(key) ?? null, after: fresh.get(key) ?? null })),
    ...Array.from({ length: left }, (_, i) => ({
      before: oldLeft?.[i] ?? null,
      after: freshLeft?.[i] ?? null,
    })),
  ];
}

/** A completion with the number of times that its member wrote it. */
export interface Counted {
  readonly written: Written;
  readonly count: number;
}

/** The completions of a step, those that are equal in everything that is shown as one. */
export function countedCompletions({ completions }: PromptStep): readonly Counted[] {
  const counted = new Map<string, Counted>();
  for (const written of completions) {
    const { agent_index, completion, reward, advantage, completion_tokens, num_turns } = written;
    const key = JSON.stringify([agent_index, completion, reward, advantage, completion_tokens, num_turns]);
    counted.set(key, {
      written: counted.get(key)?.written ?? written,
      count: (counted.get(key)?.count ?? 0) + 1,
    });
  }
  return [...counted.values()];
}

/** The records of prompts as JSON Lines, by iteration. */
export const recordLines = (histories: readonly PromptHistory[]): string =>
  histories
    .flatMap(({ steps }) => steps.flatMap(({ completions }) => completions))
    .sort((a, b) => a.step - b.step || a.agent_index - b.agent_index)
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");
