import { type KeyboardEvent, useRef } from "react";
import { pointAt, pointNowhere, usePointed } from "./crosshair.ts";
import { readoutOf, steppedPosition } from "./PlotModel.ts";
import { toPixel, zoomedAround, zoomedTo } from "./plotScale.ts";
import type { PlotScene } from "./plotScene.ts";
import type { PlotActions } from "./usePlotActions.ts";
import { type PlotBox, usePlotPointer, ZOOM_STEP } from "./usePlotPointer.ts";

interface Props {
  readonly scene: PlotScene;
  readonly title: string;
  /** Slug of the chart. */
  readonly chart: string;
  readonly actions: PlotActions;
  readonly onBox: (box: PlotBox | null) => void;
  /** Called with a position that the user chooses. */
  readonly onChoose?: ((position: number) => void) | undefined;
}

/** Share of the shown range by which a key pans. */
const PAN = 0.2;
/** Positions that an arrow with Shift goes. */
const FAR = 10;

/** Takes the pointer, the wheel and the keys of a chart; for screen readers, a slider over its positions. */
export function PlotHandle({ scene, title, chart, actions, onBox, onChoose }: Props) {
  const { model, x, y } = scene;
  const at = usePointed(model);
  const handle = useRef<HTMLDivElement>(null);
  const space = useRef(false);
  const pointer = usePlotPointer(handle, { scene, chart, actions, onBox, onChoose, space });
  const [left, right] = x.pixels;
  const [bottom, top] = y.pixels;

  const go = (position: number | null): void => {
    const value = position === null ? undefined : model.x[position];
    if (value !== undefined) pointAt(model.axis, value, chart);
  };
  const pan = (share: number): void => {
    const pixels = share * (right - left);
    actions.showX(zoomedTo(x, left + pixels, right + pixels));
  };
  const zoom = (factor: number): void => {
    const middle = at === null ? (left + right) / 2 : toPixel(x, model.x[at] ?? 0);
    actions.showX(zoomedAround(x, middle, factor));
    if (actions.both) actions.showY(zoomedAround(y, (top + bottom) / 2, factor));
  };
  const arrow = (way: 1 | -1, { ctrlKey, shiftKey }: KeyboardEvent): void => {
    if (ctrlKey) pan(way * PAN);
    else go(steppedPosition(model, at, way * (shiftKey ? FAR : 1)));
  };
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowLeft: (event) => arrow(-1, event),
    ArrowDown: (event) => arrow(-1, event),
    ArrowRight: (event) => arrow(1, event),
    ArrowUp: (event) => arrow(1, event),
    Home: () => go(steppedPosition(model, null, 1)),
    End: () => go(steppedPosition(model, null, -1)),
    "+": () => zoom(1 / ZOOM_STEP),
    "=": () => zoom(1 / ZOOM_STEP),
    "-": () => zoom(ZOOM_STEP),
    "0": actions.fit,
    l: actions.toggleLog,
    y: actions.toggleBoth,
    f: actions.toggleFull,
    " ": () => {
      space.current = true;
    },
    Enter: () => {
      if (at !== null) onChoose?.(at);
    },
    Escape: () => {
      if (actions.isFull) actions.toggleFull();
      else pointNowhere();
    },
  };
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    const act = keys[event.key];
    const isOther = event.altKey || event.metaKey || (event.ctrlKey && !event.key.startsWith("Arrow"));
    if (act === undefined || isOther) return;
    event.preventDefault();
    event.stopPropagation();
    act(event);
  };
  return (
    <div
      ref={handle}
      className="plot__handle"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input would take the gestures of a slider's thumb
      role="slider"
      tabIndex={0}
      aria-label={`Crosshair of ${title}`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, model.x.length - 1)}
      aria-valuenow={at ?? 0}
      aria-valuetext={at === null ? "none" : readoutOf(model, at)}
      style={{ left, top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }}
      {...pointer}
      onKeyDown={press}
      onKeyUp={({ key }) => {
        if (key === " ") space.current = false;
      }}
      onBlur={() => {
        space.current = false;
        pointNowhere();
      }}
    />
  );
}
