/**
 * Sentences of the rules and the servers, each under a code that never changes: `order.value_missing`. Whoever says one
 * takes it from a table of this folder and fills its facts in; whoever shows it in another language reads the code and
 * the facts out of it again (`read.ts`). So rows that were written long ago are understood as well.
 */
export type SentenceTable = Readonly<Record<string, string>>;
/** Tables by area. */
export type SentenceTables = Readonly<Record<string, SentenceTable>>;

/** The names of a template's facts: of `%{host} has expired` it is `host`. */
export type FactName<Template extends string> = Template extends `${string}%{${infer Name}}${infer Rest}`
  ? Name | FactName<Rest>
  : never;

/** A template with its facts filled in. Values stand as they are: they are text, never markup. */
export function say<const Template extends string>(
  template: Template,
  facts: Readonly<Record<FactName<Template>, string | number>>,
): string {
  return template.replace(/%\{(\w+)\}/g, (whole, name: string) =>
    String((facts as Readonly<Record<string, string | number>>)[name] ?? whole),
  );
}
