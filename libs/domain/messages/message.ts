/**
 * A text for users: a stable code (`order.value_missing`) with facts, and its English rendering. Messages are stored
 * and sent with code and facts, and translated where they are displayed (decision 44).
 */
export interface Message {
  readonly code: string;
  readonly facts: Facts;
  /** The English sentence, filled in. Text, never markup. */
  readonly detail: string;
}
/** Value of a placeholder: text, a number, or one or more nested messages (a label, a status). */
export type Fact = string | number | Message | readonly Message[];
export type Facts = Readonly<Record<string, Fact>>;

/** Placeholder names of a template: `host` for `%{host} has expired`. */
export type FactName<Template extends string> = Template extends `${string}%{${infer Name}}${infer Rest}`
  ? Name | FactName<Rest>
  : never;

/** Message of a template, or a function from facts to the message if it has placeholders. */
type Maker<Template extends string> = [FactName<Template>] extends [never]
  ? Message
  : (facts: Readonly<Record<FactName<Template>, Fact>>) => Message;
type Messages<Templates extends Readonly<Record<string, string>>> = {
  readonly [Name in keyof Templates]: Maker<Templates[Name]>;
};

/**
 * Builds the messages of an area from their English templates: `ORDER_MESSAGES.region_missing`,
 * `ORDER_MESSAGES.value_missing({ label })`.
 */
/* @__NO_SIDE_EFFECTS__ */
export function messageTable<const Templates extends Readonly<Record<string, string>>>(
  area: string,
  templates: Templates,
): Messages<Templates> {
  const created = Object.entries(templates).map(([name, template]) => {
    const make = (facts: Facts): Message => ({
      code: `${area}.${name}`,
      facts,
      detail: filled(template, facts, english),
    });
    return [name, template.includes('%{') ? make : make({})];
  });
  return Object.fromEntries(created) as Messages<Templates>;
}

const JOINED = 'joined';
/** Joins several messages into one. */
export function joined(parts: readonly Message[]): Message {
  const [first] = parts;
  return first !== undefined && parts.length === 1
    ? first
    : { code: JOINED, facts: { parts }, detail: parts.map(english).join(' ') };
}

/** Returns the messages that were joined, or the message itself. */
export const partsOf = (message: Message): readonly Message[] =>
  message.code === JOINED ? (message.facts.parts as readonly Message[]) : [message];

const AS_STORED = 'stored';
/** Wraps a text without a code: stored before messages had codes, or from another system. It is displayed unchanged. */
export const asStored = (text: string): Message => ({ code: AS_STORED, facts: {}, detail: text });

/** Wraps a name that other languages may translate. */
export const named = (code: string, name: string): Message => ({ code, facts: {}, detail: name });

const english = ({ detail }: Message): string => detail;

/** Fills the facts into a template. Values are inserted unchanged. */
export function filled(template: string, facts: Facts, render: (message: Message) => string): string {
  return template.replace(/%\{(\w+)\}/g, (whole, name: string) => {
    const fact = facts[name];
    if (fact === undefined) return whole;
    if (typeof fact !== 'object') return String(fact);
    return [fact]
      .flat()
      .map((each) => render(each))
      .join(' ');
  });
}

/** Templates of another language by area and name. */
export type Translations = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns a function that renders messages in another language, or in English if it has no template for a code. */
export function createRenderer(translations: Translations): (message: Message) => string {
  const render = (message: Message): string => {
    const { code, facts, detail } = message;
    if (code === JOINED) return filled('%{parts}', facts, render);
    const [area = '', name = ''] = code.split('.');
    const table = Object.hasOwn(translations, area) ? translations[area] : undefined;
    const template = table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
    return template === undefined ? detail : filled(template, facts, render);
  };
  return render;
}

/** Fills a template that is not a message, such as the description of a ledger entry. */
export function formatMessage<const Template extends string>(
  template: Template,
  facts: Readonly<Record<FactName<Template>, string | number>>,
): string {
  return filled(template, facts, english);
}
