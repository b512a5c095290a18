/**
 * Components whose code is loaded when they are shown first. `lazy` and `Suspense` do the same, but React 19 shows what
 * a fallback stood for no sooner than 300 ms after the fallback (measured: a run's page, its tab and the wall waited 300 ms
 * each for code that was there after 30). To be deleted when React shows at once what is there.
 */
import { type ComponentType, type ReactNode, useEffect, useState } from "react";

export interface Loadable<P> {
  (props: P): ReactNode;
  /** Loads the code ahead of its use. What cannot be loaded is asked for again, and then complains, when it is shown. */
  preload(): void;
}

/**
 * @param load Gives the component. Called until it succeeds once.
 * @param waiting Shown meanwhile.
 * @returns A component that throws what `load` rejects with, while it is drawn: an error boundary shows it.
 */
export function loadable<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): Loadable<P> {
  let Loaded: ComponentType<P> | null = null;
  let loading: Promise<void> | null = null;

  async function ask(): Promise<void> {
    try {
      Loaded ??= await load();
    } finally {
      loading = null;
    }
  }

  const whenLoaded = (): Promise<void> => (loading ??= ask());

  function Shown(props: P): ReactNode {
    const [, setLoaded] = useState(Loaded !== null);
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    useEffect(() => {
      let wanted = true;
      whenLoaded().then(
        () => wanted && setLoaded(true),
        (error: unknown) => wanted && setFailure({ error }),
      );
      return () => {
        wanted = false;
      };
    }, []);
    if (failure !== null) throw failure.error;
    return Loaded === null ? waiting : <Loaded {...props} />;
  }

  function preload(): void {
    whenLoaded().catch(() => undefined);
  }
  return Object.assign(Shown, { preload });
}
