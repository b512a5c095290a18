import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { isCrowded } from "./descentModel.ts";
import "./PlotKey.css";

interface Props {
  readonly columns: HistoryColumns;
  readonly bounds?: boolean;
  readonly steering?: boolean;
  readonly selected: boolean;
}

/** The legend of the charts of members. */
export function PlotKey({ columns, bounds = false, steering = false, selected }: Props) {
  return (
    <ul className="plot-key" aria-label="Lines">
      <li>
        <i className="plot-key__elite" /> the elite and what it descends from
      </li>
      {selected && (
        <li>
          <i className="plot-key__selected" /> the selected agent's descent
        </li>
      )}
      {isCrowded(columns) ? (
        <>
          <li>
            <i className="plot-key__median" /> median
          </li>
          <li>
            <i className="plot-key__band" /> middle half, and all members
          </li>
        </>
      ) : (
        <>
          <li>
            <i className="plot-key__living" /> lines that go on, coloured by descent
          </li>
          <li>
            <i className="plot-key__ended" /> lines that ended
          </li>
        </>
      )}
      {bounds && (
        <li>
          <i className="plot-key__bound" /> bounds of mutation
        </li>
      )}
      {steering && (
        <li>
          <i className="plot-key__mark" /> set by hand
        </li>
      )}
    </ul>
  );
}
