/**
 * Tables of calls between threads: one row for each call. What a client calls, what a worker exposes and whatever passes
 * calls on are derived from the table by {@link callsBy}.
 */

/** What a call is about, which also says who makes it and who answers it. */
type About =
  /** No single run. */
  | "workbench"
  /** The run whose id is the first argument: a run of this browser or of a platform. */
  | "run"
  /** The same, but a platform refuses it for its runs. */
  | "local run"
  /** The port that is its argument, which only the connection passes, and only once. */
  | "port";

/** Any signature of a call. */
export type AnyCall = (...args: never[]) => Promise<unknown>;

interface Columns {
  /** Whether the arrays of the result are moved to the caller instead of copied. Defaults to false. */
  readonly moves?: boolean;
  /** The tab that answers: the caller's own, or the one that holds the run (the default for calls about runs). */
  readonly tab?: "own" | "holder";
}

/** A call with the signature F. */
export interface CallRow<F extends AnyCall = AnyCall, A extends About = About> extends Required<Columns> {
  readonly about: A;
  /** The verb in a platform's refusal, such as "rename"; null for calls that are not refused. */
  readonly refusal: string | null;
  /** Carries the signature; never set. */
  readonly signature?: F;
}

export type CallTable = Readonly<Record<string, CallRow>>;

/** The calls of a table, by name; with A, only those about A. */
export type CallsOf<T extends CallTable, A extends About = About> = {
  [K in keyof T as T[K]["about"] extends A ? K : never]: NonNullable<T[K]["signature"]>;
};

/** The calls that a table's clients make: all but those that pass ports. */
export type ClientCalls<T extends CallTable> = CallsOf<T, Exclude<About, "port">>;

const OWN = { moves: false, tab: "own", refusal: null } as const;
const OF_RUN = { ...OWN, tab: "holder" } as const;

export const call = <F extends AnyCall>(columns: Columns = {}): CallRow<F, "workbench"> => ({
  ...OWN,
  ...columns,
  about: "workbench",
});

export const runCall = <F extends AnyCall>(columns: Columns = {}): CallRow<F, "run"> => ({
  ...OF_RUN,
  ...columns,
  about: "run",
});

/** @param refusal The verb in a platform's refusal. */
export const localRunCall = <F extends AnyCall>(
  refusal: string,
  columns: Columns = {},
): CallRow<F, "local run"> => ({ ...OF_RUN, ...columns, about: "local run", refusal });

export const portCall = (): CallRow<(port: MessagePort) => Promise<void>, "port"> => ({
  ...OWN,
  about: "port",
});

/** The row of a name that may not be in the table. */
export const rowOf = (table: CallTable, name: string): CallRow | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Answers a call by its name. */
export type Answer<T> = (name: keyof T & string, args: readonly unknown[]) => Promise<unknown>;

/** The calls of a table, each passed to `answer` with its name and arguments. */
export function callsBy<T extends CallTable>(table: T, answer: Answer<T>): CallsOf<T> {
  const calls = Object.keys(table).map((name) => {
    return [name, async (...args: readonly unknown[]) => answer(name, args)];
  });
  // Each value has the signature of the row with its name.
  return Object.fromEntries(calls) as CallsOf<T>;
}

/** The run that a call about a run is about. */
export const runIdOf = (args: readonly unknown[]): string => String(args[0]);

/** Makes a call by its name. The arguments are those of the call: whoever passes them on has them from {@link callsBy}. */
export const invoke = <Name extends string>(
  calls: { readonly [N in Name]: AnyCall },
  name: Name,
  args: readonly unknown[],
): Promise<unknown> => calls[name](...(args as never[]));
