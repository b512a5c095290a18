import { ChevronDown, ChevronRight } from "lucide-react";
import type { RunSummary } from "../../../workers/protocol.ts";
import { formatCount, formatScore } from "../../lib/format.ts";

interface Props {
  /** Null for the runs without a value. */
  readonly name: string | null;
  readonly runs: readonly RunSummary[];
  readonly span: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** The header row of a group of runs, which collapses the group. */
export function GroupRow({ name, runs, span, open, onToggle }: Props) {
  const best = Math.max(...runs.map(({ best_fitness }) => best_fitness ?? Number.NEGATIVE_INFINITY));
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <tr className="runs__group">
      <th scope="rowgroup" colSpan={span}>
        <button type="button" aria-expanded={open} onClick={onToggle}>
          <Icon aria-hidden="true" />
          {name ?? "none"}
          <span className="runs__what">
            {formatCount(runs.length)} {runs.length === 1 ? "run" : "runs"}, best {formatScore(best)}
          </span>
        </button>
      </th>
    </tr>
  );
}
