import { useMemo } from "react";
import { formatCount } from "../../../lib/format.ts";
import { Plot } from "../charts/Plot.tsx";
import type { FitnessModel } from "./fitnessModel.ts";
import { longModel } from "./longModel.ts";

const HEIGHT = 320;

/** The fitness chart on a canvas, for more generations than SVG elements can show. */
export function LongFitness({ model, summary }: { readonly model: FitnessModel; readonly summary: string }) {
  const plot = useMemo(() => longModel(model), [model]);
  const { above, below } = model.domain;
  return (
    <>
      <Plot
        title={`${formatCount(model.rows.length)} generations`}
        summary={summary}
        model={plot}
        height={HEIGHT}
      />
      {above + below > 0 && (
        <p className="fitness__note">
          Beyond the axis: ▲ {formatCount(above)} above, ▼ {formatCount(below)} below.
        </p>
      )}
    </>
  );
}
