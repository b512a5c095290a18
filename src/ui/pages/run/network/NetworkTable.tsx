import { ScrollRegion } from "../../../components/ScrollRegion.tsx";
import { formatCount, NONE } from "../../../lib/format.ts";
import { activationText, changeText } from "./NetworkDrawing.tsx";
import type { LayerPair, NetworkPair } from "./networkDiff.ts";

interface Props {
  readonly networks: readonly NetworkPair[];
  readonly matches: (pair: LayerPair, network: string) => boolean;
}

const width = (layer: LayerPair["now"]): string => (layer === null ? NONE : formatCount(layer.width));

/** A table of an agent's networks, layer by layer. */
export function NetworkTable({ networks, matches }: Props) {
  return (
    <ScrollRegion className="table-scroll" label="Layers">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Network</th>
            <th scope="col">Layer</th>
            <th scope="col">Kind</th>
            <th scope="col" className="number">
              Width
            </th>
            <th scope="col" className="number">
              Parent's width
            </th>
            <th scope="col">Activation</th>
            <th scope="col">Norm</th>
            <th scope="col" className="number">
              Parameters
            </th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {networks.flatMap(({ name, layers }) =>
            layers
              .map((pair, place) => ({ pair, place }))
              .filter(({ pair }) => matches(pair, name))
              .map(({ pair, place }) => (
                <tr key={`${name} ${place}`}>
                  <th scope="row">{name}</th>
                  <td>{place + 1}</td>
                  <td>{(pair.now ?? pair.before)?.kind}</td>
                  <td className="number">{width(pair.now)}</td>
                  <td className="number">{width(pair.before)}</td>
                  <td>{activationText(pair)}</td>
                  <td>{pair.now?.norm === true ? "yes" : "no"}</td>
                  <td className="number">{formatCount(pair.now?.parameters ?? Number.NaN)}</td>
                  <td>{changeText(pair)}</td>
                </tr>
              )),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
