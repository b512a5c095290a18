import { onTestFinished, vi } from "vitest";

/** The files that the page hands to the browser's downloads, while a test runs. */
export function savedFiles(): Map<string, Promise<string>> {
  const saved = new Map<string, Promise<string>>();
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.set(
      this.download,
      fetch(this.href).then((file) => file.text()),
    );
  });
  onTestFinished(() => click.mockRestore());
  return saved;
}
