import { issueText, messageOfIssue } from '@moorage/contracts';
import { asStored, DomainError, type Fact, joined, type Message, SHAPE_MESSAGES } from '@moorage/domain';
import type { z } from 'zod';

export interface FieldProblem {
  /** `domain`, `config.admin_email`, or empty for the body as a whole. */
  readonly path: string;
  readonly message: Message;
}

/** An error that lists its problems in `errors` of the response. */
export class ListedRefusal extends DomainError {
  constructor(
    code: string,
    reason: Message,
    readonly errors: readonly FieldProblem[],
    fields: DomainError['fields'] = {},
    /** Fields next to `code` that are not plain facts. */
    readonly beside: Readonly<Record<string, unknown>> = {},
  ) {
    super(code, reason, fields);
  }
}

/** FIELDS_INVALID (422): the shape of a request is invalid. `errors` of the response lists every field. */
export class FieldsInvalid extends ListedRefusal {
  constructor(errors: readonly FieldProblem[]) {
    const different = new Map(errors.map(({ message }) => [message.detail, message]));
    super('FIELDS_INVALID', joined([...different.values()].slice(0, 3)), errors);
  }
}

const PROBLEMS_MAX = 50;

export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.slice(0, PROBLEMS_MAX).map(({ path, message }) => ({
    path: path.join('.'),
    message: messageOfIssue(message) ?? asStored(message),
  }));
}

/**
 * Returns messages for issues for which a schema has no message of its own. They name the field and never repeat the
 * value.
 */
export const shapeIssue = (issue: z.core.$ZodRawIssue): string => issueText(shapeMessage(issue));

function shapeMessage(issue: z.core.$ZodRawIssue): Message {
  const field = issue.path === undefined || issue.path.length === 0 ? SHAPE_MESSAGES.whole_body : issue.path.join('.');
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? SHAPE_MESSAGES.required({ field }) : kindMessage(field, issue.expected);
    case 'too_small':
      return Number(issue.minimum) === 1 && measureOf(issue.origin) !== 'number'
        ? SHAPE_MESSAGES.not_empty({ field })
        : LEAST[measureOf(issue.origin)]({ field, count: Number(issue.minimum) });
    case 'too_big':
      return MOST[measureOf(issue.origin)]({ field, count: Number(issue.maximum) });
    case 'invalid_value':
      return SHAPE_MESSAGES.one_of({ field, values: issue.values.map(String).join(', ') });
    case 'not_multiple_of':
      return SHAPE_MESSAGES.multiple({ field, count: Number(issue.divisor) });
    case 'invalid_format':
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return SHAPE_MESSAGES.form({ field });
  }
}

const KINDS = {
  string: SHAPE_MESSAGES.text,
  number: SHAPE_MESSAGES.number,
  int: SHAPE_MESSAGES.whole,
  boolean: SHAPE_MESSAGES.boolean,
  object: SHAPE_MESSAGES.object,
  array: SHAPE_MESSAGES.list,
} as const;

function kindMessage(field: Fact, expected: string): Message {
  const known = Object.entries(KINDS).find(([kind]) => kind === expected)?.[1];
  return known === undefined ? SHAPE_MESSAGES.kind({ field, kind: expected }) : known({ field });
}

type Measure = 'characters' | 'entries' | 'number';
const LEAST = {
  characters: SHAPE_MESSAGES.characters_least,
  entries: SHAPE_MESSAGES.entries_least,
  number: SHAPE_MESSAGES.number_least,
} as const satisfies Record<Measure, unknown>;
const MOST = {
  characters: SHAPE_MESSAGES.characters_most,
  entries: SHAPE_MESSAGES.entries_most,
  number: SHAPE_MESSAGES.number_most,
} as const satisfies Record<Measure, unknown>;

function measureOf(origin: string): Measure {
  if (origin === 'string') return 'characters';
  return origin === 'array' ? 'entries' : 'number';
}
