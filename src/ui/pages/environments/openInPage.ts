import { openRobotWorker, openSandboxPorts } from "../../../sandbox/browser/openSandboxPorts.ts";
import { browserSandbox } from "../../../sandbox/browser.ts";
import { isRobot, SandboxedEnvironment, type SandboxedOptions } from "../../../sandbox/environments.ts";
import { moduleFindings, prepareModule } from "../../../sandbox/modules.ts";
import { isUserEnvironment } from "../../../specs/sections.ts";
import type { EnvironmentDraft } from "./drafts.ts";

/**
 * Opens a draft in its own sandbox, or a robot in its own worker, with one lane.
 * @param signal Ends the sandbox at once, in the middle of a call too: an endless loop answers nothing else.
 * @throws Error saying why it cannot be opened.
 */
export async function openInPage(
  { name, text }: Pick<EnvironmentDraft, "name" | "text">,
  signal: AbortSignal,
  { entrypoint = null, options = {} }: Partial<Pick<SandboxedOptions, "entrypoint" | "options">> = {},
): Promise<SandboxedEnvironment> {
  const id = isUserEnvironment(name) ? name : `user/${name}`;
  const module = await prepareModule(id, text);
  const ofRobot = isRobot(text);
  const [fault] = ofRobot ? [] : await moduleFindings(module, entrypoint);
  if (fault) throw new Error(`${id}: ${fault.what}`);
  const openSandbox = async () => {
    if (ofRobot) {
      const port = openRobotWorker();
      if (signal.aborted) port.end();
      signal.addEventListener("abort", () => port.end(), { once: true });
      return port;
    }
    const { ports, end } = await openSandboxPorts();
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    return browserSandbox(ports);
  };
  const { script } = module;
  return SandboxedEnvironment.open(openSandbox, {
    name: id,
    script,
    entrypoint,
    options,
    num_envs: 1,
  });
}
