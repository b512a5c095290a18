import { MOST_SMOOTHING } from "../../routes/plotViews.ts";
import { changePlotViews, usePlotViews } from "./usePlotViews.ts";
import "./Plot.css";

/** Smooths the lines of all charts of the page. */
export function PlotSmoothing() {
  const { smoothing } = usePlotViews();
  return (
    <label className="row quiet plot-smoothing" title="Exponential moving average, with raw values behind">
      Smoothing
      <input
        type="range"
        min={0}
        max={MOST_SMOOTHING}
        step={0.01}
        value={smoothing}
        aria-valuetext={smoothing === 0 ? "none" : smoothing.toFixed(2)}
        onChange={({ currentTarget: { valueAsNumber } }) =>
          changePlotViews((now) => ({ ...now, smoothing: valueAsNumber }))
        }
      />
      <span className="plot-smoothing__value" aria-hidden="true">
        {smoothing === 0 ? "off" : smoothing.toFixed(2)}
      </span>
    </label>
  );
}
