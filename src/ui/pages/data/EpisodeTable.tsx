import { useState } from "react";
import type { DatasetEpisode } from "../../../datasets/reading.ts";
import { Button } from "../../components/Button.tsx";
import { Panel } from "../../components/Panel.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { formatCount, formatScore } from "../../lib/format.ts";

const PAGE = 25;
const ENDS = { terminated: "terminated", truncated: "truncated", open: "unfinished" } as const;

const COLUMNS: readonly Column<DatasetEpisode>[] = [
  { head: "Episode", cell: ({ id }) => id },
  { head: "Return", number: true, cell: (episode) => formatScore(episode.return) },
  { head: "Steps", number: true, cell: ({ steps }) => formatCount(steps) },
  { head: "End", cell: ({ end }) => ENDS[end] },
];

/** The episodes of a data set, one page at a time. */
export function EpisodeTable({ episodes }: { readonly episodes: readonly DatasetEpisode[] }) {
  const [page, setPage] = useState(0);
  const first = page * PAGE;
  const shown = episodes.slice(first, first + PAGE);
  const last = first + shown.length;
  return (
    <Panel
      title="Episodes"
      head={
        <>
          <output className="data__place">
            {formatCount(Math.min(first + 1, last))} to {formatCount(last)} of {formatCount(episodes.length)}
          </output>
          <Button small aria-disabled={page === 0} onClick={() => setPage(Math.max(0, page - 1))}>
            Previous
          </Button>
          <Button
            small
            aria-disabled={last >= episodes.length}
            onClick={() => last < episodes.length && setPage(page + 1)}
          >
            Next
          </Button>
        </>
      }
    >
      <Table label="Episodes table" columns={COLUMNS} rows={shown} keyOf={({ id }) => id} />
    </Panel>
  );
}
