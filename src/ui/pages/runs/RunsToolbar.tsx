import { Columns3 } from "lucide-react";
import { type RefObject, useState } from "react";
import { Button } from "../../components/Button.tsx";
import { SearchField, Select, TextField } from "../../components/controls.tsx";
import { type Configs, columnGroups } from "../../components/runColumns.tsx";
import { formatCount } from "../../lib/format.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import type { RunsRoute } from "../../routes/route.ts";
import { RUN_GROUPS, type RunsQuery } from "../../routes/runsQuery.ts";
import { PopoverButton } from "./PopoverForm.tsx";
import { ViewPicker } from "./ViewPicker.tsx";

interface ColumnPickerProps {
  readonly chosen: readonly string[];
  readonly configs: Configs;
  readonly onOpen: () => void;
  readonly onChange: (columns: readonly string[]) => void;
}

/** A picker for optional columns: properties of runs and any field of the manifests, searchable by name. */
function ColumnPicker({ chosen, configs, onOpen, onChange }: ColumnPickerProps) {
  const [wanted, setWanted] = useState("");
  const groups = columnGroups(configs)
    .map(([group, names]) => [group, names.filter((name) => name.includes(wanted.trim()))] as const)
    .filter(([, names]) => names.length > 0);
  const toggle = (name: string): void =>
    onChange(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]);
  return (
    <PopoverButton
      icon={Columns3}
      label={chosen.length === 0 ? "Columns" : `Columns (${chosen.length})`}
      onOpen={onOpen}
    >
      <div className="stack column-picker">
        <SearchField label="Find a column" value={wanted} onChange={setWanted} />
        <div className="column-picker__list">
          {groups.map(([group, names]) => (
            <fieldset key={group}>
              <legend className="faint">{group}</legend>
              {names.map((name) => (
                <label key={name} className="beside">
                  <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
                  {name}
                </label>
              ))}
            </fieldset>
          ))}
          {groups.length === 0 && <p>No matching columns.</p>}
        </div>
        {chosen.length > 0 && (
          <Button small onClick={() => onChange([])}>
            Remove all
          </Button>
        )}
      </div>
    </PopoverButton>
  );
}

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
        className="runs__search auto-width"
        aria-label="Filter runs"
        placeholder="Filter: words, state:running, tag:baseline, …"
        value={route.q}
        onChange={(q) => onChange({ q })}
      />
      <output className="soft runs__count" aria-label="Number of runs">
        {count === total ? formatCount(total) : `${formatCount(count)} of ${formatCount(total)}`}
      </output>
      <label className="quiet beside runs__group-by">
        Group by
        <Select
          className="auto-width"
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
