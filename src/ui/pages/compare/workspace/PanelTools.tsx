import { ArrowLeft, ArrowRight, GripVertical, Maximize2, Minimize2, Pencil, X } from "lucide-react";
import { IconButton } from "../../../components/Button.tsx";
import { type PanelSpec, titleOf } from "./panels.ts";

interface Props {
  readonly panel: PanelSpec;
  /** Called with the number of positions by which the panel moves. */
  readonly onMove: (by: 1 | -1) => void;
  readonly onChange: (change: Partial<PanelSpec>) => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** What arranges a panel: a grip to drag it by, and buttons that do the same. */
export function PanelTools({ panel, onMove, onChange, onEdit, onRemove }: Props) {
  const title = titleOf(panel);
  const { wide } = panel;
  return (
    <span className="inline push">
      <span className="workspace__grip dim" draggable title="Drag onto another panel" aria-hidden="true">
        <GripVertical />
      </span>
      <IconButton label={`Move ${title} earlier`} icon={ArrowLeft} onClick={() => onMove(-1)} />
      <IconButton label={`Move ${title} later`} icon={ArrowRight} onClick={() => onMove(1)} />
      <IconButton
        label={wide ? `Make ${title} narrow` : `Make ${title} wide`}
        icon={wide ? Minimize2 : Maximize2}
        onClick={() => onChange({ wide: !wide })}
      />
      <IconButton label={`Edit ${title}`} icon={Pencil} onClick={onEdit} />
      <IconButton label={`Remove ${title}`} icon={X} onClick={onRemove} />
    </span>
  );
}
