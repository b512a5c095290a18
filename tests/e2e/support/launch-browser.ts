import { type Browser, type BrowserContext, chromium } from "playwright";
import { browserAdvice, chromiumFlags, findChromium } from "../../../scripts/lib/browser.mjs";

/** Lets the context's pages wait as long as it takes: on a slow machine a limit in seconds ends what would go well. */
export function waitWithoutLimit(context: BrowserContext): void {
  context.setDefaultTimeout(0);
  context.setDefaultNavigationTimeout(0);
}

async function requireChromium(): Promise<string> {
  const found = await findChromium();
  if (found === undefined) throw new Error(browserAdvice);
  return found;
}

/**
 * Starts a headless Chromium that keeps what pages store in a folder: the contexts of {@link launchBrowser} keep it in memory.
 * @throws Error when no browser is found
 */
export async function launchWithProfile(folder: string): Promise<BrowserContext> {
  const executablePath = await requireChromium();
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: chromiumFlags({ gpu: false }),
    reducedMotion: "reduce",
    timeout: 0,
  });
  waitWithoutLimit(context);
  return context;
}

/**
 * Starts a headless Chromium whose pages wait without limit.
 *
 * @param options.webgpu whether the browser has a WebGPU adapter (SwiftShader's, so without a GPU); default false
 * @param options.gpu whether a GPU draws pages, which without one is SwiftShader's too; WebGPU needs it; default true
 * @throws Error when no browser is found
 */
export async function launchBrowser({
  webgpu = false,
  gpu = true,
}: {
  webgpu?: boolean;
  gpu?: boolean;
} = {}): Promise<Browser> {
  const executablePath = await requireChromium();
  const browser = await chromium.launch({ executablePath, args: chromiumFlags({ webgpu, gpu }), timeout: 0 });
  browser.on("context", waitWithoutLimit);
  return browser;
}
