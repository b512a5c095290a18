import { type Browser, chromium } from "playwright";
import { browserAdvice, chromiumFlags, findChromium } from "../../../scripts/lib/browser.mjs";

/**
 * Starts a headless Chromium.
 *
 * @param options.webgpu whether the browser has a WebGPU adapter (SwiftShader's, so without a GPU); default false
 * @throws Error when no browser is found
 */
export async function launchBrowser({ webgpu = false }: { webgpu?: boolean } = {}): Promise<Browser> {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error(browserAdvice);
  return chromium.launch({ executablePath, args: chromiumFlags({ webgpu }) });
}
