import { type Column, Table } from "../../../components/Table.tsx";
import { formatCount, NONE } from "../../../lib/format.ts";
import { activationText, changeText, type LayerPair, type NetworkPair } from "./networkDiff.ts";

interface Props {
  readonly networks: readonly NetworkPair[];
  readonly matches: (pair: LayerPair, network: string) => boolean;
}

const width = (layer: LayerPair["now"]): string => (layer === null ? NONE : formatCount(layer.width));

interface Row {
  readonly network: string;
  /** Index of the layer in its network. */
  readonly place: number;
  readonly pair: LayerPair;
}

const COLUMNS: readonly Column<Row>[] = [
  { head: "Network", cell: ({ network }) => network },
  { head: "Layer", cell: ({ place }) => place + 1 },
  { head: "Kind", cell: ({ pair }) => (pair.now ?? pair.before)?.kind },
  { head: "Width", number: true, cell: ({ pair }) => width(pair.now) },
  { head: "Parent's width", number: true, cell: ({ pair }) => width(pair.before) },
  { head: "Activation", cell: ({ pair }) => activationText(pair) },
  { head: "Norm", cell: ({ pair }) => (pair.now?.norm === true ? "yes" : "no") },
  {
    head: "Parameters",
    number: true,
    cell: ({ pair }) => formatCount(pair.now?.parameters ?? Number.NaN),
  },
  { head: "Change", cell: ({ pair }) => changeText(pair) },
];

/** A table of an agent's networks, layer by layer. */
export function NetworkTable({ networks, matches }: Props) {
  const rows = networks.flatMap(({ name, layers }) =>
    layers
      .map((pair, place): Row => ({ network: name, place, pair }))
      .filter(({ pair }) => matches(pair, name)),
  );
  return (
    <Table
      label="Layers"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ network, place }) => `${network} ${place}`}
    />
  );
}
