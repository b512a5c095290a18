import { Button } from "../../../components/Button.tsx";
import { TableFrame } from "../../../components/Table.tsx";
import { formatHyperparameter } from "../../../lib/format.ts";
import type { Range } from "../../../series/hyperparameterRanges.ts";
import { type AxisSetting, type Dimension, moved, withSetting } from "./parallel.ts";

interface Props {
  readonly dimensions: readonly Dimension[];
  readonly settings: readonly AxisSetting[];
  readonly onChange: (settings: readonly AxisSetting[]) => void;
}

const COLUMNS = ["Axis", "Logarithmic", "Order", "From", "To", "Filter"].map((head) => ({ head }));

const number = (text: string, otherwise: number): number =>
  text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : otherwise;

/**
 * Keyboard controls for the axes: which axes are shown, their order and scale, and the range of each filter.
 */
export function AxisControls({ dimensions, settings, onChange }: Props) {
  const all = (shown: boolean): void => onChange(settings.map((setting) => ({ ...setting, shown })));
  const brush = (name: string, from: Range, change: Partial<Range>): void =>
    onChange(withSetting(settings, name, { brush: { ...from, ...change } }));
  return (
    <details className="axes small rule-above">
      <summary>Axes</summary>
      <p>
        <Button small onClick={() => all(true)}>
          Show all
        </Button>{" "}
        <Button small onClick={() => all(false)}>
          Hide all
        </Button>
      </p>
      <TableFrame columns={COLUMNS}>
        <tbody>
          {settings.map(({ name, shown, log, brush: chosen }) => {
            const dimension = dimensions.find((one) => one.name === name);
            if (dimension === undefined) return null;
            const from = chosen ?? dimension.range;
            return (
              <tr key={name}>
                <th scope="row">
                  <label className="beside">
                    <input
                      type="checkbox"
                      checked={shown}
                      onChange={(event) =>
                        onChange(withSetting(settings, name, { shown: event.target.checked }))
                      }
                    />{" "}
                    {name}
                  </label>
                </th>
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Logarithmic axis of ${name}`}
                    checked={log}
                    disabled={!dimension.positive}
                    onChange={(event) => onChange(withSetting(settings, name, { log: event.target.checked }))}
                  />
                </td>
                <td>
                  <Button
                    small
                    aria-label={`Move ${name} to the left`}
                    onClick={() => onChange(moved(settings, name, -1))}
                  >
                    ←
                  </Button>{" "}
                  <Button
                    small
                    aria-label={`Move ${name} to the right`}
                    onClick={() => onChange(moved(settings, name, 1))}
                  >
                    →
                  </Button>
                </td>
                {(["min", "max"] as const).map((end) => (
                  <td key={end}>
                    <input
                      className="field"
                      inputMode="decimal"
                      aria-label={`Filter ${end === "min" ? "minimum" : "maximum"} of ${name}`}
                      placeholder={formatHyperparameter(dimension.range[end])}
                      value={chosen === null ? "" : String(Number(from[end].toPrecision(5)))}
                      onChange={(event) =>
                        brush(name, from, { [end]: number(event.target.value, dimension.range[end]) })
                      }
                    />
                  </td>
                ))}
                <td>
                  <Button
                    small
                    aria-label={`Clear the filter on ${name}`}
                    disabled={chosen === null}
                    onClick={() => onChange(withSetting(settings, name, { brush: null }))}
                  >
                    Clear
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
    </details>
  );
}
