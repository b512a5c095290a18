import { memo } from "react";
import { Swatch } from "../../components/Swatch.tsx";
import { formatCount, formatDuration, formatScore } from "../../lib/format.ts";
import type { FitnessSeries } from "../../series/FitnessSeries.ts";

/** Rows shown; a page with thousands of rows would be slow and is read by nobody. */
const MAX_ROWS = 200;

interface Props {
  readonly series: FitnessSeries;
  /** Changes when the series has grown. */
  readonly version: number;
}

/** The numbers behind the fitness chart, of generations that were evaluated, the latest first. */
export const FitnessTable = memo(function FitnessTable({ series }: Props) {
  const { evaluated } = series;
  const { length } = evaluated;
  const shown = Math.min(length, MAX_ROWS);
  const indices = Array.from({ length: shown }, (_, position) => evaluated.at(length - 1 - position));
  return (
    <div className="table-scroll fitness__table">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Generation</th>
            <th scope="col" className="number">
              Steps
            </th>
            <th scope="col" className="number">
              Time
            </th>
            {series.slots.map((_, slot) => (
              <th key={slot} scope="col" className="number">
                <Swatch slot={slot} /> {slot}
              </th>
            ))}
            <th scope="col" className="number">
              Mean
            </th>
            <th scope="col" className="number">
              Best so far
            </th>
          </tr>
        </thead>
        <tbody>
          {indices.map((index) => (
            <tr key={index}>
              <th scope="row">{formatCount(series.axis("generation").at(index))}</th>
              <td className="number">{formatCount(series.axis("steps").at(index))}</td>
              <td className="number">{formatDuration(series.axis("time").at(index))}</td>
              {series.slots.map((column, slot) => (
                <td key={slot} className="number">
                  {formatScore(column.at(index))}
                </td>
              ))}
              <td className="number">{formatScore(series.mean.at(index))}</td>
              <td className="number">{formatScore(series.best.at(index))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {length > MAX_ROWS && (
        <p className="fitness__note">
          The latest {MAX_ROWS} of {formatCount(length)} generations.
        </p>
      )}
    </div>
  );
});
