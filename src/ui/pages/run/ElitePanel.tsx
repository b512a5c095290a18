import { Suspense } from "react";
import { ElitePlayer } from "./lazyParts.ts";

interface Props {
  readonly id: string;
  readonly environment: string;
  /** Generations so far; an elite exists from the first on. */
  readonly generation: number;
}

/** The elite at play, once there is one. */
export function ElitePanel({ id, environment, generation }: Props) {
  return (
    <section className="panel elite" aria-label="Elite at play">
      {generation === 0 ? (
        <>
          <div className="panel__head">
            <h2>Elite at play</h2>
          </div>
          <p className="empty">The best agent plays here after the first generation.</p>
        </>
      ) : (
        <Suspense fallback={<div className="elite__stage" />}>
          <ElitePlayer id={id} environment={environment} />
        </Suspense>
      )}
    </section>
  );
}
