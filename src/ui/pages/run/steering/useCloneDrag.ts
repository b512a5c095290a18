import { type DragEvent, useState } from "react";
import { useSteer } from "./steering.ts";

/** Type of what a dragged member carries. It names the member, because while dragging only types can be read. */
const CARRIED = "application/x-rlkit-member-";

const carriedBy = ({ dataTransfer }: DragEvent): number | null => {
  const type = dataTransfer.types.find((one) => one.startsWith(CARRIED));
  return type === undefined ? null : Number(type.slice(CARRIED.length));
};

/** Attributes of an element that stands for a member. */
export interface CloneDragProps {
  readonly draggable?: boolean;
  /** Whether a dragged member would replace this one. */
  readonly "data-drop"?: boolean;
  readonly onDragStart?: (event: DragEvent) => void;
  readonly onDragOver?: (event: DragEvent) => void;
  readonly onDragLeave?: (event: DragEvent) => void;
  readonly onDrop?: (event: DragEvent) => void;
}

/**
 * Lets members be dragged onto others, which a copy then replaces. The menu of a member does the same.
 * @returns the attributes of a member's element; none where nobody can be steered.
 */
export function useCloneDrag(enabled: boolean): (index: number) => CloneDragProps {
  const steer = useSteer();
  const [over, setOver] = useState<number | null>(null);
  if (!enabled) return () => ({});
  return (index) => {
    const isOther = (event: DragEvent): boolean => ![null, index].includes(carriedBy(event));
    return {
      draggable: true,
      "data-drop": over === index,
      onDragStart: ({ dataTransfer }) => {
        dataTransfer.setData(CARRIED + index, String(index));
        dataTransfer.effectAllowed = "copy";
      },
      onDragOver: (event) => {
        if (!isOther(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        if (over !== index) setOver(index);
      },
      onDragLeave: () => setOver((now) => (now === index ? null : now)),
      onDrop: (event) => {
        event.preventDefault();
        setOver(null);
        const from = carriedBy(event);
        if (from !== null && from !== index) steer({ kind: "clone", index: from, over: index });
      },
    };
  };
}
