import { Facts, fact } from "../Facts.tsx";
import { useIsPointed, usePointed } from "./crosshair.ts";
import type { PlotModel } from "./PlotModel.ts";
import { factsAt, placeOf, readoutOf } from "./PlotModel.ts";
import { toPixel } from "./plotScale.ts";
import type { PlotScene } from "./plotScene.ts";

const WIDTH = 200;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The values beside the crosshair, in the chart that the user points at. */
export function PlotTip({ scene, chart }: { readonly scene: PlotScene; readonly chart: string }) {
  const { model, x } = scene;
  const at = usePointed(model);
  const isHere = useIsPointed(chart);
  if (at === null || !isHere) return null;
  const place = toPixel(x, model.x[at] ?? Number.NaN);
  if (!(place >= x.pixels[0] - 1 && place <= x.pixels[1] + 1)) return null;
  const left = place + WIDTH + 24 > x.pixels[1] ? Math.max(0, place - WIDTH - 12) : place + 12;
  return (
    <div className="plot__tip small" style={{ left, width: WIDTH }} aria-hidden="true">
      <p>{capitalised(placeOf(model, at))}</p>
      <Facts
        rows={(model.facts?.(at) ?? factsAt(model, at)).map(({ label, value, colour }) =>
          fact(
            <>
              {colour !== undefined && (
                <i className="plot__swatch rigid" style={{ background: `var(--${colour})` }} />
              )}
              <span className="clip">{label}</span>
            </>,
            value,
          ),
        )}
      />
    </div>
  );
}

interface ReadoutProps {
  readonly model: PlotModel;
  /** Slug of the chart. */
  readonly chart: string;
  /** Whether it is left out where the values are beside the pointer. */
  readonly brief: boolean;
}

/** The values at the crosshair in one line; it keeps its place while there are none. */
export function PlotReadout({ model, chart, brief }: ReadoutProps) {
  const at = usePointed(model);
  const isHere = useIsPointed(chart);
  return (
    <p className="clip plot__readout tiny soft shrinks">{brief && isHere ? "" : readoutOf(model, at)}</p>
  );
}
