import type { ReactNode } from "react";

const LANDER = (
  <>
    <path d="M4 44 18 36h36l14 5" />
    <path d="M22 36V26l6 2.5-6 2.5M50 36V26l6 2.5-6 2.5" />
    <path d="M30 16 28 10h16l-2 6z" className="glyph__body" />
    <path d="M31 17 28 23M41 17l3 6" />
    <path d="M36 18v9" className="glyph__moving" />
  </>
);

const MOUNTAIN_CAR = (
  <>
    <path d="M6 20C14 30 20 41 30 41S46 24 56 11q4-4 10-3" />
    <path d="M59 8V1l6 2.5-6 2.5" className="glyph__moving" />
    <rect x="16" y="27" width="10" height="6" rx="2" className="glyph__body" transform="rotate(40 21 30)" />
  </>
);

const CART_POLE = (
  <>
    <path d="M6 39h60" />
    <rect x="26" y="29" width="20" height="10" rx="2" className="glyph__body" />
    <path d="M36 31 44 8" className="glyph__moving" />
  </>
);

const DRAWINGS: Readonly<Record<string, ReactNode>> = {
  "CartPole-v1": CART_POLE,
  "rlkit/CartPole-masked-v1": CART_POLE,
  "Pendulum-v1": (
    <>
      <circle cx="36" cy="24" r="16" strokeDasharray="2 4" />
      <path d="M36 24 47 10" className="glyph__moving" />
      <circle cx="36" cy="24" r="3" className="glyph__body" />
    </>
  ),
  "Acrobot-v1": (
    <>
      <path d="M8 9h56" strokeDasharray="2 4" />
      <path d="M36 22 48 31" />
      <path d="M48 31 58 17" className="glyph__moving" />
      <circle cx="36" cy="22" r="3" className="glyph__body" />
      <circle cx="48" cy="31" r="2" className="glyph__body" />
    </>
  ),
  "MountainCar-v0": MOUNTAIN_CAR,
  "MountainCarContinuous-v0": MOUNTAIN_CAR,
  "MinAtar/Breakout-v1": (
    <>
      <rect x="12" y="8" width="10" height="5" className="glyph__body" />
      <rect x="25" y="8" width="10" height="5" className="glyph__body" />
      <rect x="51" y="8" width="10" height="5" className="glyph__body" />
      <rect x="12" y="16" width="10" height="5" className="glyph__body" />
      <path d="M30 42h14" />
      <path d="M38 37 48 25" className="glyph__moving" />
    </>
  ),
  "LunarLander-v3": LANDER,
  "LunarLanderContinuous-v3": LANDER,
};

/** A small drawing of an environment; an abstract one where there is none of its own. */
export function EnvironmentGlyph({ environment }: { readonly environment: string }) {
  return (
    <svg className="glyph" viewBox="0 0 72 48" aria-hidden="true">
      {DRAWINGS[environment] ?? (
        <>
          <path d="M12 24C24 24 24 10 40 10M12 24C24 24 24 38 40 38" />
          <path d="M12 24h26c10 0 10-6 20-6" className="glyph__moving" />
          <circle cx="12" cy="24" r="4" className="glyph__body" />
        </>
      )}
    </svg>
  );
}
