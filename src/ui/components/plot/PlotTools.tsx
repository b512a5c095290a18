import { Download, Ellipsis, Maximize, Minimize, ZoomOut } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactNode, type RefObject, useMemo } from "react";
import { useWorkbench } from "../../state/Workbench.ts";
import { IconButton } from "../Button.tsx";
import { Menu } from "../Menu.tsx";
import { logProblem, type PlotEntry, type PlotModel } from "./PlotModel.ts";
import { PlotSmoothing } from "./PlotSmoothing.tsx";
import { type PlotScene, positionRange } from "./plotScene.ts";
import type { PlotActions } from "./usePlotActions.ts";

interface Props {
  readonly title: string;
  readonly model: PlotModel;
  readonly scene: PlotScene | null;
  readonly actions: PlotActions;
  /** The element that fills the screen: menus must lie within it. */
  readonly host: RefObject<HTMLElement | null>;
  readonly legend: readonly PlotEntry[];
}

interface CheckProps {
  readonly checked: boolean;
  readonly hint: string;
  /** Why it cannot be chosen; null if it can. */
  readonly problem?: string | null;
  readonly onChange: () => void;
  readonly children: ReactNode;
}

const Check = ({ checked, hint, problem = null, onChange, children }: CheckProps) => (
  <DropdownMenu.CheckboxItem
    className="menu__item"
    checked={checked}
    disabled={problem !== null}
    title={problem ?? hint}
    onCheckedChange={onChange}
  >
    <span className="plot-menu__check">
      <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
    </span>
    <span>
      {children}
      {problem !== null && <small>{problem}</small>}
    </span>
  </DropdownMenu.CheckboxItem>
);

const FILES = [
  { kind: "png", label: "Download PNG" },
  { kind: "svg", label: "Download SVG" },
  { kind: "csv", label: "Download CSV" },
] as const;

/** The buttons and the menu of a chart. */
export function PlotTools({ title, model, scene, actions, host, legend }: Props) {
  const workbench = useWorkbench();
  const problem = useMemo(() => (model.log ? null : logProblem(model)), [model]);
  const problemX = positionRange(model)[0] > 0 ? null : "A logarithmic axis needs positions above 0.";
  const save = async (kind: (typeof FILES)[number]["kind"]): Promise<void> => {
    const { savePlot } = await import("./savePlot.ts");
    if (scene !== null) await savePlot(kind, { title, scene, legend, element: host.current });
  };
  return (
    <div className="plot__tools line gap-1 push">
      {actions.isFull && <PlotSmoothing />}
      {actions.isZoomed && (
        <IconButton
          label={`Show all of ${title}`}
          title="Show all (0)"
          icon={ZoomOut}
          onClick={actions.fit}
        />
      )}
      {actions.isFull && (
        <IconButton
          label={`Leave full screen of ${title}`}
          title="Leave full screen (F)"
          icon={Minimize}
          onClick={actions.toggleFull}
        />
      )}
      <Menu
        button={<Ellipsis aria-hidden="true" />}
        label={`Options of ${title}`}
        title="Axes, full screen and downloads. Drag to zoom, double click to show all."
        container={actions.isFull ? host.current : null}
        className="plot-menu"
      >
        <Check
          checked={actions.isLog}
          hint="Powers of ten at equal distances (L)"
          problem={problem}
          onChange={actions.toggleLog}
        >
          Logarithmic values
        </Check>
        <Check
          checked={actions.isLogX}
          hint="The horizontal axis of all charts that share it"
          problem={problemX}
          onChange={actions.toggleLogX}
        >
          Logarithmic {model.axis}
        </Check>
        <Check
          checked={actions.both}
          hint="Without it, hold Shift while dragging (Y)"
          onChange={actions.toggleBoth}
        >
          Dragging zooms values too
        </Check>
        <DropdownMenu.Separator className="menu__line" />
        <DropdownMenu.Item className="menu__item" disabled={!actions.isZoomed} onSelect={actions.fit}>
          <ZoomOut aria-hidden="true" /> Show all
        </DropdownMenu.Item>
        <DropdownMenu.Item className="menu__item" onSelect={actions.toggleFull}>
          <Maximize aria-hidden="true" /> {actions.isFull ? "Leave full screen" : "Full screen"}
        </DropdownMenu.Item>
        <DropdownMenu.Separator className="menu__line" />
        {FILES.map(({ kind, label }) => (
          <DropdownMenu.Item
            key={kind}
            className="menu__item"
            onSelect={() => void workbench.attempt(() => save(kind))}
          >
            <Download aria-hidden="true" /> {label}
          </DropdownMenu.Item>
        ))}
      </Menu>
    </div>
  );
}
