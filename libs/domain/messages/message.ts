/**
 * What is said to a person: a code that never changes (`order.value_missing`) with facts, and its English rendering. It is
 * stored, sent and translated by code and facts, where it is read (decision 44).
 */
export interface Message {
  readonly code: string;
  readonly facts: Facts;
  /** The English sentence, filled in. Text, never markup. */
  readonly detail: string;
}
/** What is filled in: plain text and numbers, or a message of its own (a label, a status), or several behind each other. */
export type Fact = string | number | Message | readonly Message[];
export type Facts = Readonly<Record<string, Fact>>;

/** The names of a template's facts: of `%{host} has expired` it is `host`. */
export type FactName<Template extends string> = Template extends `${string}%{${infer Name}}${infer Rest}`
  ? Name | FactName<Rest>
  : never;

/** A template's message, or what makes it of its facts. */
type Maker<Template extends string> = [FactName<Template>] extends [never]
  ? Message
  : (facts: Readonly<Record<FactName<Template>, Fact>>) => Message;
type Messages<Templates extends Readonly<Record<string, string>>> = {
  readonly [Name in keyof Templates]: Maker<Templates[Name]>;
};

/** The messages of an area from their English templates: `ORDER_MESSAGES.region_missing`, `ORDER_MESSAGES.value_missing({ label })`. */
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
/** Several messages behind each other. */
export function joined(parts: readonly Message[]): Message {
  const [first] = parts;
  return first !== undefined && parts.length === 1
    ? first
    : { code: JOINED, facts: { parts }, detail: parts.map(english).join(' ') };
}

const AS_STORED = 'stored';
/** Words that have no code: written before messages had one, or by somebody else. They are shown as they are. */
export const asStored = (text: string): Message => ({ code: AS_STORED, facts: {}, detail: text });

/** The name of something that the reader's language may have another name for. */
export const named = (code: string, name: string): Message => ({ code, facts: {}, detail: name });

const english = ({ detail }: Message): string => detail;

/** A template with its facts filled in. Values stand as they are. */
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

/** Another language's templates by area and name. */
export type Translations = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Says messages by the templates of another language; in English where it has none for a code. */
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

/** A template that is no message (a row of the ledger, a page of its own) with its facts filled in. */
export function formatMessage<const Template extends string>(
  template: Template,
  facts: Readonly<Record<FactName<Template>, string | number>>,
): string {
  return filled(template, facts, english);
}
