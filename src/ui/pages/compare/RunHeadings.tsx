import { formatRoute, runRoute } from "../../routes/route.ts";
import { runColour } from "./runColour.ts";
import type { ComparedRun } from "./useComparedRuns.ts";

interface Props {
  readonly runs: readonly ComparedRun[];
  /** Heading of the first column. */
  readonly first: string;
}

/** The header of a table with one column per run. */
export function RunHeadings({ runs, first }: Props) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {runs.map(({ id, place, view }) => (
          <th key={id} scope="col" className="number">
            <i className="compare__colour" style={{ background: `var(--${runColour(place)})` }} />{" "}
            <a href={formatRoute(runRoute(id))}>{view.summary?.name ?? id}</a>
          </th>
        ))}
      </tr>
    </thead>
  );
}
