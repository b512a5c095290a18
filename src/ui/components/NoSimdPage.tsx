import { MessagePage } from "./MessagePage.tsx";

/** Shown instead of the workbench if the browser lacks WebAssembly SIMD, without which nothing can train. */
export function NoSimdPage() {
  return (
    <MessagePage title="This browser cannot train">
      <p>
        rlkit needs WebAssembly SIMD, which this browser does not support. Nothing was started, and your saved
        data is unchanged.
      </p>
      <p>
        Use Chrome or Edge 91, Firefox 89, Safari 16.4, or later. If your browser is recent enough, check
        whether a policy or a security mode (such as Lockdown Mode) disables WebAssembly.
      </p>
    </MessagePage>
  );
}
