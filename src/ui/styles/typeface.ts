/** Milliseconds after the start of a first visit: its agents move before the typeface takes from the network. */
const PATIENCE = 1000;

/**
 * Loads the workbench's typeface, Geist: at once if the service worker has it, else a moment later. Until then texts are in
 * a fallback of the same metrics (`base.css`), so nothing moves; without it they stay in that.
 *
 * The file is the latin subset with one axis, weight, as @fontsource-variable/geist 5.3.0 has it:
 * `files/geist-latin-wght-normal.woff2`.
 */
export function loadTypeface(): void {
  const isStored = "serviceWorker" in navigator && navigator.serviceWorker.controller !== null;
  const load = async (): Promise<void> => {
    const { href } = new URL("./geist/geist-latin.woff2", import.meta.url);
    const face = new FontFace("Geist", `url("${href}") format("woff2")`, {
      weight: "100 900",
      display: "swap",
    });
    document.fonts.add(await face.load());
  };
  setTimeout(() => void load().catch(() => undefined), isStored ? 0 : PATIENCE);
}
