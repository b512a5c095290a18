import { type RefObject, useEffect, useMemo, useRef } from "react";
import { formatCount } from "../../../lib/format.ts";
import { type GraphLayout, graphLayout, type PlacedBlock } from "./graphLayout.ts";
import type { LayerFeed } from "./LayerFeed.ts";
import {
  activationText,
  isChanged,
  type LayerPair,
  type NetworkPair,
  parametersText,
  widthText,
} from "./networkDiff.ts";
import { type GraphEdge, type NetworkGraph, nodeOutputs } from "./networkGraph.ts";

/** A network to draw. */
export interface DrawnNetwork {
  readonly network: NetworkPair;
  readonly graph: NetworkGraph;
}

interface Props {
  readonly networks: readonly DrawnNetwork[];
  /** Width of its place in pixels. */
  readonly room: number;
  /** Whether a layer matches the search; true for all without a search. */
  readonly matches: (pair: LayerPair, network: string) => boolean;
  readonly svg: RefObject<SVGSVGElement | null>;
  /** Outputs of the layers while the agent plays. */
  readonly feed: LayerFeed;
}

/** Height of a network's title. */
const TITLE = 28;
/** Number of strengths in which edges of each sign are drawn. */
const STRENGTHS = 5;
/** Number of steps in the colours of nodes: with few, few nodes change at a time. */
const LEVELS = 12;

/** Networks as graphs of units, one below the other, with the outputs of their layers while the agent plays. */
export function NetworkGraphDrawing({ networks, room, matches, svg, feed }: Props) {
  const layouts = useMemo(() => networks.map(({ graph }) => graphLayout(graph, room)), [networks, room]);
  const width = Math.max(...layouts.map((layout) => layout.width));
  const tops = layouts.map((_, at) =>
    layouts.slice(0, at).reduce((sum, { height }) => sum + TITLE + height, 0),
  );
  const height = layouts.reduce((sum, layout) => sum + TITLE + layout.height, 0);
  return (
    <svg
      ref={svg}
      className="network"
      aria-hidden="true"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      {layouts.map((layout, at) => {
        const drawn = networks[at];
        return (
          drawn !== undefined && (
            <g key={drawn.network.name} transform={`translate(0 ${tops[at] ?? 0})`}>
              <Graph drawn={drawn} layout={layout} matches={matches} feed={feed} />
            </g>
          )
        );
      })}
    </svg>
  );
}

interface GraphProps extends Pick<Props, "matches" | "feed"> {
  readonly drawn: DrawnNetwork;
  readonly layout: GraphLayout;
}

function Graph({ drawn: { network, graph }, layout, matches, feed }: GraphProps) {
  const nodes = useRef<SVGGElement>(null);
  useEffect(() => {
    const drawing = nodes.current;
    return drawing === null ? undefined : feed.subscribe(lights(drawing, network.name, graph));
  }, [feed, graph, network.name]);
  return (
    <>
      <text className="network__name" x="16" y="18">
        {network.name}
        <tspan className="network__count" dx="8">
          {parametersText(network)}
        </tspan>
      </text>
      <g ref={nodes} transform={`translate(0 ${TITLE})`}>
        {edgePaths(graph.edges, layout).map(({ sign, strength, path }) => (
          <path
            key={`${sign} ${strength}`}
            className={`network__edge network__edge--${sign}`}
            d={path}
            strokeOpacity={0.06 + 0.7 * (strength / STRENGTHS) ** 2}
            strokeWidth={0.5 + strength / STRENGTHS}
          />
        ))}
        {layout.blocks.map((placed, at) => (
          <Block
            // Layers have no names while their weights are unknown.
            key={at}
            placed={placed}
            dimmed={placed.block.pair !== null && !matches(placed.block.pair, network.name)}
          />
        ))}
      </g>
    </>
  );
}

/** Paths of all edges, one for each sign and strength. */
function edgePaths(edges: readonly GraphEdge[], { blocks }: GraphLayout) {
  const paths = new Map<string, { sign: "negative" | "positive"; strength: number; path: string }>();
  for (const { from, to, weight } of edges) {
    const [a, b] = [blocks[from.block], blocks[to.block]];
    const [y0, y1] = [a?.ys[from.node], b?.ys[to.node]];
    if (a === undefined || b === undefined || y0 === undefined || y1 === undefined) continue;
    const sign = weight < 0 ? "negative" : "positive";
    const strength = Math.max(1, Math.ceil(Math.abs(weight) * STRENGTHS));
    const key = `${strength} ${sign}`;
    const known = paths.get(key) ?? { sign, strength, path: "" };
    known.path += `M${a.x.toFixed(1)} ${y0.toFixed(1)}L${b.x.toFixed(1)} ${y1.toFixed(1)}`;
    paths.set(key, known);
  }
  return [...paths.values()].toSorted((a, b) => a.strength - b.strength);
}

