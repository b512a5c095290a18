import { type PointerEvent, type RefObject, useEffect, useRef } from "react";
import { hasMoved, highlightMember } from "../../state/highlight.ts";
import { pointAt, pointNowhere } from "./crosshair.ts";
import { nearestPosition } from "./PlotModel.ts";
import { toPixel, toValue, zoomedAround, zoomedTo } from "./plotScale.ts";
import type { PlotScene } from "./plotScene.ts";
import type { PlotActions } from "./usePlotActions.ts";

/** A part of a chart, in its pixels. */
export interface PlotBox {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

/** Least movement of a drag, in pixels. */
const LEAST = 4;
/** Maximum distance in pixels at which the pointer selects a member's line. */
const REACH = 24;
/** Milliseconds within which a second click makes a double click, which does not choose. */
const DOUBLE = 250;
/** Change of the shown range by a notch of the wheel, or by a key. */
export const ZOOM_STEP = 1.25;

interface Drag {
  readonly kind: "zoom" | "pan";
  readonly x: number;
  readonly y: number;
  /** The scene at its start, from which all of it is reckoned. */
  readonly from: PlotScene;
  readonly both: boolean;
  readonly moved: boolean;
}

interface Options {
  readonly scene: PlotScene;
  readonly chart: string;
  readonly actions: PlotActions;
  /** Shows the box that the user draws to zoom; null for none. */
  readonly onBox: (box: PlotBox | null) => void;
  /** Called with a position that the user clicks. */
  readonly onChoose?: ((position: number) => void) | undefined;
  /** Whether the space bar is held. */
  readonly space: RefObject<boolean>;
}

function leave(): void {
  pointNowhere();
  highlightMember(null);
}

const within = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** Zooms with Ctrl and the wheel, and pans with Shift and the wheel. */
function useWheel(element: RefObject<HTMLElement | null>, scene: PlotScene, actions: PlotActions): void {
  const latest = useRef({ scene, actions });
  useEffect(() => {
    latest.current = { scene, actions };
  });
  // React's own listener cannot keep the page from zooming.
  useEffect(() => {
    const target = element.current;
    if (target === null) return undefined;
    const turn = (event: WheelEvent): void => {
      const { x } = latest.current.scene;
      const { showX } = latest.current.actions;
      const [left, right] = x.pixels;
      const across = event.deltaY || event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        const pixel = left + event.clientX - target.getBoundingClientRect().left;
        showX(zoomedAround(x, pixel, ZOOM_STEP ** within(event.deltaY / 50, -2, 2)), "moving");
      } else if (event.shiftKey) showX(zoomedTo(x, left + across, right + across), "moving");
      else return;
      event.preventDefault();
    };
    target.addEventListener("wheel", turn, { passive: false });
    return () => target.removeEventListener("wheel", turn);
  }, [element]);
}

/** Handlers of the pointer for the area of a chart: crosshair, zoom, pan and choice. */
export function usePlotPointer(
  element: RefObject<HTMLElement | null>,
  { scene, chart, actions, onBox, onChoose, space }: Options,
) {
  const drag = useRef<Drag | null>(null);
  const click = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** Whether the pointer is over the chart. */
  const inside = useRef(false);
  useWheel(element, scene, actions);
  useEffect(
    () => () => {
      clearTimeout(click.current);
      // No leave event fires when the element under the pointer is removed.
      if (inside.current) leave();
    },
    [],
  );
  const { model, x, y } = scene;
  const [left, right] = x.pixels;
  const [bottom, top] = y.pixels;

  const placeOf = ({ clientX, clientY, currentTarget }: PointerEvent): readonly [number, number] => {
    const box = currentTarget.getBoundingClientRect();
    return [left + clientX - box.left, top + clientY - box.top];
  };
  const point = ([across, down]: readonly [number, number]): void => {
    const value = toValue(x, across);
    inside.current = true;
    pointAt(model.axis, value, chart);
    if (model.members === undefined) return;
    const position = nearestPosition(model, value);
    const away = (one: number): number => {
      const distance = Math.abs(toPixel(y, one) - down);
      return distance <= REACH ? distance : Number.POSITIVE_INFINITY;
    };
    highlightMember(position === null ? null : model.members.near(position, away));
  };
  const boxOf = (held: Drag, across: number, down: number): PlotBox => ({
    x: [held.x, within(across, left, right)],
    y: held.both ? [held.y, within(down, top, bottom)] : [top, bottom],
  });
  const pan = ({ from, x: across, y: down, both }: Drag, place: readonly [number, number]): void => {
    const [dx, dy] = [across - place[0], down - place[1]];
    actions.showX(zoomedTo(from.x, from.x.pixels[0] + dx, from.x.pixels[1] + dx), "moving");
    if (both || actions.isZoomedY)
      actions.showY(zoomedTo(from.y, from.y.pixels[0] + dy, from.y.pixels[1] + dy), "moving");
  };
  const choose = (across: number): void => {
    const position = nearestPosition(model, toValue(x, across));
    if (onChoose === undefined || position === null) return;
    clearTimeout(click.current);
    click.current = setTimeout(() => onChoose(position), DOUBLE);
  };
  const cancel = (): void => {
    drag.current = null;
    onBox(null);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0 && event.button !== 2) return;
      const [across, down] = placeOf(event);
      event.currentTarget.setPointerCapture(event.pointerId);
      const kind = event.button === 2 || space.current ? "pan" : "zoom";
      const both = actions.both || event.shiftKey;
      drag.current = { kind, x: across, y: down, from: scene, both, moved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const held = drag.current;
      const place = placeOf(event);
      if (held === null) {
        // The event also fires when the page moves under a resting pointer.
        if (hasMoved(event)) point(place);
        return;
      }
      if (!held.moved && Math.hypot(place[0] - held.x, place[1] - held.y) < LEAST) return;
      drag.current = { ...held, moved: true };
      if (held.kind === "pan") pan(held, place);
      else onBox(boxOf(held, ...place));
    },
    onPointerUp: (event: PointerEvent<HTMLElement>): void => {
      const held = drag.current;
      cancel();
      if (held === null) return;
      if (!held.moved) {
        point(placeOf(event));
        if (held.kind === "zoom") choose(held.x);
      } else if (held.kind === "zoom") {
        const box = boxOf(held, ...placeOf(event));
        const isWide = ([from, to]: readonly [number, number]): boolean => Math.abs(to - from) >= LEAST;
        if (isWide(box.x)) actions.showX(zoomedTo(x, ...box.x));
        if (held.both && isWide(box.y)) actions.showY(zoomedTo(y, ...box.y));
      }
    },
    onPointerCancel: cancel,
    onPointerLeave: ({ pointerType }: PointerEvent): void => {
      // A finger leaves with every tap, whose crosshair stays.
      if (drag.current !== null || pointerType === "touch") return;
      inside.current = false;
      leave();
    },
    onContextMenu: (event: { preventDefault(): void }): void => event.preventDefault(),
    onDoubleClick: (): void => {
      clearTimeout(click.current);
      actions.fit();
    },
  };
}
