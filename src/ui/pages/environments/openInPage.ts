import { browserSandbox } from "../../../sandbox/browser/browserSandbox.ts";
import { openSandboxPorts } from "../../../sandbox/browser/openSandboxPorts.ts";
import { prepareModule } from "../../../sandbox/moduleSource.ts";
import { SandboxedEnvironment } from "../../../sandbox/SandboxedEnvironment.ts";
import { moduleFindings } from "../../../sandbox/validateModule.ts";
import type { EnvironmentDraft } from "./drafts.ts";

/** Opens a draft in its own sandbox, with one lane. @throws Error saying why it cannot be opened. */
export async function openInPage({ name, text }: EnvironmentDraft): Promise<SandboxedEnvironment> {
  const id = `user/${name}`;
  const module = await prepareModule(id, text);
  const [fault] = await moduleFindings(module, null);
  if (fault) throw new Error(`${id}: ${fault.what}`);
  return SandboxedEnvironment.open(async () => browserSandbox((await openSandboxPorts()).ports), {
    name: id,
    script: module.script,
    entrypoint: null,
    options: {},
    num_envs: 1,
  });
}
