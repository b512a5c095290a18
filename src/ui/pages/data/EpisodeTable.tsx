import { useState } from "react";
import type { DatasetEpisode } from "../../../datasets/reading.ts";
import { ScrollRegion } from "../../components/ScrollRegion.tsx";
import { formatCount, formatScore } from "../../lib/format.ts";

const PAGE = 25;
const ENDS = { terminated: "terminated", truncated: "truncated", open: "unfinished" } as const;

/** The episodes of a data set, one page at a time. */
export function EpisodeTable({ episodes }: { readonly episodes: readonly DatasetEpisode[] }) {
  const [page, setPage] = useState(0);
  const first = page * PAGE;
  const shown = episodes.slice(first, first + PAGE);
  const last = first + shown.length;
  return (
    <section className="panel" aria-label="Episodes">
      <div className="panel__head">
        <h2>Episodes</h2>
        <output className="data__place">
          {formatCount(Math.min(first + 1, last))} to {formatCount(last)} of {formatCount(episodes.length)}
        </output>
        <button
          type="button"
          className="button button--small"
          aria-disabled={page === 0}
          onClick={() => setPage(Math.max(0, page - 1))}
        >
          Previous
        </button>
        <button
          type="button"
          className="button button--small"
          aria-disabled={last >= episodes.length}
          onClick={() => last < episodes.length && setPage(page + 1)}
        >
          Next
        </button>
      </div>
      <ScrollRegion label="Episodes table">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Episode</th>
              <th scope="col" className="number">
                Return
              </th>
              <th scope="col" className="number">
                Steps
              </th>
              <th scope="col">End</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, steps, end, return: sum }) => (
              <tr key={id}>
                <th scope="row">{id}</th>
                <td className="number">{formatScore(sum)}</td>
                <td className="number">{formatCount(steps)}</td>
                <td>{ENDS[end]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
