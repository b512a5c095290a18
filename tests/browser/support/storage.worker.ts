import { type OpfsOptions, opfsFileStore } from "../../../src/storage/opfs/opfsFileStore.ts";
import { STORE_CONTRACT } from "../../storage/support/storeContract.ts";

/** What the page asks of this worker; it answers with the failure's text, or null. */
export interface ContractRequest {
  readonly directory: string;
  readonly caseName: string;
  readonly options: OpfsOptions;
}

self.addEventListener("message", async ({ data }: MessageEvent<ContractRequest>) => {
  try {
    const origin = await navigator.storage.getDirectory();
    const root = await origin.getDirectoryHandle(data.directory, { create: true });
    const found = STORE_CONTRACT.find(({ name }) => name === data.caseName);
    if (found === undefined) throw new Error(`no case ${data.caseName}`);
    await found.run(opfsFileStore(root, data.options));
    self.postMessage(null);
  } catch (error) {
    self.postMessage(String(error));
  }
});
