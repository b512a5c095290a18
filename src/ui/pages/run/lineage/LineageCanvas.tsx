import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from "react";
import { useFitnessWord } from "../../../games/fitnessWord.tsx";
import { onThemeChange } from "../../../lib/drawing.ts";
import { formatCount, formatScore } from "../../../lib/format.ts";
import { preloadStage } from "../../../stage/StageClient.ts";
import { highlightMember } from "../../../state/highlight.ts";
import { HoverPlayer } from "./HoverPlayer.tsx";
import { type LineageScene, walk } from "./LineageScene.ts";
import { LineageView } from "./LineageView.ts";

interface Props {
  /** The run, whose agents play under the pointer; null if they do not play episodes. */
  readonly run: string | null;
  readonly scene: Omit<LineageScene, "cursor">;
  /** Cell of the agent whose card is open; scrolled into view when it changes. -1 for none. */
  readonly selectedCell: number;
  /** Called with the view when it is created, for the panel's buttons, and with null when it is removed. */
  readonly onView: (view: LineageView | null) => void;
  /** Called when an agent is selected, or with null when none is. */
  readonly onSelect: (index: number | null) => void;
}

/** Maximum pointer movement of a click, in pixels. */
const SLACK = 4;
const ZOOM_STEP = 1.3;

/** No cell under the pointer: cell index and position on the canvas. */
const NOWHERE = { cell: -1, x: 0, y: 0 };

