import type { LayerStructure, NetworkStructure } from "../../../src/tracking/observer.ts";
import type { NetworkWeights } from "../../../src/workers/protocol.ts";

const INPUTS = 4;

const layer = (width: number, inputs: number, activation: string | null): LayerStructure => ({
  kind: "linear",
  width,
  activation,
  norm: activation !== null,
  parameters: (inputs + 1) * width,
});

function actor(widths: readonly number[]): NetworkStructure {
  const layers = widths.map((width, at) =>
    layer(width, widths[at - 1] ?? INPUTS, at === widths.length - 1 ? null : "ReLU"),
  );
  return { name: "actor", layers, parameters: layers.reduce((sum, { parameters }) => sum + parameters, 0) };
}

/** The network that all members begin with. */
export const FIRST_ACTOR = actor([64, 64, 2]);

/** A network whose last hidden layer has 16 more nodes. */
export const withNodes = ({ layers }: NetworkStructure): NetworkStructure =>
  actor(layers.map(({ width }, at) => (at === layers.length - 2 ? width + 16 : width)));

/** The weights of its layers: a wave, the same in every test. */
const fakeLinks = () =>
  FIRST_ACTOR.layers.map(({ width }, at) => {
    const inputs = FIRST_ACTOR.layers[at - 1]?.width ?? INPUTS;
    return {
      layer: `layers.${at}`,
      shape: [inputs, width],
      values: Float32Array.from({ length: inputs * width }, (_, i) => (((7 * i) % 19) - 9) / 18),
      sources: [{ layer: at === 0 ? null : `layers.${at - 1}`, label: "input", size: inputs }],
    };
  });

/** An actor's network with its weights and histograms of them. */
export const fakeNetworks = (): NetworkWeights[] => [
  {
    ...FIRST_ACTOR,
    links: fakeLinks(),
    weights: FIRST_ACTOR.layers.map(({ width }, at) => ({
      name: `layers.${at}.weight`,
      shape: [width, FIRST_ACTOR.layers[at - 1]?.width ?? INPUTS],
      histogram: { min: -0.5, max: 0.5, counts: [1, 4, 12, 30, 44, 31, 11, 5, 1] },
    })),
  },
];
