import { useEffect, useReducer, useState } from "react";
import { messageOf } from "../lib/format.ts";
import { useWorkbench } from "./Workbench.ts";

/** What has been answered so far. A new answer replaces the one before; a failure leaves its value. */
export interface Answer<T> {
  /** Undefined before the first answer. */
  readonly value: T | undefined;
  /** Why the latest request failed; null if it did not. */
  readonly problem: string | null;
  /** Whether the answer is to the present request, and not to one before it. */
  readonly current: boolean;
  /** Asks again. */
  readonly again: () => void;
}

type Ask<T> = (signal: AbortSignal) => Promise<T>;

/**
 * The answer to a request of a component.
 *
 * @param ask A new function is a new request, so memoise it; null asks nothing. Its signal aborts when its answer is no
 *   longer wanted.
 * @param version A new value asks again.
 */
export function useAnswer<T>(ask: Ask<T> | null, version: unknown = null): Answer<T> {
  const [answer, setAnswer] = useState<{ value?: T; problem: string | null; to: Ask<T> | null }>({
    problem: null,
    to: null,
  });
  const [tries, again] = useReducer((before: number) => before + 1, 0);
  useEffect(() => {
    if (ask === null) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    ask(signal).then(
      (value) => !signal.aborted && setAnswer({ value, problem: null, to: ask }),
      (error: unknown) =>
        !signal.aborted && setAnswer((before) => ({ ...before, problem: messageOf(error), to: ask })),
    );
    return () => ending.abort();
  }, [ask, version, tries]);
  return { value: answer.value, problem: answer.problem, current: answer.to === ask, again };
}

/**
 * The value that a component needs; null before it is read. A failure shows an alert.
 *
 * @param read As for {@link useAnswer}.
 * @param cause Key of the alert.
 */
export function useAttempt<T>(read: (() => Promise<T>) | null, cause?: string, version?: unknown): T | null {
  const workbench = useWorkbench();
  const [value, setValue] = useState<T | null>(null);
  useEffect(() => {
    if (read === null) return undefined;
    let wanted = true;
    void workbench.attempt(async () => {
      const found = await read();
      if (wanted) setValue(found);
    }, cause);
    return () => {
      wanted = false;
    };
  }, [workbench, read, cause, version]);
  return value;
}
