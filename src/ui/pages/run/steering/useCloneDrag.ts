import { type DragEvent, useState } from "react";
import { useSteer } from "./steering.ts";

/** Type of what a dragged member carries. It names the member, because while dragging only types can be read. */
const CARRIED = "application/x-rlkit-member-";

const carriedBy = ({ dataTransfer }: DragEvent): number | null => {
  const type = dataTransfer.types.find((one) => one.startsWith(CARRIED));
  return type === undefined ? null : Number(type.slice(CARRIED.length));
};

/** Attributes of an element that stands for a member. */
interface CloneDragProps {
  readonly draggable?: boolean;
  /** Whether a dragged member would replace this one. */
  readonly "data-drop"?: boolean;
  readonly onDragStart?: (event: DragEvent) => void;
  readonly onDragOver?: (event: DragEvent) => void;
  readonly onDragLeave?: () => void;
  readonly onDrop?: (event: DragEvent) => void;
}

const FIXED: CloneDragProps = {};

/**
 * Lets a member be dragged onto others, which a copy then replaces. The menu of a member does the same.
 * @returns the attributes of the member's element; none where members cannot be cloned.
 */
export function useCloneDrag(index: number, enabled: boolean): CloneDragProps {
  const steer = useSteer();
  const [over, setOver] = useState(false);
  if (!enabled) return FIXED;
  return {
    draggable: true,
    "data-drop": over,
    onDragStart: ({ dataTransfer }) => {
      dataTransfer.setData(CARRIED + index, String(index));
      dataTransfer.effectAllowed = "copy";
    },
    onDragOver: (event) => {
      const from = carriedBy(event);
      if (from === null || from === index) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event) => {
      event.preventDefault();
      setOver(false);
      const from = carriedBy(event);
      if (from !== null && from !== index) steer({ kind: "clone", index: from, over: index });
    },
  };
}
