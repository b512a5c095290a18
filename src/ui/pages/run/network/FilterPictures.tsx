import { useEffect, useRef, useState } from "react";
import type { NetworkWeights, WeightLinks } from "../../../../workers/protocol.ts";
import { onThemeChange, tokenColours } from "../../../lib/drawing.ts";
import { formatCount } from "../../../lib/format.ts";

/** Most filters and channels shown. */
const [MOST_FILTERS, MOST_CHANNELS] = [64, 16] as const;

/** The filters of a convolution that reads an image. */
interface Filters extends Pick<WeightLinks, "values"> {
  /** Network and layer: "actor.encoder.conv_1". */
  readonly name: string;
  readonly side: number;
  readonly channels: number;
  readonly filters: number;
}

/** The filters of the first convolution of the first network that has one; null if none has. */
export function firstFilters(networks: readonly NetworkWeights[]): Filters | null {
  for (const { name, links } of networks) {
    const link = links.find(({ shape, sources }) => shape.length === 4 && sources[0]?.layer === null);
    const [side, , channels, filters] = link?.shape ?? [];
    if (link && side !== undefined && channels !== undefined && filters !== undefined)
      if (side > 1 && side * side * channels * filters === link.values.length && /conv/.test(link.layer))
        // A kernel of one pixel has no picture; three axes before the last are also those of a flattened image.
        return { name: `${name}.${link.layer}`, values: link.values, side, channels, filters };
  }
  return null;
}

/** The filters of a convolution as pictures: one for each filter, its channels side by side. */
export function FilterPictures({ filters: shown }: { readonly filters: Filters }) {
  const { name, side, channels, filters, values } = shown;
  const [theme, setTheme] = useState(0);
  useEffect(() => onThemeChange(() => setTheme((before) => before + 1)), []);
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const count = Math.min(MOST_FILTERS, filters);
  return (
    <section aria-label="Filters">
      <h3 className="network__heading rule-above">Filters</h3>
      <p className="panel__text">
        <code>{name}</code>, {side} × {side} pixels
        {channels > 1 && `, ${channels} channels of the image side by side`}. Orange adds, blue subtracts.
        {count < filters && ` The first ${count} of ${formatCount(filters)} filters.`}
        {channels > MOST_CHANNELS && ` The first ${MOST_CHANNELS} channels.`}
      </p>
      <div className="filters">
        {Array.from({ length: count }, (_, filter) => (
          <Picture key={`${theme} ${filter}`} filters={shown} filter={filter} most={most} />
        ))}
      </div>
    </section>
  );
}

interface PictureProps {
  readonly filters: Filters;
  readonly filter: number;
  /** The largest weight of all filters. */
  readonly most: number;
}

function Picture({ filters: { side, channels, filters, values }, filter, most }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const shown = Math.min(MOST_CHANNELS, channels);
  const width = shown * (side + 1) - 1;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    const host = canvas.current?.parentElement;
    if (!context || !host) return;
    const colours = tokenColours(host, ["weight-negative", "weight-positive"]);
    context.clearRect(0, 0, width, side);
    for (let row = 0; row < side; row += 1)
      for (let column = 0; column < side; column += 1)
        for (let channel = 0; channel < shown; channel += 1) {
          const value = values[((row * side + column) * channels + channel) * filters + filter] ?? 0;
          context.globalAlpha = most > 0 ? Math.abs(value) / most : 0;
          context.fillStyle = colours[value < 0 ? "weight-negative" : "weight-positive"];
          context.fillRect(channel * (side + 1) + column, row, 1, 1);
        }
  }, [side, channels, filters, values, filter, most, shown, width]);
  return (
    <canvas
      ref={canvas}
      className="filters__picture sunken block"
      width={width}
      height={side}
      style={{ width: `${8 * width}px`, height: `${8 * side}px` }}
      aria-hidden="true"
    />
  );
}
