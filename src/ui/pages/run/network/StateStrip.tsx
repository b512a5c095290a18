import { useEffect, useRef } from "react";
import type { NetworkWeights } from "../../../../workers/protocol.ts";
import { onThemeChange, tokenColours } from "../../../lib/drawing.ts";
import type { LayerFeed } from "./LayerFeed.ts";

/** Steps that a strip shows. */
const STEPS = 240;
/** Most rows of a strip; of wider states, evenly spaced units are shown. */
const MOST_ROWS = 64;
const ROW = 3;

/** A recurrent layer whose state is shown. */
interface RecurrentLayer {
  /** As the outputs name it: "actor.encoder.lstm.l0". */
  readonly name: string;
  readonly units: number;
}

/** The recurrent layers of networks. */
export const recurrentLayers = (networks: readonly NetworkWeights[]): readonly RecurrentLayer[] =>
  networks.flatMap(({ name, layers, links }) =>
    layers.flatMap(({ kind, width }, at) => {
      const layer = links[at]?.layer;
      return kind === "lstm" && layer !== undefined ? [{ name: `${name}.${layer}`, units: width }] : [];
    }),
  );

interface Props {
  readonly layers: readonly RecurrentLayer[];
  readonly feed: LayerFeed;
}

/** The recurrent state of a policy while it plays. Layers of networks that do not act stay out. */
export function StateStrip({ layers, feed }: Props) {
  const policy = layers[0]?.name.split(".")[0];
  return (
    <section aria-label="Recurrent state">
      <h3 className="network__heading rule-above">Recurrent state</h3>
      <p className="panel__text">
        What the policy remembers, over the last {STEPS} steps of play: a row for each unit, the newest step
        on the right. Orange is above 0, blue below.
      </p>
      {layers
        .filter(({ name }) => name.startsWith(`${policy}.`))
        .map((layer) => (
          <figure key={layer.name} className="network__strip tiny">
            <figcaption>
              <code>{layer.name}</code>{" "}
              <span className="dim">
                {Math.min(MOST_ROWS, layer.units)} of {layer.units} units
              </span>
            </figcaption>
            <Strip layer={layer} feed={feed} />
          </figure>
        ))}
    </section>
  );
}

function Strip({
  layer: { name, units },
  feed,
}: {
  readonly layer: RecurrentLayer;
  readonly feed: LayerFeed;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const rows = Math.min(MOST_ROWS, units);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return undefined;
    const host = element.parentElement ?? document.body;
    let colours = tokenColours(host, ["weight-negative", "weight-positive"]);
    const forgetTheme = onThemeChange(() => {
      colours = tokenColours(host, ["weight-negative", "weight-positive"]);
    });
    const forget = feed.subscribe((outputs) => {
      const state = outputs.get(name);
      if (state === undefined || state.length % units !== 0) return;
      context.globalCompositeOperation = "copy";
      context.globalAlpha = 1;
      context.drawImage(element, -1, 0);
      context.globalCompositeOperation = "source-over";
      for (let row = 0; row < rows; row += 1) {
        // Hidden state is between -1 and 1, and mostly near 0.
        const value = state[Math.floor((row * units) / rows)] ?? 0;
        context.globalAlpha = Math.min(1, Math.sqrt(Math.abs(value)));
        context.fillStyle = colours[value < 0 ? "weight-negative" : "weight-positive"];
        context.fillRect(STEPS - 1, row * ROW, 1, ROW);
      }
    });
    return () => {
      forget();
      forgetTheme();
    };
  }, [feed, name, units, rows]);
  return (
    <canvas
      ref={canvas}
      className="network__state wide sunken"
      width={STEPS}
      height={rows * ROW}
      aria-hidden="true"
    />
  );
}
