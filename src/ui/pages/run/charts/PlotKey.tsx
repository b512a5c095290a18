import type { HistoryColumns } from "../../../../workers/protocol.ts";
import { Legend, LegendEntry } from "../../../components/marks.tsx";
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
    <Legend small>
      <LegendEntry of="elite">elite and its ancestors</LegendEntry>
      {selected && <LegendEntry of="selected">selected agent and its ancestors</LegendEntry>}
      {isCrowded(columns) ? (
        <>
          <LegendEntry of="median">median</LegendEntry>
          <LegendEntry of="band">middle half and full range</LegendEntry>
        </>
      ) : (
        <>
          <LegendEntry of="living">surviving lineages, one colour each</LegendEntry>
          <LegendEntry of="faded">ended lineages</LegendEntry>
        </>
      )}
      {bounds && <LegendEntry of="bound">mutation bounds</LegendEntry>}
      {steering && <LegendEntry of="mark">set manually</LegendEntry>}
    </Legend>
  );
}
