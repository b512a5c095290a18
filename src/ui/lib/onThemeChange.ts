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
