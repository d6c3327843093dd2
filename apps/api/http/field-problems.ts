import { DomainError, say, SHAPE_WORDS } from '@moorage/domain';
import type { z } from 'zod';

export interface FieldProblem {
  /** `domain`, `config.admin_email`; empty for the body as a whole. */
  readonly path: string;
  readonly message: string;
}

/** A refusal that lists what is wrong: `errors` of the answer. */
export class ListedRefusal extends DomainError {
  constructor(
    code: string,
    detail: string,
    readonly errors: readonly FieldProblem[],
    facts: DomainError['facts'] = {},
    /** What is no plain fact, beside `code`. */
    readonly beside: Readonly<Record<string, unknown>> = {},
  ) {
    super(code, detail, facts);
  }
}

/** FIELDS_INVALID (422): the shape of a request is wrong; `errors` of the answer lists every field. */
export class FieldsInvalid extends ListedRefusal {
  constructor(errors: readonly FieldProblem[]) {
    super('FIELDS_INVALID', [...new Set(errors.map((error) => error.message))].slice(0, 3).join(' '), errors);
  }
}

const PROBLEMS_MAX = 50;

export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.slice(0, PROBLEMS_MAX).map(({ path, message }) => ({ path: path.join('.'), message }));
}

/** Sentences for what a schema has no words of its own for. They name the field and never repeat the value. */
export function sentences(issue: z.core.$ZodRawIssue): string {
  const field = issue.path === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.');
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? say(SHAPE_WORDS.required, { field }) : kindWords(field, issue.expected);
    case 'too_small':
      return say(LEAST[measureOf(issue.origin)], { field, count: Number(issue.minimum) });
    case 'too_big':
      return say(MOST[measureOf(issue.origin)], { field, count: Number(issue.maximum) });
    case 'invalid_value':
      return say(SHAPE_WORDS.one_of, { field, values: issue.values.map(String).join(', ') });
    case 'not_multiple_of':
      return say(SHAPE_WORDS.multiple, { field, count: Number(issue.divisor) });
    case 'invalid_format':
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return say(SHAPE_WORDS.form, { field });
  }
}

const KINDS = {
  string: SHAPE_WORDS.text,
  number: SHAPE_WORDS.number,
  int: SHAPE_WORDS.whole,
  boolean: SHAPE_WORDS.boolean,
  object: SHAPE_WORDS.object,
  array: SHAPE_WORDS.list,
} as const;

function kindWords(field: string, expected: string): string {
  const known = Object.entries(KINDS).find(([kind]) => kind === expected)?.[1];
  return known === undefined ? say(SHAPE_WORDS.kind, { field, kind: expected }) : say(known, { field });
}

type Measure = 'characters' | 'entries' | 'number';
const LEAST = {
  characters: SHAPE_WORDS.characters_least,
  entries: SHAPE_WORDS.entries_least,
  number: SHAPE_WORDS.number_least,
} as const satisfies Record<Measure, string>;
const MOST = {
  characters: SHAPE_WORDS.characters_most,
  entries: SHAPE_WORDS.entries_most,
  number: SHAPE_WORDS.number_most,
} as const satisfies Record<Measure, string>;

function measureOf(origin: string): Measure {
  if (origin === 'string') return 'characters';
  return origin === 'array' ? 'entries' : 'number';
}
