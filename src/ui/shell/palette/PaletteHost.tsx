import { useEffect, useState } from "react";
import { loadable } from "../../lib/loadable.tsx";

const CommandPalette = loadable(async () => (await import("./CommandPalette.tsx")).CommandPalette);

/** Opens the command palette on Ctrl+K or Cmd+K, wherever the focus is. */
export function PaletteHost() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (
        event.key.toLowerCase() !== "k" ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      event.preventDefault();
      setOpen((isOpen) => !isOpen);
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, []);
  return open && <CommandPalette onClose={() => setOpen(false)} />;
}