function Block({ placed, dimmed }: { readonly placed: PlacedBlock; readonly dimmed: boolean }) {
  const { block, x, ys, radius, top, bottom, named } = placed;
  const { pair, perNode } = block;
  const isNew = pair !== null && isChanged(pair);
  const changed = (is: boolean): string => (is ? "network__label network__label--changed" : "network__label");
  return (
    <g className={dimmed ? "network__layer network__layer--dimmed" : "network__layer"}>
      <text className="network__label" x={x} y={top - 16}>
        {pair === null ? block.label : (pair.now ?? pair.before)?.kind}
      </text>
      <text className={isNew ? "network__width network__label--changed" : "network__width"} x={x} y={top - 2}>
        {pair === null ? formatCount(block.units) : widthText(pair)}
      </text>
      {ys.map((y, node) => (
        <Node
          key={node}
          x={x}
          y={y}
          radius={radius}
          change={block.nodes[node] ?? null}
          name={block.names?.[node] ?? null}
        />
      ))}
      {named !== null &&
        block.names?.map((name, node) => (
          <text
            key={name}
            className={`network__input network__input--${named}`}
            x={named === "left" ? x - radius - 5 : x + radius + 5}
            y={(ys[node] ?? 0) + 4}
          >
            {name}
          </text>
        ))}
      {pair !== null && (
        <text
          className={changed(pair.now?.activation !== pair.before?.activation && pair.before !== null)}
          x={x}
          y={bottom}
        >
          {activationText(pair)}
        </text>
      )}
      {perNode > 1 && (
        <text className="network__count" x={x} y={bottom + (pair === null ? 0 : 14)}>
          {`${perNode} a dot`}
        </text>
      )}
    </g>
  );
}

interface NodeProps {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly change: "added" | "removed" | null;
  /** What its number is called; null if nobody says. */
  readonly name: string | null;
}

/** Added units are squares, removed ones are hollow, so that colour alone tells nothing. */
function Node({ x, y, radius, change, name }: NodeProps) {
  const title = name !== null && <title>{name}</title>;
  if (change === "added")
    return (
      <rect
        className="network__node network__node--added"
        x={x - radius}
        y={y - radius}
        width={2 * radius}
        height={2 * radius}
      >
        {title}
      </rect>
    );
  const kind = change === null ? "network__node" : "network__node network__node--removed";
  return (
    <circle className={kind} cx={x} cy={y} r={radius}>
      {title}
    </circle>
  );
}

/** Colours the nodes of a drawing by what its layers compute. The largest output so far is the fullest colour. */
function lights(drawing: SVGGElement, network: string, graph: NetworkGraph) {
  const groups = [...drawing.querySelectorAll<SVGGElement>(".network__layer")];
  const most = new Float32Array(groups.length);
  return (outputs: ReadonlyMap<string, Float32Array>): void => {
    for (const [at, block] of graph.blocks.entries()) {
      const values = block.layer === null ? undefined : outputs.get(`${network}.${block.layer}`);
      const each = values === undefined ? null : nodeOutputs(block, values);
      if (each === null) continue;
      most[at] = each.reduce((largest, value) => Math.max(largest, Math.abs(value)), most[at] ?? 0);
      const nodes = groups[at]?.querySelectorAll<SVGElement>(".network__node:not(.network__node--removed)");
      for (const [place, node] of [...(nodes ?? [])].entries()) {
        const level = Math.round((LEVELS * (each[place] ?? 0)) / Math.max(1e-6, most[at] ?? 0));
        if (node.dataset["level"] === String(level)) continue;
        node.dataset["level"] = String(level);
        const share = Math.round((100 * Math.abs(level)) / LEVELS);
        const sign = level < 0 ? "negative" : "positive";
        node.style.fill = `color-mix(in oklab, var(--weight-${sign}) ${share}%, var(--surface))`;
      }
    }
  };
}
