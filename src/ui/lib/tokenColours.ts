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
