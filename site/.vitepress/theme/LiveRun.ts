import { useData, withBase } from "vitepress";
import { defineComponent, h, ref, watch } from "vue";

/** A faint curve in place of the run, before it is started. */
const still = () =>
  h(
    "svg",
    { class: "live-run__still", viewBox: "0 0 400 200", preserveAspectRatio: "none", "aria-hidden": "true" },
    [
      h("path", { d: "M0 180C60 176 90 170 130 140S190 70 240 52S330 34 400 30" }),
      h("path", { d: "M0 186C80 184 130 178 180 150S260 96 310 84S370 76 400 74" }),
      h("path", { d: "M0 190C90 189 160 186 230 172S330 140 400 134" }),
    ],
  );

/** A place in the page where the manifest of the block below trains, after a click. Nothing is loaded before. */
export const LiveRun = defineComponent({
  props: {
    /** Manifests as in links of the workbench, one or two, with commas between them. */
    specs: { type: String, required: true },
    /** Their titles, with bars between them. */
    titles: { type: String, required: true },
  },
  setup(props) {
    const { isDark } = useData();
    const theme = () => (isDark.value ? "dark" : "light");
    const frame = ref<HTMLIFrameElement>();
    const address = ref("");
    const specs = props.specs.split(",");
    const start = () => {
      const query = new URLSearchParams({ theme: theme() });
      for (const spec of specs) query.append("spec", spec);
      for (const title of props.titles.split("|")) query.append("title", title);
      address.value = `${withBase("/app/live.html")}#/live?${query}`;
    };
    // The address is read once: the run does not begin again with another theme.
    watch(isDark, () => frame.value?.contentDocument?.documentElement.setAttribute("data-theme", theme()));
    return () =>
      h("figure", { class: "live-run", "data-runs": specs.length }, [
        address.value === ""
          ? h("div", { class: "live-run__stage" }, [
              still(),
              h("button", { type: "button", class: "live-run__start", onClick: start }, [
                h("span", { "aria-hidden": "true" }, "▶ "),
                specs.length === 1 ? "Train it here" : "Train both here",
              ]),
            ])
          : h("iframe", {
              ref: frame,
              class: "live-run__stage",
              src: address.value,
              title: "A run that trains in this page",
            }),
        h("figcaption", [
          "Trains in this page when you start it; nothing is stored. ",
          h(
            "a",
            {
              href: `${withBase("/app/index.html")}#/new?spec=${specs[0]}`,
              target: "_blank",
              rel: "noreferrer",
            },
            "Open in the workbench",
          ),
        ]),
      ]);
  },
});
