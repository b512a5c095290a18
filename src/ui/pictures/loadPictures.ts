import type { DrawEnvironment } from "../../rl/environments.ts";
import type { RecordedChampions, StillStates } from "../../stage/recording.ts";
import { inflate } from "./inflate.ts";

/** Loads once; after a failure, the next call loads again. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

/** What still pictures need: the drawings of environments, and a state of each. */
export const loadStills = once(async () => {
  const [{ drawEnvironment }, { stills }] = await Promise.all([
    import("./drawings.ts"),
    import("./recordedStills.ts"),
  ]);
  const states = await inflate<StillStates>(stills);
  return {
    /** The drawing and the state of an environment; null for one that has none. */
    of: (id: string): { readonly draw: DrawEnvironment; readonly state: readonly number[] } | null => {
      const [draw, state] = [drawEnvironment(id), states[id]];
      return draw === null || state === undefined ? null : { draw, state };
    },
  };
});

/** The episodes of champions, loaded when the first is about to move. */
export const loadChampions = once(async () =>
  inflate<RecordedChampions>((await import("./recordedChampions.ts")).champions),
);
