import type { Page } from "playwright";

interface Axe {
  run(
    context: unknown,
    options: object,
  ): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}

/** What `prepare` adds to a page. */
interface Walked {
  /** How far things moved by themselves while the page was loaded, as browsers count it. */
  shift: number;
  /** What axe finds: with all rules but that of contrast, or with the given ones in the page's own part. */
  faults(rules: readonly string[] | null): Promise<string[]>;
  /** Texts whose contrast is too low, where `seen` has none with the same colours, size and weight. */
  contrast(
    seen: readonly string[],
    dark: boolean,
    isWhole: boolean,
  ): Promise<{ faults: string[]; looks: string[] }>;
}

declare global {
  interface Window {
    axe: Axe;
    rlkitWalked: Walked;
  }
}

/** Runs in each page before its own scripts. */
function prepare(): void {
  const run = async (context: unknown, options: object): Promise<string[]> => {
    const { violations } = await window.axe.run(context, {
      resultTypes: ["violations"],
      preload: false,
      ...options,
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  };

  /** The colours behind an element, from itself to the first that nothing shines through. */
  const groundOf = (element: Element | null, known: Map<Element, string>): string => {
    if (!element) return "page";
    const found = known.get(element);
    if (found !== undefined) return found;
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
    const isClear = backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none" && opacity === "1";
    const isOpaque = backgroundColor.startsWith("rgb(") && opacity === "1";
    const own = isClear ? "" : `${backgroundColor} ${backgroundImage} ${opacity} `;
    const ground = isOpaque ? own : own + groundOf(element.parentElement, known);
    known.set(element, ground);
    return ground;
  };
  const hasText = (element: Element): boolean =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
  const own = (): ParentNode => document.querySelector("main") ?? document;
  window.rlkitWalked = {
    shift: 0,
    faults: (rules) =>
      run(
        rules ? own() : document,
        rules ? { runOnly: rules } : { rules: { "color-contrast": { enabled: false } } },
      ),
    contrast: async (seen, dark, isWhole) => {
      document.documentElement.classList.toggle("dark", dark);
      const known = new Set(seen);
      const fresh = new Map<string, Element>();
      const grounds = new Map<Element, string>();
      for (const element of (isWhole ? document.body : own()).querySelectorAll("*")) {
        if (!hasText(element) || !element.checkVisibility()) continue;
        const { color, fontSize, fontWeight } = getComputedStyle(element);
        const look = `${color} ${fontSize} ${fontWeight} on ${groundOf(element, grounds)}`;
        if (!known.has(look) && !fresh.has(look)) fresh.set(look, element);
      }
      const faults =
        fresh.size === 0 ? [] : await run({ include: [...fresh.values()] }, { runOnly: ["color-contrast"] });
      return { faults, looks: [...fresh.keys()] };
    },
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      window.rlkitWalked.shift += (entry as PerformanceEntry & { readonly value: number }).value;
  }).observe({ type: "layout-shift", buffered: true });
}

const [PHONE, SCREEN] = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

/** Names, structure and what keys reach, in every page. The frame around pages is the same everywhere. */
const WANTED = [
  "aria-hidden-focus",
  "aria-valid-attr-value",
  "button-name",
  "empty-heading",
  "empty-table-header",
  "frame-title",
  "heading-order",
  "image-alt",
  "label",
  "link-name",
  "list",
  "listitem",
  "role-img-alt",
  "scrollable-region-focusable",
  "svg-img-alt",
  "th-has-data-cells",
];

/** Looks at a site's pages. */
interface SiteWalker {
  /** Loads a page. @returns its faults */
  readonly visit: (address: string) => Promise<string[]>;
  /** Puts the own parts of pages, one after another, into the page that was loaded last. @returns those wider than a phone */
  readonly wide: (addresses: readonly string[]) => Promise<string[]>;
}

/**
 * Prepares a page for visits of a site's pages. Each visit loads one on a phone, and returns its faults: what axe finds,
 * contrast in light and dark, what moved while it was loaded, and content wider than the phone or a screen. Contrast is
 * measured once for all texts with the same colours, size and weight. The first page is checked with all rules of axe, and
 * also as wide as a screen, with the frame that is the same around all pages.
 *
 * @param axe The address of axe's script, which the browser keeps
 */
export async function siteWalker(page: Page, axe: string): Promise<SiteWalker> {
  await page.addInitScript(prepare);
  const seen = new Set<string>();
  let isFirst = true;
  const contrast = async (dark: boolean): Promise<string[]> => {
    const { faults, looks } = await page.evaluate(
      ([known, isDark, isWhole]) => window.rlkitWalked.contrast(known, isDark, isWhole),
      [[...seen], dark, isFirst] as const,
    );
    for (const look of looks) seen.add(look);
    return faults.map((fault) => `${dark ? "dark" : "light"}: ${fault}`);
  };
  const faultsOf = (rules: readonly string[] | null): Promise<string[]> =>
    page.evaluate((some) => window.rlkitWalked.faults(some), rules);
  const measured = () =>
    page.evaluate(() => ({
      shift: window.rlkitWalked.shift,
      isWide: document.documentElement.scrollWidth > window.innerWidth,
    }));
  const wide = async (addresses: readonly string[]): Promise<string[]> => {
    await page.setViewportSize(PHONE);
    return page.evaluate(async (all) => {
      const found: string[] = [];
      for (const address of all) {
        const text = await (await fetch(address)).text();
        const main = new DOMParser().parseFromString(text, "text/html").querySelector("main");
        document.querySelector("main")?.replaceWith(main ?? "");
        if (!main || document.documentElement.scrollWidth > window.innerWidth) found.push(address);
      }
      return found;
    }, addresses);
  };
  const visit = async (address: string): Promise<string[]> => {
    await page.setViewportSize(PHONE);
    await page.goto(address);
    await page.locator("main h1").first().waitFor();
    const { shift, isWide } = await measured();
    await page.addScriptTag({ url: axe });
    const onPhone = [
      ...(await faultsOf(isFirst ? null : WANTED)),
      ...(await contrast(true)),
      ...(await contrast(false)),
    ];
    await page.setViewportSize(SCREEN);
    const isWideOnScreen = (await measured()).isWide;
    const onScreen = isFirst
      ? [...(await contrast(true)), ...(await contrast(false)), ...(await faultsOf(null))]
      : [];
    isFirst = false;
    return [
      ...(isWide ? ["wider than a phone"] : []),
      ...(isWideOnScreen ? ["wider than a screen"] : []),
      ...(shift < 0.1 ? [] : [`moves by ${shift} while it is loaded`]),
      ...onPhone.map((fault) => `390 px: ${fault}`),
      ...onScreen.map((fault) => `1440 px: ${fault}`),
    ];
  };
  return { visit, wide };
}
