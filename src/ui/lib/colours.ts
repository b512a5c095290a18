/**
 * Colours of tokens.css resolved for canvas drawing, in the theme that applies to an element. Read them again
 * when the theme changes.
 * @param names token names without the leading dashes, such as "slot-0"
 */
export function tokenColours<K extends string>(element: HTMLElement, names: readonly K[]): Record<K, string> {
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(names.map((name) => [name, read(name)]));
  probe.remove();
  // fromEntries loses the key type; the keys are exactly `names`.
  return colours as Record<K, string>;
}

/** Calls `changed` when the page changes between light and dark. Returns a function that unsubscribes. */
export function onThemeChange(changed: () => void): () => void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", changed);
  };
}

const COLOURS = 8;

/** The colour of a population slot, the same in every chart and table. */
export const slotColour = (slot: number): string => `var(--slot-${slot % COLOURS})`;
