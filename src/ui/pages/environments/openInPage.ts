import { openSandboxPorts } from "../../../sandbox/browser/openSandboxPorts.ts";
import { browserSandbox } from "../../../sandbox/browser.ts";
import { SandboxedEnvironment } from "../../../sandbox/environments.ts";
import { moduleFindings, prepareModule } from "../../../sandbox/modules.ts";
import type { EnvironmentDraft } from "./drafts.ts";

/**
 * Opens a draft in its own sandbox, with one lane.
 * @param signal Ends the sandbox at once, in the middle of a call too: an endless loop answers nothing else.
 * @throws Error saying why it cannot be opened.
 */
export async function openInPage(
  { name, text }: EnvironmentDraft,
  signal: AbortSignal,
): Promise<SandboxedEnvironment> {
  const id = `user/${name}`;
  const module = await prepareModule(id, text);
  const [fault] = await moduleFindings(module, null);
  if (fault) throw new Error(`${id}: ${fault.what}`);
  const openSandbox = async () => {
    const { ports, end } = await openSandboxPorts();
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    return browserSandbox(ports);
  };
  const { script } = module;
  return SandboxedEnvironment.open(openSandbox, {
    name: id,
    script,
    entrypoint: null,
    options: {},
    num_envs: 1,
  });
}
