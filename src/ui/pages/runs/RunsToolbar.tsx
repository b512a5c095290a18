import type { RefObject } from "react";
import { Select, TextField } from "../../components/controls.tsx";
import type { Configs } from "../../components/runColumns.tsx";
import { formatCount } from "../../lib/format.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import type { RunsRoute } from "../../routes/route.ts";
import { RUN_GROUPS, type RunsQuery } from "../../routes/runsQuery.ts";
import { ColumnPicker } from "./ColumnPicker.tsx";
import { ViewPicker } from "./ViewPicker.tsx";

interface Props {
  readonly route: RunsRoute;
  readonly configs: Configs;
  /** Number of runs shown, out of `total`. */
  readonly count: number;
  readonly total: number;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onChange: (part: Partial<RunsQuery>) => void;
  /** Called when the column picker opens. */
  readonly onColumns: () => void;
}

/** Controls for filtering and grouping the runs, for columns and for saved views. */
export function RunsToolbar({ route, configs, count, total, search, onChange, onColumns }: Props) {
  useShortcut("/", () => search.current?.focus());
  return (
    <div className="row panel__head">
      <TextField
        ref={search}
        type="search"
        className="runs__search"
        aria-label="Filter runs"
        placeholder="Filter: words, state:running, tag:baseline, …"
        value={route.q}
        onChange={(q) => onChange({ q })}
      />
      <output className="runs__count" aria-label="Number of runs">
        {count === total ? formatCount(total) : `${formatCount(count)} of ${formatCount(total)}`}
      </output>
      <label className="quiet runs__group-by">
        Group by
        <Select
          value={route.group ?? ""}
          options={[["", "None"], ...RUN_GROUPS]}
          onChange={(name) => onChange({ group: RUN_GROUPS.find((group) => group === name) ?? null })}
        />
      </label>
      <ColumnPicker
        chosen={route.columns}
        configs={configs}
        onOpen={onColumns}
        onChange={(columns) => onChange({ columns })}
      />
      <ViewPicker route={route} />
    </div>
  );
}
