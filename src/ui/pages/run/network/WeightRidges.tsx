import { useCallback, useMemo } from "react";
import { FailedView, SkeletonView } from "../../../components/ViewState.tsx";
import { formatCount, formatHyperparameter } from "../../../lib/format.ts";
import { useCalmly } from "../../../lib/updateClock.ts";
import { useOnScreen } from "../../../lib/useElement.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { type LayerRidges, layerRidges, ridgeGenerations, type StoredWeights } from "./ridges.ts";

const WIDTH = 200;
const STEP = 7;
const TALL = 30;
const FOOT = 16;

/** Histograms of the weights of stored elites over generations. They are read once the section is in view. */
export function WeightRidges({ run, last }: { readonly run: string; readonly last: number }) {
  const { coordinator } = useWorkbench();
  const { onScreen, ref } = useOnScreen(false, "200px");
  // While a run trains, the newest generation changes faster than its weights are of interest.
  const upTo = useCalmly(last, 15_000);
  const read = useCallback(
    async (signal: AbortSignal): Promise<readonly StoredWeights[]> => {
      const stored: StoredWeights[] = [];
      for (const generation of ridgeGenerations(upTo)) {
        signal.throwIfAborted();
        // That of the nearest generation where this one's gave way to later ones; null of language models.
        const elite = await coordinator.eliteAt(run, generation);
        if (elite === null || stored.some((one) => one.generation === elite.generation)) continue;
        const networks = await coordinator.network(run, elite.ref);
        stored.push({ generation: elite.generation, networks });
      }
      return stored;
    },
    [coordinator, run, upTo],
  );
  const { value, problem } = useAnswer(onScreen ? read : null);
  const layers = useMemo(() => layerRidges(value ?? []), [value]);
  if (upTo < 2 || (problem === null && value !== undefined && layers.length === 0)) return null;
  return (
    <section ref={ref} aria-label="Weights over generations">
      <h3 className="network__heading rule-above">Weights over generations</h3>
      {problem !== null ? (
        <FailedView title="The weights of earlier elites could not be read">{problem}</FailedView>
      ) : value === undefined ? (
        <SkeletonView label="Loading the weights of earlier elites…" rows={3} />
      ) : (
        <>
          <p className="panel__text">
            Weights of {value.length} stored elites, from generation {formatCount(value[0]?.generation ?? 0)}{" "}
            at the top to {formatCount(value.at(-1)?.generation ?? 0)}.
          </p>
          <ul className="histograms tiny" aria-label="Weights of layers over generations">
            {layers.map((layer) => (
              <li key={layer.name}>
                <p>
                  <code>{layer.name}</code>
                </p>
                <Ridges layer={layer} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Ridges({ layer: { min, max, ridges } }: { readonly layer: LayerRidges }) {
  const span = Math.max(max - min, 1e-12);
  const x = (value: number): number => ((value - min) / span) * WIDTH;
  const ground = TALL + (ridges.length - 1) * STEP;
  return (
    <svg className="histogram ridges wide block" viewBox={`0 0 ${WIDTH} ${ground + FOOT}`} aria-hidden="true">
      {min < 0 && max > 0 && <path className="ridges__zero" d={`M${x(0)} 0V${ground}`} />}
      {ridges.map(({ generation, points }, at) => {
        const y = TALL + at * STEP;
        const line = points
          .map(([value, height]) => `${x(value).toFixed(1)} ${(y - height * TALL).toFixed(1)}`)
          .join("L");
        const [from, to] = [x(points[0]?.[0] ?? min), x(points.at(-1)?.[0] ?? max)];
        return (
          <path
            key={generation}
            className={at === ridges.length - 1 ? "ridges__line ridges__line--last" : "ridges__line"}
            d={`M${from.toFixed(1)} ${y}L${line}L${to.toFixed(1)} ${y}`}
          />
        );
      })}
      <text x="0" y={ground + 13}>
        {formatHyperparameter(min)}
      </text>
      <text x={WIDTH} y={ground + 13} textAnchor="end">
        {formatHyperparameter(max)}
      </text>
    </svg>
  );
}
