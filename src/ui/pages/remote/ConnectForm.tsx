import { type FormEvent, useId, useRef } from "react";
import { connectPlatform, useRemotePlatform } from "../../state/remotePlatform.ts";

/** A form for the platform's address and a key. The key goes only to the worker that uses it. */
export function ConnectForm() {
  const { address, connecting, problem } = useRemotePlatform();
  const place = useRef<HTMLInputElement>(null);
  const key = useRef<HTMLInputElement>(null);
  const hint = useId();
  const connect = (event: FormEvent): void => {
    event.preventDefault();
    if (connecting) return;
    void connectPlatform(place.current?.value.trim() ?? "", key.current?.value.trim() ?? "");
  };
  return (
    <section className="panel" aria-label="Connect">
      <div className="panel__head">
        <h2>Connect</h2>
      </div>
      <form className="remote__connect" noValidate onSubmit={connect}>
        <label>
          Address
          <input
            ref={place}
            className="field"
            type="url"
            defaultValue={address}
            placeholder="https://platform.example"
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <label>
          Key
          {/* Uncontrolled: React would write a value into the document. */}
          <input
            ref={key}
            className="field"
            type="password"
            placeholder="rk_…"
            autoComplete="off"
            aria-describedby={hint}
          />
        </label>
        <button type="submit" className="button button--primary" aria-disabled={connecting}>
          {connecting ? "Connecting…" : "Connect"}
        </button>
        {problem !== null && (
          <div className="callout callout--error" role="alert">
            <p>{problem}</p>
          </div>
        )}
        <p id={hint}>
          The key is kept only in memory, never in a file, link or export; you must enter it again after a
          reload. The platform must allow this page: start it with{" "}
          <code>--origin {window.location.origin}</code>.
        </p>
      </form>
    </section>
  );
}
