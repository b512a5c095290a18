import { memo } from "react";
import { ScrollRegion } from "../../../components/ScrollRegion.tsx";
import { formatCount, formatDuration, formatScore } from "../../../lib/format.ts";
import { positionsOf } from "../../../series/historyCells.ts";
import type { FitnessModel } from "./fitnessModel.ts";

/** Maximum number of rows; thousands of rows would be slow and hard to read. */
const MAX_ROWS = 200;

const COLUMNS = [
  "Steps",
  "Time",
  "Elite\u2019s lineage",
  "Lowest",
  "First quartile",
  "Median",
  "Third quartile",
  "Highest",
  "Best so far",
] as const;

/** The numbers behind the fitness chart for evaluated generations, latest first. */
export const FitnessTable = memo(function FitnessTable({ model }: { readonly model: FitnessModel }) {
  const { rows, all } = model;
  const { columns } = all;
  const seconds = positionsOf(columns, "time");
  const shown = rows.slice(-MAX_ROWS).toReversed();
  return (
    <ScrollRegion label="Fitness by generation" className="table-scroll fitness__table">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Generation</th>
            {COLUMNS.map((label) => (
              <th key={label} scope="col" className="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ row, range, middle, median, elite, best, raw }) => (
            <tr key={row}>
              <th scope="row">{formatCount(columns.generation[row] ?? 0)}</th>
              <td className="number">{formatCount(columns.global_step[row] ?? 0)}</td>
              <td className="number">{formatDuration(seconds[row] ?? 0)}</td>
              {[
                raw?.elite ?? elite,
                range[0],
                middle[0],
                raw?.median ?? median,
                middle[1],
                range[1],
                best,
              ].map((value, at) => (
                <td key={at} className="number">
                  {formatScore(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && (
        <p className="fitness__note">
          Showing the latest {MAX_ROWS} of {formatCount(rows.length)} generations.
        </p>
      )}
    </ScrollRegion>
  );
});
