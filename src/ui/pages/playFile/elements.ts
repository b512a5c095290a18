/** Elements of a page without a framework. */

/** An element with a text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  text = "",
  properties: Partial<HTMLElementTagNameMap[K]> = {},
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), { textContent: text, ...properties });
}
