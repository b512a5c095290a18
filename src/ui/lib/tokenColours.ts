/**
 * Colours of tokens.css as a canvas needs them, resolved for the theme that an element is shown in. Read them anew when
 * the theme changes.
 * @param names tokens without their dashes, such as "slot-0"
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
  // fromEntries forgets the names, which are those given.
  return colours as Record<K, string>;
}
