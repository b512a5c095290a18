import { MessagePage } from "./MessagePage.tsx";

/** Shown instead of the workbench if the browser lacks WebAssembly SIMD, without which nothing can train. */
export function NoSimdPage() {
  return (
    <MessagePage title="This browser cannot train">
      <p>
        rlkit trains with WebAssembly SIMD, which this browser does not offer. Nothing was started and nothing
        that was saved before is changed.
      </p>
      <p>
        Use Chrome or Edge 91, Firefox 89, Safari 16.4 or a newer version of one of them. If yours is newer,
        look whether WebAssembly is switched off by a policy or a security mode (such as Lockdown Mode).
      </p>
    </MessagePage>
  );
}
