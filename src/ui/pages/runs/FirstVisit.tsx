import { builtInTemplate, type Template } from "../../../specs/templates.ts";
import { editorRoute, formatRoute } from "../../routes/route.ts";
import { preloadRunPage } from "../lazyPages.tsx";
import { TemplateCard } from "../TemplateCard.tsx";
import { useStartTemplate } from "../useStartTemplate.ts";

/** One template per kind of task, quick ones first. */
const SHOWN = [
  "dqn-cartpole",
  "ppo-pendulum",
  "ppo-lunarlander",
  "ppo-breakout",
  "ippo-tag",
  "grpo-next-digit",
] as const;

const ppoCartPole = builtInTemplate("ppo-cartpole");

/** A template with a population large enough to watch evolution. */
const eight: Template = {
  ...ppoCartPole,
  manifest: { ...ppoCartPole.manifest, training: { ...ppoCartPole.manifest.training, pop_size: 8 } },
};

/** Shown before the first run: one prominent start button, and a few templates. */
export function FirstVisit() {
  const { starting, start } = useStartTemplate(eight);
  return (
    <>
      <section className="first-visit" aria-label="First run">
        <p>
          A population of agents learns side by side in this tab. Weaker agents are replaced by mutated clones
          of stronger ones.
        </p>
        <button
          type="button"
          className="button button--primary first-visit__start"
          aria-disabled={starting}
          aria-busy={starting}
          onPointerEnter={preloadRunPage}
          onFocus={preloadRunPage}
          onClick={() => void start()}
        >
          Watch 8 agents learn
        </button>
      </section>
      <section className="templates" aria-label="Templates">
        {SHOWN.map((id) => (
          <TemplateCard key={id} template={builtInTemplate(id)} />
        ))}
      </section>
      <p>
        <a href={formatRoute(editorRoute())}>All templates and the editor</a>
      </p>
    </>
  );
}
