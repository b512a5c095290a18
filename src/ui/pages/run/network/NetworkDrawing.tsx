import { type RefObject, useId } from "react";
import { formatCount, NONE } from "../../../lib/format.ts";
import { isChanged, type LayerPair, type NetworkPair } from "./networkDiff.ts";

/** Sizes of the drawing in pixels. */
const COLUMN = 92;
const BAR = 40;
const TALLEST = 150;
const LEAST = 6;
const TITLE = 30;
const LABELS = 62;
const ROW = TITLE + TALLEST + 18 + LABELS;
const LEFT = 36;
const INSET = 16;

interface Props {
  readonly networks: readonly NetworkPair[];
  /** Whether a layer matches the search; true for all without a search. */
  readonly matches: (pair: LayerPair, network: string) => boolean;
  readonly svg: RefObject<SVGSVGElement | null>;
}

/** Width of the widest layer of the agent or its parent. */
const widest = (networks: readonly NetworkPair[]): number =>
  Math.max(
    1,
    ...networks.flatMap(({ layers }) =>
      layers.flatMap(({ now, before }) => [now?.width ?? 0, before?.width ?? 0]),
    ),
  );

/**
 * Networks as bar charts: one bar per layer, as high as the layer is wide. Differences from the parent are
 * hatched.
 */
export function NetworkDrawing({ networks, matches, svg }: Props) {
  const id = useId();
  const most = widest(networks);
  const height = (width: number): number => (width === 0 ? 0 : Math.max(LEAST, (width / most) * TALLEST));
  const columns = Math.max(...networks.map(({ layers }) => layers.length));
  const size = { width: LEFT + columns * COLUMN, height: networks.length * ROW };
  return (
    <svg
      ref={svg}
      className="network"
      aria-hidden="true"
      width={size.width}
      height={size.height}
      viewBox={`0 0 ${size.width} ${size.height}`}
    >
      <defs>
        {(["added", "removed"] as const).map((kind) => (
          <pattern
            key={kind}
            id={`${id}${kind}`}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${kind === "added" ? 45 : -45})`}
          >
            <rect className={`network__${kind}-ground`} width="6" height="6" />
            <path className={`network__${kind}-line`} d="M0 0V6" />
          </pattern>
        ))}
      </defs>
      {networks.map((network, at) => (
        <g key={network.name} transform={`translate(0 ${at * ROW})`}>
          <text className="network__name" x={INSET} y="18">
            {network.name}
            <tspan className="network__count" dx="8">
              {parametersText(network)}
            </tspan>
          </text>
          {network.layers.map((pair, layer) => (
            <Layer
              // Layers have no names; keyed by position, so that a change of width animates.
              key={layer}
              pair={pair}
              x={LEFT + layer * COLUMN}
              height={height}
              dimmed={!matches(pair, network.name)}
              fills={{ added: `url(#${id}added)`, removed: `url(#${id}removed)` }}
            />
          ))}
        </g>
      ))}
    </svg>
  );
}

function parametersText({ parameters, before }: NetworkPair): string {
  if (!Number.isFinite(parameters)) return "";
  const change = before === null ? 0 : parameters - before;
  const sign = change > 0 ? "+" : "−";
  return `${formatCount(parameters)} parameters${change === 0 ? "" : ` (${sign}${formatCount(Math.abs(change))})`}`;
}

function Layer({
  pair,
  x,
  height,
  dimmed,
  fills,
}: {
  readonly pair: LayerPair;
  readonly x: number;
  readonly height: (width: number) => number;
  readonly dimmed: boolean;
  readonly fills: Readonly<Record<"added" | "removed", string>>;
}) {
  const { now, before } = pair;
  const ground = TITLE + 14 + TALLEST;
  const [own, other] = [height(now?.width ?? 0), height(before?.width ?? 0)];
  const common = Math.min(own, other);
  const middle = x + BAR / 2;
  return (
    <g className={dimmed ? "network__layer network__layer--dimmed" : "network__layer"}>
      <rect className="network__bar" x={x} y={ground - common} width={BAR} height={common} />
      <rect
        className="network__bar network__bar--added"
        x={x}
        y={ground - own}
        width={BAR}
        height={Math.max(0, own - common)}
        fill={fills.added}
      />
      <rect
        className="network__bar network__bar--removed"
        x={x}
        y={ground - other}
        width={BAR}
        height={Math.max(0, other - common)}
        fill={fills.removed}
      />
      <text className="network__width" x={middle} y={ground - Math.max(own, other) - 5}>
        {widthText(pair)}
      </text>
      <text className="network__label" x={middle} y={ground + 16}>
        {(now ?? before)?.kind}
        {now?.norm === true && ", norm"}
      </text>
      <text
        className={
          now !== null && before !== null && now.activation !== before.activation
            ? "network__label network__label--changed"
            : "network__label"
        }
        x={middle}
        y={ground + 31}
      >
        {activationText(pair)}
      </text>
      <text className="network__count" x={middle} y={ground + 46}>
        {now === null ? "removed" : Number.isFinite(now.parameters) ? formatCount(now.parameters) : ""}
      </text>
    </g>
  );
}

function widthText({ now, before }: LayerPair): string {
  if (now === null) return `−${formatCount(before?.width ?? 0)}`;
  if (before === null) return `+${formatCount(now.width)}`;
  return now.width === before.width
    ? formatCount(now.width)
    : `${formatCount(before.width)} → ${formatCount(now.width)}`;
}

/** A layer's activation, with the parent's if it differs. */
export function activationText({ now, before }: LayerPair): string {
  const name = (layer: LayerPair["now"]): string => layer?.activation ?? NONE;
  if (now === null || before === null || now.activation === before.activation) return name(now ?? before);
  return `${name(before)} → ${name(now)}`;
}

/** How a layer differs from the parent's, as text. */
export function changeText(pair: LayerPair): string {
  if (pair.now === null) return "removed";
  if (pair.before === null) return "added";
  return isChanged(pair) ? "changed" : "unchanged";
}
