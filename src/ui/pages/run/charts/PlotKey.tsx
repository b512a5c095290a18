import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { isCrowded } from "./descentModel.ts";
import "../../../components/components.css";
import "../../../components/plot/Plot.css";

interface Props {
  readonly columns: HistoryColumns;
  readonly bounds?: boolean;
  readonly steering?: boolean;
  readonly selected: boolean;
}

/** The legend of the charts of members. */
export function PlotKey({ columns, bounds = false, steering = false, selected }: Props) {
  return (
    <ul className="legend legend--small" aria-label="Legend">
      <li>
        <i className="legend__elite" /> elite and its ancestors
      </li>
      {selected && (
        <li>
          <i className="legend__selected" /> selected agent and its ancestors
        </li>
      )}
      {isCrowded(columns) ? (
        <>
          <li>
            <i className="legend__median" /> median
          </li>
          <li>
            <i className="plot-key__band" /> middle half and full range
          </li>
        </>
      ) : (
        <>
          <li>
            <i className="plot-key__living" /> surviving lineages, one colour each
          </li>
          <li>
            <i className="plot-key__ended" /> ended lineages
          </li>
        </>
      )}
      {bounds && (
        <li>
          <i className="plot-key__bound" /> mutation bounds
        </li>
      )}
      {steering && (
        <li>
          <i className="plot-key__mark" /> set manually
        </li>
      )}
    </ul>
  );
}
