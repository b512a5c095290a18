/**
 * Features of Chromium that a browser which is driven does without.
 *
 * Chromium opens pages of its own beside each new window, for suggestions below the address bar, even where none is drawn, and a
 * process for the next site. They took a quarter of the processor time until the workbench had opened: 5.4 instead of 7.1 s
 * (Chromium 156, 2 x AMD EPYC). To be deleted when it makes no difference.
 */
const OWN_PAGES = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess"];

/**
 * What Playwright disables, which must be said again: of a switch that is given twice, the last counts. Compared with its
 * code by tests/repo/disabledFeatures.test.ts.
 */
const PLAYWRIGHTS = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "msForceBrowserSignIn",
  "msEdgeUpdateLaunchServicesPreferredVersion",
];

export const disabledFeatures = [...PLAYWRIGHTS, ...OWN_PAGES];
