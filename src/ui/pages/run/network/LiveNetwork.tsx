import { type RefObject, useMemo, useState } from "react";
import type { KeptAgent, NetworkWeights } from "../../../../workers/protocol.ts";
import { Legend, LegendEntry } from "../../../components/marks.tsx";
import { ScrollRegion } from "../../../components/Table.tsx";
import { formatCount } from "../../../lib/format.ts";
import type { NumberNames } from "../../../lib/numberNames.ts";
import { useElementWidth } from "../../../lib/useElement.ts";
import { AgentPlayer } from "../agents/AgentPlayer.tsx";
import { FilterPictures, firstFilters } from "./FilterPictures.tsx";
import { LayerFeed } from "./LayerFeed.ts";
import { type DrawnNetwork, NetworkGraphDrawing } from "./NetworkGraphDrawing.tsx";
import type { LayerPair, NetworkPair } from "./networkDiff.ts";
import { networkGraph } from "./networkGraph.ts";
import { recurrentLayers, StateStrip } from "./StateStrip.tsx";

interface Props {
  readonly run: string;
  /** The stored agent whose networks these are; null if it is not stored. */
  readonly agent: KeptAgent | null;
  readonly networks: readonly NetworkPair[];
  /** What the environment calls the numbers that they read and write. */
  readonly names: NumberNames;
  /** Undefined while they are read, and if the agent is not stored. */
  readonly weights: readonly NetworkWeights[] | undefined;
  /** Whether agents of this run play episodes. */
  readonly plays: boolean;
  /** What the drawing shows, for screen readers. */
  readonly summary: string;
  readonly matches: (pair: LayerPair, network: string) => boolean;
  readonly svg: RefObject<SVGSVGElement | null>;
}

/** The graph of an agent's networks, and beside it the agent at play, whose layers light the graph. */
export function LiveNetwork({ run, agent, networks, names, weights, plays, summary, matches, svg }: Props) {
  const { width, ref } = useElementWidth();
  const [feed] = useState(() => new LayerFeed());
  const drawn = useMemo(
    () =>
      networks.map((network): DrawnNetwork => {
        const own = weights?.find(({ name }) => name === network.name);
        return { network, graph: networkGraph(network, own?.links ?? null, names) };
      }),
    [networks, weights, names],
  );
  const recurrent = recurrentLayers(weights ?? []);
  const filters = firstFilters(weights ?? []);
  return (
    <>
      <div className={plays && agent !== null ? "columns network__live" : undefined}>
        <div ref={ref}>
          <ScrollRegion className="network__scroll" label="Drawing of the networks">
            <p className="visually-hidden">{summary}. The Table view lists all layers.</p>
            {width > 0 && (
              <NetworkGraphDrawing networks={drawn} room={width} matches={matches} svg={svg} feed={feed} />
            )}
          </ScrollRegion>
          <GraphLegend drawn={drawn} plays={plays && agent !== null} />
        </div>
        {plays && agent !== null && (
          <div className="network__player">
            <AgentPlayer
              run={run}
              agent={agent.ref}
              version={JSON.stringify([agent.ref, agent.index, agent.generation])}
              onOutputs={feed.publish}
            />
          </div>
        )}
      </div>
      {plays && agent !== null && recurrent.length > 0 && <StateStrip layers={recurrent} feed={feed} />}
      {filters !== null && <FilterPictures filters={filters} />}
    </>
  );
}

/** What the graph's marks mean, as far as it has them. */
function GraphLegend({ drawn, plays }: { readonly drawn: readonly DrawnNetwork[]; readonly plays: boolean }) {
  const blocks = drawn.flatMap(({ graph }) => graph.blocks);
  const edges = drawn.reduce((sum, { graph }) => sum + graph.edges.length, 0);
  const all = drawn.reduce((sum, { graph }) => sum + graph.connections, 0);
  const has = (change: string): boolean => blocks.some(({ nodes }) => nodes.some((node) => node === change));
  const grouped = blocks.some(({ perNode }) => perNode > 1);
  return (
    <Legend small>
      {edges > 0 && (
        <>
          <LegendEntry of="positive">positive weight</LegendEntry>
          <LegendEntry of="negative">negative weight</LegendEntry>
        </>
      )}
      {has("added") && <LegendEntry of="added">added by mutation</LegendEntry>}
      {has("removed") && <LegendEntry of="removed">removed</LegendEntry>}
      <li>
        {edges === 0
          ? "Without stored weights, no connections are drawn."
          : edges < all
            ? `The ${formatCount(edges)} strongest of ${formatCount(all)} connections.`
            : "Strong weights are opaque, relative to the strongest of their layer."}
        {grouped &&
          " A dot of a wide layer stands for several units, and its connections for their strongest weight."}
        {plays && " While the agent plays, dots show outputs of units: orange above 0, blue below."}
      </li>
    </Legend>
  );
}
