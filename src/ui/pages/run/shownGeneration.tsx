import { createContext, useContext } from "react";
import type { FitnessColumns } from "../../../tracking/clients.ts";
import { Segments } from "../../components/controls.tsx";
import { formatCount } from "../../lib/format.ts";
import { replaceRoute } from "../../routes/navigation.ts";
import { type RunRoute, runRoute } from "../../routes/route.ts";
import { shownRow } from "../../series/historyCells.ts";

export const RunRouteContext = createContext<RunRoute>(runRoute(""));

/** The route of the open run, with all of its view state. */
export const useRunRoute = (): RunRoute => useContext(RunRouteContext);

interface Props {
  /** The generation that the view shows, if it cannot show the one that the user chose. */
  readonly shown?: number | undefined;
  /** Whether the view shows everything up to the generation. */
  readonly upTo?: boolean;
}

/** Says in a view's heading which generation it shows, while that is not the newest one. */
export function GenerationNote({ shown, upTo = false }: Props) {
  const { generation: wanted } = useRunRoute();
  if (wanted === null) return null;
  const isOther = shown !== undefined && shown !== wanted;
  return (
    <span className="panel__note">
      {upTo && "up to "}generation {formatCount(shown ?? wanted)}
      {isOther && ` (generation ${formatCount(wanted)} is not stored)`}
    </span>
  );
}

/** The generation that the views of a run show. */
interface ShownGeneration {
  /** Row among the completed generations; -1 before the first. */
  readonly row: number;
  /** Generation number; 0 before the first. */
  readonly generation: number;
  /** Row of the newest generation. */
  readonly newest: number;
  /** Whether the views follow the newest generation. */
  readonly live: boolean;
}

/** @param wanted the route's generation; null or an unknown one selects the newest */
export function shownGeneration(columns: FitnessColumns, wanted: number | null): ShownGeneration {
  const row = shownRow(columns, wanted);
  const generation = columns.generation[row] ?? 0;
  return { row, generation, newest: columns.generations - 1, live: generation !== wanted || row < 0 };
}

/** Switches between the chart and the table of a view, as the route says. */
export function ViewSwitch({ options }: { readonly options: Readonly<Record<RunRoute["view"], string>> }) {
  const route = useRunRoute();
  const show = (view: RunRoute["view"]): void => replaceRoute({ ...route, view });
  return <Segments label="View" options={options} value={route.view} onChange={show} />;
}
