import { useEffect, useState } from "react";
import { adapterName, isSoftwareAdapter } from "../../../kernels/webgpu.ts";
import { trainingCores, webgpuAdapter } from "../../lib/capabilities.ts";
import { formatBytes } from "../../lib/format.ts";
import { type StorageInfo, useWorkbenchState } from "../../state/Workbench.ts";

function usageOf(storage: StorageInfo): string {
  const used = storage.used === null ? "" : `, ${formatBytes(storage.used)} used`;
  return storage.quota === null ? used : `${used} of ${formatBytes(storage.quota)}`;
}

const adviceOn = (adapter: GPUAdapterInfo): string =>
  isSoftwareAdapter(adapter)
    ? "software adapter, slower than WebAssembly, for testing only"
    : "new runs try it first and keep it if it is faster; you can also select it under Device";

/** What this browser supports: the training devices, and where runs are stored. */
export function Capabilities() {
  const [adapter, setAdapter] = useState<GPUAdapterInfo | null>();
  const storage = useWorkbenchState((state) => state.storage);
  useEffect(() => {
    let shown = true;
    void webgpuAdapter().then((found) => {
      if (shown) setAdapter(found);
    });
    return () => {
      shown = false;
    };
  }, []);
  const cores = trainingCores();
  return (
    <div className="capabilities">
      <dl>
        <div>
          <dt>Device</dt>
          <dd>
            WebAssembly SIMD on {cores} {cores === 1 ? "core" : "cores"}, which suits small networks best
          </dd>
        </div>
        <div>
          <dt>WebGPU</dt>
          <dd>
            {adapter === undefined && "checking…"}
            {adapter === null && "no adapter found; not required"}
            {adapter && `${adapterName(adapter)}: ${adviceOn(adapter)}`}
          </dd>
        </div>
        <div>
          <dt>Storage</dt>
          <dd>
            {storage === null && "checking…"}
            {storage?.kind === "opfs" && `in this browser${usageOf(storage)}`}
            {storage?.kind === "memory" && "memory only"}
          </dd>
        </div>
      </dl>
    </div>
  );
}
