import type { CSSProperties, MouseEvent } from "react";
import { plotSlug } from "../../routes/plotViews.ts";
import type { PlotEntry } from "./PlotModel.ts";
import { changePlotViews, usePlotViews } from "./usePlotViews.ts";
import "./Plot.css";

/** A sample of what an entry stands for. */
function Sample({ mark, colour, opacity = 1 }: PlotEntry) {
  const colours = mark === "lineages" ? [0, 1].map((slot) => `var(--slot-${slot})`) : [`var(--${colour})`];
  return colours.map((one) => (
    <i
      key={one}
      className={`plot-legend__${mark}`}
      // The style sheet draws with the text's colour.
      style={{ color: one, opacity } satisfies CSSProperties}
      aria-hidden="true"
    />
  ));
}

/** The hidden groups after a press on an entry: hides or shows it; with Alt, shows only it, or all again. */
export function hiddenAfter(
  groups: readonly string[],
  hidden: readonly string[],
  pressed: string,
  alone: boolean,
): readonly string[] {
  const others = groups.filter((group) => group !== pressed);
  const kept = hidden.filter((group) => !groups.includes(group));
  if (alone) {
    const isAlone = !hidden.includes(pressed) && others.every((group) => hidden.includes(group));
    return isAlone ? kept : [...kept, ...others];
  }
  return hidden.includes(pressed) ? hidden.filter((group) => group !== pressed) : [...hidden, pressed];
}

interface Props {
  readonly entries: readonly PlotEntry[];
  /** Whether it is the legend of several small charts. */
  readonly small?: boolean;
}

/** A legend whose entries hide lines, in all charts of the page that have them. */
export function PlotLegend({ entries, small = false }: Props) {
  const { hidden } = usePlotViews();
  const groups = entries.flatMap(({ group }) => (group === undefined ? [] : [plotSlug(group)]));
  const press = (group: string, event: MouseEvent): void =>
    changePlotViews((now) => ({ ...now, hidden: hiddenAfter(groups, now.hidden, group, event.altKey) }));
  return (
    <ul className={small ? "legend legend--small soft" : "legend soft"} aria-label="Legend">
      {entries.map((entry) => {
        const group = entry.group === undefined ? null : plotSlug(entry.group);
        return (
          <li key={entry.group ?? entry.label}>
            {group === null ? (
              <>
                <Sample {...entry} /> {entry.label}
              </>
            ) : (
              <button
                type="button"
                className="plot-legend__entry inline"
                aria-pressed={!hidden.includes(group)}
                title="Click to hide or show, with Alt to show only this"
                onClick={(event) => press(group, event)}
              >
                <Sample {...entry} /> {entry.label}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