/** The population's family tree, with panning, zooming and keyboard navigation. */
export function LineageCanvas({ run, scene, selectedCell, onView, onSelect }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const minimap = useRef<HTMLCanvasElement>(null);
  const view = useRef<LineageView | null>(null);
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const hint = useId();
  const [cursor, setCursor] = useState(-1);
  const [pointed, setPointed] = useState(NOWHERE);

  useEffect(() => {
    const [main, small] = [canvas.current, minimap.current];
    if (main === null || small === null) return undefined;
    const shown = new LineageView(main, small);
    view.current = shown;
    onView(shown);
    const resized = new ResizeObserver(() => shown.resize());
    resized.observe(main);
    const forgetTheme = onThemeChange(() => shown.recolour());
    const turn = (event: WheelEvent): void => {
      const zooms = event.ctrlKey || event.metaKey;
      const across = event.shiftKey ? event.deltaY : event.deltaX;
      // A plain wheel scrolls the page.
      if (!zooms && Math.abs(across) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
      event.preventDefault();
      if (zooms) shown.zoom(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
      else shown.pan(-across, 0);
    };
    // React's wheel listener is passive and cannot prevent the page from scrolling.
    main.addEventListener("wheel", turn, { passive: false });
    return () => {
      main.removeEventListener("wheel", turn);
      resized.disconnect();
      forgetTheme();
      shown.close();
      view.current = null;
      onView(null);
    };
  }, [onView]);

  useEffect(() => view.current?.show({ ...scene, cursor }), [scene, cursor]);
  useEffect(() => {
    if (selectedCell >= 0) view.current?.reveal(selectedCell);
  }, [selectedCell]);
  useEffect(() => () => highlightMember(null), []);

  const { graph, columns, colours, fate } = scene;
  const indexOf = (cell: number): number | null => (cell < 0 ? null : (columns.index[cell] ?? null));

  const point = (cell: number): void => {
    if (cell === pointed.cell) return;
    setPointed({ cell, ...(view.current?.placeOf(cell) ?? { x: 0, y: 0 }) });
    highlightMember(indexOf(cell));
  };
  const down = ({ nativeEvent: { offsetX, offsetY }, pointerId, currentTarget }: PointerEvent): void => {
    currentTarget.setPointerCapture(pointerId);
    drag.current = { x: offsetX, y: offsetY, moved: false };
  };
  const move = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): void => {
    const held = drag.current;
    if (held === null) {
      point(view.current?.cellAt(offsetX, offsetY) ?? -1);
      return;
    }
    const [x, y] = [offsetX - held.x, offsetY - held.y];
    if (!held.moved && Math.hypot(x, y) < SLACK) return;
    view.current?.pan(x, y);
    drag.current = { x: offsetX, y: offsetY, moved: true };
  };
  const up = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): void => {
    const held = drag.current;
    drag.current = null;
    if (held === null || held.moved) return;
    const cell = view.current?.cellAt(offsetX, offsetY) ?? -1;
    setCursor(cell);
    onSelect(indexOf(cell));
  };
  const press = (event: KeyboardEvent): void => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "+" || key === "=") view.current?.zoom(ZOOM_STEP);
    else if (key === "-") view.current?.zoom(1 / ZOOM_STEP);
    else if (key === "Enter" || key === " ") onSelect(indexOf(cursor));
    else if (key === "Escape") onSelect(null);
    else {
      const start = cursor >= 0 ? cursor : selectedCell >= 0 ? selectedCell : (fate.elite[fate.row] ?? -1);
      const next = walk(scene, start >= 0 ? start : graph.cellAt(Math.max(0, fate.row), 0), key);
      if (next === null) return;
      const to = cursor < 0 && selectedCell < 0 ? start : next;
      setCursor(to);
      highlightMember(indexOf(to));
      view.current?.reveal(to);
    }
    event.preventDefault();
  };

  const word = useFitnessWord();
  const words = (cell: number): string => {
    const generation = columns.generation[Math.floor(cell / columns.population)] ?? 0;
    const mutation = columns.mutations[columns.mutation[cell] ?? -1] ?? "None";
    return `#${columns.index[cell]} in generation ${formatCount(generation)}, ${word} ${formatScore(
      columns.fitness[cell] ?? null,
    )}${mutation === "None" ? "" : `, ${mutation}`}`;
  };

  return (
    <div className="relative">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- applications handle keys */}
      <div
        className="lineage__walk relative cropped"
        role="application"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- applications handle keys and need focus
        tabIndex={0}
        aria-label="Family tree of the population"
        aria-describedby={hint}
        onKeyDown={press}
        onBlur={() => setCursor(-1)}
      >
        <canvas
          ref={canvas}
          className="lineage__canvas"
          style={{ height: heightFor(graph.population) }}
          onPointerDown={down}
          onPointerMove={move}
          onPointerUp={up}
          onPointerCancel={() => {
            drag.current = null;
          }}
          onPointerEnter={run === null ? undefined : () => preloadStage()}
          onPointerLeave={() => point(-1)}
        />
        {pointed.cell >= 0 && (
          <div
            className={
              pointed.y < (run === null ? TIP_ROOM : STAGE_ROOM)
                ? "lineage__tip lineage__tip--below"
                : "lineage__tip"
            }
            style={{
              left: `clamp(var(--half), ${pointed.x}px, 100% - var(--half))`,
              top: `${pointed.y}px`,
            }}
          >
            {words(pointed.cell)}
            {run !== null && (
              <HoverPlayer
                key={pointed.cell}
                run={run}
                index={columns.index[pointed.cell] ?? 0}
                generation={columns.generation[Math.floor(pointed.cell / columns.population)] ?? 0}
                colour={colours.of(columns.index[pointed.cell] ?? 0)}
              />
            )}
          </div>
        )}
      </div>
      <p className="visually-hidden" aria-live="polite">
        {cursor >= 0 && words(cursor)}
      </p>
      <canvas
        ref={minimap}
        className="lineage__minimap sunken rule-above rule-below"
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          view.current?.showAtMinimap(event.nativeEvent.offsetX);
        }}
        onPointerMove={(event) => {
          if (event.buttons > 0) view.current?.showAtMinimap(event.nativeEvent.offsetX);
        }}
      />
      <p className="faint lineage__hint" id={hint}>
        Drag to pan. Zoom with Ctrl + wheel, or with + and −. Arrow keys move to parents, clones and
        neighbours; Enter opens an agent.
      </p>
    </div>
  );
}

/** Room in pixels that a tooltip needs above its mark, and with an agent at play. */
const TIP_ROOM = 64;
const STAGE_ROOM = 210;

/** Height for a population: enough room between lanes for marks, or half of a screen if that is more. */
const heightFor = (population: number): string =>
  `clamp(${Math.min(640, Math.max(320, 48 + 26 * population))}px, 50vh, 640px)`;
