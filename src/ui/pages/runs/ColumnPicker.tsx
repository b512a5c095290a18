import { Columns3 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/Button.tsx";
import { SearchField } from "../../components/controls.tsx";
import { type Configs, columnGroups } from "../../components/runColumns.tsx";
import { PopoverButton } from "./PopoverForm.tsx";

interface Props {
  readonly chosen: readonly string[];
  readonly configs: Configs;
  readonly onOpen: () => void;
  readonly onChange: (columns: readonly string[]) => void;
}

/** A picker for optional columns: properties of runs and any field of the manifests, searchable by name. */
export function ColumnPicker({ chosen, configs, onOpen, onChange }: Props) {
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
      <div className="column-picker">
        <SearchField label="Find a column" value={wanted} onChange={setWanted} />
        <div className="column-picker__list">
          {groups.map(([group, names]) => (
            <fieldset key={group}>
              <legend>{group}</legend>
              {names.map((name) => (
                <label key={name}>
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
