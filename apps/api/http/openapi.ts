import { type Call, ERROR_STATUS } from '@moorage/contracts';
import { z } from 'zod';
import { IDEMPOTENCY_KEY } from './read-input';

export interface OpenApi {
  readonly [part: string]: unknown;
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The documentation of every call, OpenAPI 3.1, made from the same rows and schemas that serve and check them. */
export function openApi(calls: readonly Call[], { title, url }: { title: string; url: string }): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const call of [...calls].sort((a, b) => a.path.localeCompare(b.path))) {
    (paths[call.path] ??= {})[call.method.toLowerCase()] = operation(call);
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url: `${url}/api` }],
    paths,
    components: {
      schemas: { Error: ERROR },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Session token of POST /auth/login, or a personal API token.',
        },
      },
    },
  };
}

const FACTS = { type: 'object', description: 'What is filled into the sentence, by name.' };

const ERROR = {
  type: 'object',
  required: ['detail', 'code', 'message_code', 'facts', 'errors'],
  properties: {
    detail: { type: 'string', description: 'A sentence for a person.' },
    code: { enum: Object.keys(ERROR_STATUS) },
    message_code: { type: 'string', description: 'Of the sentence: what a client translates.' },
    facts: FACTS,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message', 'code', 'facts'],
        properties: { path: { type: 'string' }, message: { type: 'string' }, code: { type: 'string' }, facts: FACTS },
      },
    },
  },
};

function operation(call: Call): Record<string, unknown> {
  const open = call.access === 'public' || call.access === 'webhook';
  return {
    summary: call.summary,
    operationId: `${call.method.toLowerCase()}${call.path.replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, '')}`,
    tags: [call.path.split('/')[1]],
    'x-access': call.access,
    ...(open ? { security: [] } : { security: [{ bearer: [] }] }),
    parameters: [...parameters('path', call.params), ...parameters('query', call.query), ...keyHeader(call)],
    ...(call.body === undefined ? {} : { requestBody: { required: true, content: content(call) } }),
    responses: {
      [call.status]: {
        description: 'Done.',
        ...(call.answer === null ? {} : { content: { 'application/json': { schema: schema(call.answer, 'output') } } }),
      },
      ...refusals(call),
    },
  };
}

function content(call: Call): Record<string, unknown> {
  const body = { schema: schema(call.body, 'input') };
  return { 'application/json': body, ...(call.form === true ? { 'application/x-www-form-urlencoded': body } : {}) };
}

function refusals(call: Call): Record<string, unknown> {
  const common = ['FIELDS_INVALID', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'] as const;
  const open = call.access === 'public' || call.access === 'webhook';
  const codes = [
    ...common,
    ...(open ? [] : (['UNAUTHENTICATED'] as const)),
    ...(call.access === 'verified' ? (['EMAIL_NOT_VERIFIED'] as const) : []),
    ...(call.access === 'admin' ? (['FORBIDDEN'] as const) : []),
    ...(call.params === undefined ? [] : (['NOT_FOUND'] as const)),
    ...(call.idempotency_key === true ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...call.errors,
  ];
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const answers: Record<string, { description: string; content: typeof error }> = {};
  for (const code of new Set(codes)) {
    const answer = (answers[ERROR_STATUS[code]] ??= { description: '', content: error });
    answer.description += answer.description === '' ? code : `, ${code}`;
  }
  return answers;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

function parameters(place: 'path' | 'query', part: z.ZodType | undefined): unknown[] {
  if (part === undefined) return [];
  const { properties = {}, required = [] } = schema(part, 'input') as ObjectSchema;
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: inner,
  }));
}

function keyHeader({ idempotency_key: takesKey }: Call): unknown[] {
  if (takesKey !== true) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Chosen by the client, once per thing it wants done: a repeat with the same key is answered, not done again.',
      schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
    },
  ];
}

function schema(of: z.ZodType | undefined, io: 'input' | 'output'): Record<string, unknown> {
  if (of === undefined) return {};
  const { $schema: _, ...rest } = z.toJSONSchema(of, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return rest;
}
