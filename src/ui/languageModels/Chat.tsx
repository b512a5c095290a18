import { type ReactNode, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import type { ChatSettings } from "../../workers/pages.ts";
import { Button } from "../components/Button.tsx";
import { Segments, Select, TextField } from "../components/controls.tsx";
import { Panel } from "../components/Panel.tsx";
import { closeLanguageModels, languageCalls } from "../state/languageModels.ts";
import { Conversation, type ModelSource } from "./Conversation.ts";
import "./languageModels.css";

/** A model that can be chosen. */
export interface ChatChoice {
  readonly key: string;
  readonly label: string;
  /** Reads the model when a conversation begins. */
  readonly open: () => Promise<ModelSource>;
}

export interface ChatChoices {
  readonly title: string;
  readonly choices: readonly ChatChoice[];
}

/** The sampling settings as fields: allowed values, and what they mean. */
const FIELDS = {
  temperature: {
    label: "Temperature",
    hint: "0 always picks the most likely token",
    least: 0,
    most: 100,
    whole: false,
  },
  top_k: {
    label: "Top k",
    hint: "Samples from so many of the most likely tokens; 0 for all",
    least: 0,
    most: 1e6,
    whole: true,
  },
  top_p: {
    label: "Top p",
    hint: "Samples from the most likely tokens with this total probability",
    least: 0,
    most: 1,
    whole: false,
  },
  min_p: {
    label: "Min p",
    hint: "Excludes tokens with less than this share of the highest probability",
    least: 0,
    most: 1,
    whole: false,
  },
  repetition_penalty: {
    label: "Repetition penalty",
    hint: "1 for none",
    least: 0.01,
    most: 100,
    whole: false,
  },
  max_output_tokens: { label: "Tokens at most", hint: "Longest answer", least: 1, most: 1e6, whole: true },
  seed: { label: "Seed", hint: "The same seed gives the same answer", least: 0, most: 2 ** 31, whole: true },
} as const satisfies Readonly<Record<keyof ChatSettings, object>>;

type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as readonly Field[];

/** The number that a field's text means; null if it is not allowed. */
export function readSetting(name: Field, text: string): number | null {
  const { least, most, whole } = FIELDS[name];
  const value = Number(text);
  const fits = text.trim() !== "" && value >= least && value <= most && (!whole || Number.isInteger(value));
  return fits ? value : null;
}

type Texts = Readonly<Record<Field, string>>;

const textsOf = (settings: ChatSettings): Texts =>
  Object.fromEntries(NAMES.map((name) => [name, String(settings[name])])) as Texts; // every name is there

interface SideProps {
  readonly label: string;
  readonly groups: readonly ChatChoices[];
  readonly choice: ChatChoice;
  readonly onChoose: (key: string) => void;
  readonly conversation: Conversation;
}

/** One conversation, with the choice of its model. */
function Side({ label, groups, choice, onChoose, conversation }: SideProps) {
  const { turns, writing, waiting, problem, opened } = useStore(conversation.state);
  const log = useRef<HTMLDivElement>(null);
  // Follows the text as it grows.
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [turns, writing, waiting]);
  return (
    <Panel
      title={label}
      className="fill chat__side"
      head={
        <Select
          className="chat__model shrinks auto-width"
          aria-label={`${label} of the conversation`}
          value={choice.key}
          onChange={onChoose}
        >
          {groups.map(({ title, choices }) => (
            <optgroup key={title} label={title}>
              {choices.map(({ key, label: text }) => (
                <option key={key} value={key}>
                  {text}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      }
    >
      {opened?.templated === false && (
        <p className="panel__text">
          This model has no chat template, so it continues your last message as plain text and reads nothing
          else.
        </p>
      )}
      <div
        className="chat__log fill gap-3 grow panel__body scrolls"
        role="log"
        aria-label={`Messages, ${label}`}
        aria-busy={writing !== null}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys scroll what has the focus
        tabIndex={0}
        ref={log}
      >
        {turns.length === 0 && writing === null && problem === null && (
          <p className="empty">Write a message below.</p>
        )}
        {turns.map(({ role, content, note }, position) => (
          <Bubble key={position} by={role} note={note}>
            {content}
          </Bubble>
        ))}
        {writing !== null && (
          <Bubble by="assistant" note={waiting}>
            {writing}
          </Bubble>
        )}
        {problem !== null && (
          <p className="bad" role="alert">
            {problem}
          </p>
        )}
      </div>
    </Panel>
  );
}

interface BubbleProps {
  readonly by: "system" | "user" | "assistant";
  readonly note: string | null;
  readonly children: ReactNode;
}

const WRITERS = { system: "System", user: "You", assistant: "Model" } as const;

const Bubble = ({ by, note, children }: BubbleProps) => (
  <div className={`chat__turn chat__turn--${by}`}>
    <strong className="faint">{WRITERS[by]}</strong>
    <p>{children}</p>
    {note !== null && <span className="faint">{note}</span>}
  </div>
);

interface Props {
  readonly groups: readonly ChatChoices[];
  /** Key of the model that answers at first. */
  readonly first: string;
  /** Key of the second model, once there are two. */
  readonly second: string;
  readonly settings: ChatSettings;
}

const COUNTS = { one: "One model", two: "Two side by side" } as const;

/** A conversation with one model, or the same one with two. */
export function Chat({ groups, first, second, settings }: Props) {
  const all = groups.flatMap(({ choices }) => choices);
  const [keys, setKeys] = useState([first, second]);
  const [count, setCount] = useState<keyof typeof COUNTS>("one");
  const [message, setMessage] = useState("");
  const [system, setSystem] = useState("");
  const [texts, setTexts] = useState(() => textsOf(settings));
  const choices = keys.map((key) => all.find((one) => one.key === key) ?? all[0]);
  const [[left, right]] = useState(
    () => [new Conversation(languageCalls), new Conversation(languageCalls)] as const,
  );
  const conversations = [left, right];
  useEffect(() => {
    // Models need much memory, and answers must not go on unseen.
    return () => closeLanguageModels();
  }, []);
  const eachOf = (act: (one: Conversation) => void): void => {
    for (const one of conversations) act(one);
  };
  const sides = count === "one" ? [0] : [0, 1];
  const writes = [
    useStore(left.state, ({ writing }) => writing !== null),
    useStore(right.state, ({ writing }) => writing !== null),
  ];
  const busy = writes.includes(true);
  const read = NAMES.map((name) => [name, readSetting(name, texts[name])] as const);
  const wrong = read.filter(([, value]) => value === null).map(([name]) => name);
  const canSend = !busy && message.trim() !== "" && wrong.length === 0;

  const send = (): void => {
    if (!canSend) return;
    // None of them is null.
    const chosen = Object.fromEntries(read) as unknown as ChatSettings;
    for (const side of sides) {
      const choice = choices[side];
      if (choice) void conversations[side]?.send(message, choice.open, chosen, system);
    }
    setMessage("");
  };
  const choose = (side: number, key: string): void => {
    setKeys(keys.map((one, at) => (at === side ? key : one)));
    conversations[side]?.clear();
  };

  return (
    <>
      <div className="row chat__tools">
        <Segments label="Number of models" options={COUNTS} value={count} onChange={setCount} />
        <Button small onClick={() => eachOf((one) => one.clear())}>
          New conversation
        </Button>
      </div>
      <div className={count === "two" ? "columns chat__columns" : undefined}>
        {sides.map((side) => {
          const [choice, conversation] = [choices[side], conversations[side]];
          return (
            choice &&
            conversation && (
              <Side
                key={side}
                label={count === "one" ? "Model" : side === 0 ? "First model" : "Second model"}
                groups={groups}
                choice={choice}
                onChoose={(key) => choose(side, key)}
                conversation={conversation}
              />
            )
          );
        })}
      </div>
      <form
        className="chat__form"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          className="field chat__message"
          aria-label="Message"
          placeholder="Message (Enter sends, Shift and Enter begins a line)"
          rows={2}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <Button primary type="submit" aria-disabled={!canSend}>
          Send
        </Button>
        <Button aria-disabled={!busy} onClick={() => eachOf((one) => one.stop())}>
          Stop
        </Button>
      </form>
      <Panel title="Sampling">
        <div className="panel-form chat__settings">
          {NAMES.map((name) => (
            <label key={name} title={FIELDS[name].hint}>
              {FIELDS[name].label}
              <TextField
                inputMode="decimal"
                value={texts[name]}
                aria-invalid={wrong.includes(name)}
                onChange={(text) => setTexts({ ...texts, [name]: text })}
              />
            </label>
          ))}
          <label className="chat__system">
            System prompt
            <textarea
              className="field"
              rows={2}
              placeholder="Read by models with a chat template, before the first message"
              value={system}
              onChange={(event) => setSystem(event.currentTarget.value)}
            />
          </label>
        </div>
      </Panel>
    </>
  );
}
