/** What a run of language models has taught, in a few prompts: a completion of its first iterations beside a late one. */
import { changeOf, countedCompletions, type PromptHistory, type PromptStep } from "./promptHistory.ts";

/** A step's most frequent completion. */
export interface TypicalCompletion {
  readonly step: number;
  readonly completion: string;
  /** Reward of this completion. */
  readonly reward: number;
  /** How many of the step's completions are the same, and how many there are. */
  readonly count: number;
  readonly of: number;
}

/** A prompt with a typical completion of its first and of its last stored iteration. */
export interface BeforeAfter {
  readonly history: PromptHistory;
  readonly before: TypicalCompletion;
  readonly after: TypicalCompletion;
  /** Change of the mean reward over all completions. */
  readonly change: number;
}

/** The most frequent completion of a step, of equally frequent ones the first; null for a step without any. */
function typicalOf(step: PromptStep): TypicalCompletion | null {
  const counts = new Map<string, { reward: number; count: number }>();
  for (const { written, count } of countedCompletions(step)) {
    const known = counts.get(written.completion);
    counts.set(written.completion, {
      reward: known?.reward ?? written.reward,
      count: count + (known?.count ?? 0),
    });
  }
  const [most] = [...counts].sort(([, a], [, b]) => b.count - a.count);
  if (most === undefined) return null;
  const [completion, { reward, count }] = most;
  return { step: step.step, completion, reward, count, of: step.completions.length };
}

/**
 * The prompts that were answered earliest and again later, at most `most`, in the order of the alphabet. They are not
 * chosen by their rewards, so they show what got worse too. Empty where no prompt was answered twice.
 */
export function beforeAndAfter(histories: readonly PromptHistory[], most: number): readonly BeforeAfter[] {
  const ends = ({ steps }: PromptHistory): readonly [first: number, last: number] => [
    steps[0]?.step ?? 0,
    steps.at(-1)?.step ?? 0,
  ];
  return histories
    .flatMap((history): BeforeAfter[] => {
      const [first, last] = [history.steps[0], history.steps.at(-1)];
      const change = changeOf(history);
      if (first === undefined || last === undefined || change === null) return [];
      const [before, after] = [typicalOf(first), typicalOf(last)];
      return before === null || after === null ? [] : [{ history, before, after, change }];
    })
    .sort((a, b) => {
      const [[firstA, lastA], [firstB, lastB]] = [ends(a.history), ends(b.history)];
      return firstA - firstB || lastB - lastA;
    })
    .slice(0, most)
    .sort((a, b) => (a.history.prompt < b.history.prompt ? -1 : 1));
}
