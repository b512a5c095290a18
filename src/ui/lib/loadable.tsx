/**
 * A component whose code is loaded when it is first shown. `lazy` and `Suspense` do the same, but React 19
 * shows the content no sooner than 300 ms after the fallback (measured: a run's page, its tab and the wall
 * each waited 300 ms for code that had loaded after 30 ms). Delete this when React shows loaded content
 * immediately.
 */
import { type ComponentType, type ReactNode, useEffect, useState } from "react";

export interface Loadable<P> {
  (props: P): ReactNode;
  /**
   * Loads the code ahead of its use. A failure is ignored; showing the component loads the code again and
   * reports a failure.
   */
  preload(): void;
}

/**
 * @param load Imports the component. Called again on the next use after a failure.
 * @param waiting Shown while the code loads.
 * @returns A component that throws the error of `load` while rendering, so that an error boundary shows it.
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
