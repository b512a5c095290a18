import type { HistoryColumns } from "../../../../workers/protocol.ts";
import type { PlotEntry } from "../../../components/plot/PlotModel.ts";
import { GROUPS, isCrowded } from "./descentModel.ts";

interface Shown {
  readonly columns: HistoryColumns;
  /** Whether a member is selected. */
  readonly selected: boolean;
  /** Entries after that of the elite. */
  readonly more?: readonly PlotEntry[];
  readonly bounds?: boolean;
  readonly steering?: boolean;
}

/** The legend of charts of members. */
export function memberLegend({ columns, selected, more = [], bounds, steering }: Shown): PlotEntry[] {
  return [
    { label: "elite and its ancestors", group: "elite", mark: "line", colour: "elite" },
    ...more,
    ...(selected
      ? [{ label: "selected and its ancestors", group: "selected", mark: "line", colour: "ink" } as const]
      : []),
    ...(isCrowded(columns)
      ? ([
          { label: "median", group: "median", mark: "line", colour: "accent" },
          { label: GROUPS.middle, group: GROUPS.middle, mark: "band", colour: "accent", opacity: 0.36 },
          { label: GROUPS.range, group: GROUPS.range, mark: "band", colour: "accent", opacity: 0.16 },
        ] as const)
      : ([
          {
            label: "surviving lineages, one colour each",
            group: GROUPS.living,
            mark: "lineages",
            colour: "ink-3",
          },
          { label: GROUPS.ended, group: GROUPS.ended, mark: "line", colour: "ink-3", opacity: 0.5 },
        ] as const)),
    ...(bounds ? [{ label: "mutation bounds", mark: "dash", colour: "ink-3" } as const] : []),
    ...(steering ? [{ label: "set manually", mark: "dotted", colour: "accent" } as const] : []),
  ];
}
