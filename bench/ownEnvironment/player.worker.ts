/** The compute worker's part: it receives a sandbox's ports and steps the sandbox's lanes. */
import { browserSandbox, type SandboxPorts } from "../../src/sandbox/browser.ts";
import { playLanes } from "./playLanes.ts";

export interface PlayRequest {
  readonly ports: SandboxPorts;
  readonly script: string;
}

self.addEventListener("message", async ({ data: { ports, script } }: MessageEvent<PlayRequest>) => {
  try {
    const open = () => Promise.resolve(browserSandbox(ports));
    await playLanes(open, script, (moment) => self.postMessage(moment));
  } catch (error) {
    self.postMessage({ problem: String(error) });
  }
});
