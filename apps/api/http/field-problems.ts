import { DomainError } from '@moorage/domain';
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
      return issue.input === undefined
        ? `${field} is required.`
        : `${field} must be ${KINDS[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return `${field} must ${bound(issue.origin, 'at least', Number(issue.minimum))}.`;
    case 'too_big':
      return `${field} must ${bound(issue.origin, 'at most', Number(issue.maximum))}.`;
    case 'invalid_value':
      return `${field} must be one of ${issue.values.map(String).join(', ')}.`;
    case 'not_multiple_of':
      return `${field} must be a multiple of ${Number(issue.divisor)}.`;
    case 'invalid_format':
    case 'unrecognized_keys':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return `${field} is not in the form expected here.`;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

function bound(origin: string, word: string, limit: number): string {
  if (origin === 'string') return `have ${word} ${limit} characters`;
  if (origin === 'array') return `have ${word} ${limit} entries`;
  return `be ${word} ${limit}`;
}
