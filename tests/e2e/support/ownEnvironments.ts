/** What tests do on the page of environments. */
import type { Page } from "playwright";

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
export const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Opens the page of environments with this code in the editor. */
export async function write(page: Page, url: string, code: string): Promise<void> {
  await page.goto(`${url}#/environments?new=1`);
  const text = page.getByRole("textbox", { name: "Environment code" });
  await text.click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(code);
}

/** An environment whose methods have these bodies. */
export const own = ({
  before = "",
  open = "",
  reset = "return { observation: [0], info: {} };",
  step = "return { observation: [0], reward: 1, terminated: Math.random() < 0, truncated: false, info: {} };",
}): string => `${before}
export default class Own {
  observation_space = { kind: "Box", low: -1, high: 1, shape: [1] };
  action_space = { kind: "Discrete", n: 2 };
  spec = { max_episode_steps: 50 };
  constructor() { ${open} }
  reset() { ${reset} }
  step() { ${step} }
}
`;

/** A function that never returns, and takes no processor time meanwhile. */
export const WAITS_FOR_EVER =
  "() => Atomics.wait(new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer), 0, 0)";
