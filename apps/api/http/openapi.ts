import { type Call, ERROR_MEANING, ERROR_STATUS, type ErrorCode, PARAMETER_MEANING } from '@moorage/contracts';
import { z } from 'zod';
import { IDEMPOTENCY_KEY } from './read-input';

type Json = Readonly<Record<string, unknown>>;

export interface OpenApi {
  readonly [part: string]: unknown;
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Describes the calls in OpenAPI 3.1, from the rows and schemas that route and validate them. `url` is the public
 * address without a path.
 */
export function openApi(calls: readonly Call[], { title, url }: { title: string; url: string }): OpenApi {
  const schemas = new Schemas();
  // Responses come first: a schema gets its plain name there, and a different name where its input differs.
  const answers = new Map(calls.map((call) => [call, call.answer === null ? null : schemas.ofAnswer(call.answer)]));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const call of [...calls].sort((a, b) => a.path.localeCompare(b.path)))
    (paths[call.path] ??= {})[call.method.toLowerCase()] = operation(call, answers.get(call) ?? null, schemas);
  const tags = [...new Set(calls.map(tagOf))].sort().map((name) => ({ name, description: `Calls below /${name}.` }));
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${url}/api` }],
    tags,
    paths,
    components: {
      schemas: { Error: ERROR, ...schemas.named },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A session token from `POST /auth/login`, or an API token.',
        },
      },
    },
  };
}

const INTRODUCTION = `Amounts are in US dollars and times in ISO 8601 (UTC) unless a field says otherwise.

Errors have a \`code\` for programs and a \`detail\` for users:

| code | status | meaning |
|---|---|---|
${Object.entries(ERROR_STATUS)
  .map(([code, status]) => `| \`${code}\` | ${status} | ${ERROR_MEANING[code as ErrorCode]} |`)
  .join('\n')}`;

const FACTS = { type: 'object', description: 'Values in the message, by name.' };

const ERROR = {
  type: 'object',
  required: ['detail', 'code', 'message_code', 'facts', 'errors'],
  properties: {
    detail: { type: 'string', description: 'A message for the user, in English.' },
    code: { type: 'string', enum: Object.keys(ERROR_STATUS), description: 'The error code, for programs.' },
    message_code: { type: 'string', description: 'Identifies the message, for translation.' },
    facts: FACTS,
    errors: {
      type: 'array',
      description: 'Problems with individual fields.',
      items: {
        type: 'object',
        required: ['path', 'message', 'code', 'facts'],
        properties: {
          path: { type: 'string', description: 'The field, such as `domain`.' },
          message: { type: 'string' },
          code: { type: 'string' },
          facts: FACTS,
        },
      },
    },
  },
  example: {
    detail: 'This deployment does not exist.',
    code: 'NOT_FOUND',
    message_code: 'deployment_unknown',
    facts: {},
    errors: [],
  },
} as const;

const isOpen = ({ access }: Call): boolean => access === 'public' || access === 'webhook';
const tagOf = ({ path }: Call): string => path.split('/')[1] ?? '';

function operation(call: Call, answer: Json | null, schemas: Schemas): Json {
  const { description, operation: operationId, summary } = call;
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tagOf(call)],
    'x-access': call.access,
    security: isOpen(call) ? [] : [{ bearer: [] }],
    parameters: [
      ...parameters('path', schemas.propertiesOf(call.params)),
      ...parameters('query', schemas.propertiesOf(call.query)),
      ...(call.idempotency_key === true ? [KEY_HEADER] : []),
    ],
    ...(call.body === undefined
      ? {}
      : { requestBody: { required: call.optional_body !== true, content: content(call, schemas.ofInput(call.body)) } }),
    responses: {
      [call.status]: {
        description: 'Success.',
        ...(answer === null ? {} : { content: { 'application/json': { schema: answer } } }),
      },
      ...refusals(call),
    },
  };
}

function content({ form }: Call, schema: Json): Json {
  return {
    'application/json': { schema },
    ...(form === true ? { 'application/x-www-form-urlencoded': { schema } } : {}),
  };
}

function refusals(call: Call): Json {
  const codes = [
    ...(['FIELDS_INVALID', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'] as const),
    ...(isOpen(call) ? [] : (['UNAUTHENTICATED'] as const)),
    ...(call.access === 'verified' ? (['EMAIL_NOT_VERIFIED'] as const) : []),
    ...(call.access === 'admin' ? (['FORBIDDEN'] as const) : []),
    ...(call.params === undefined ? [] : (['NOT_FOUND'] as const)),
    ...(call.idempotency_key === true ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...call.errors,
  ];
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const answers: Record<string, { description: string; content: typeof content }> = {};
  for (const code of new Set(codes)) {
    const answer = (answers[ERROR_STATUS[code]] ??= { description: '', content });
    answer.description += `${answer.description === '' ? '' : '\n\n'}\`${code}\`: ${ERROR_MEANING[code]}`;
  }
  return answers;
}

function parameters(place: 'path' | 'query', { properties = {}, required = [] }: ObjectSchema): unknown[] {
  return Object.entries(properties).map(([name, { description = PARAMETER_MEANING[name], ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

const KEY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the client. Repeating a call with the same key returns the first response and has no further effect.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
};

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Json & { readonly description?: string }>>;
  readonly required?: readonly string[];
}

/** Converts schemas of the contracts to JSON Schema. Those with an id become named components. */
class Schemas {
  readonly named: Record<string, Json> = {};
  private readonly owners = new Map<string, unknown>();

  ofAnswer(schema: z.ZodType): Json {
    return this.convert(schema, 'output');
  }

  ofInput(schema: z.ZodType): Json {
    return this.convert(schema, 'input');
  }

  propertiesOf(schema: z.ZodType | undefined): ObjectSchema {
    return schema === undefined ? {} : this.ofInput(schema);
  }

  private convert(schema: z.ZodType, io: 'input' | 'output'): Json {
    const {
      $schema: _,
      $defs: definitions,
      ...root
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        simplify(jsonSchema);
        // Zod omits the examples of a request whose values are converted.
        const { id, examples } = z.globalRegistry.get(zodSchema) ?? {};
        if (examples !== undefined) jsonSchema.examples = examples as unknown[];
        if (id === undefined) return;
        if ((this.owners.get(id) ?? zodSchema) !== zodSchema) throw new Error(`two schemas have the id ${id}`);
        this.owners.set(id, zodSchema);
      },
    });
    const all: Record<string, Json> = { ...definitions, ...(typeof root.id === 'string' ? { [root.id]: root } : {}) };
    const names = new Map(Object.entries(all).map(([id, definition]) => [id, this.nameOf(id, plain(definition), io)]));
    for (const [id, name] of names) this.named[name] = pointed(plain(all[id] ?? {}), names);
    const { id } = root;
    return typeof id === 'string' ? { $ref: `#/components/schemas/${names.get(id) ?? id}` } : pointed(root, names);
  }

  private nameOf(id: string, definition: Json, io: 'input' | 'output'): string {
    const known = this.named[id];
    const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(pointed(definition, new Map()));
    return isSame || io === 'output' ? id : `${id}Input`;
  }
}

function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  // Query numbers are strings to zod, and a format needs no pattern.
  if (schema.type === 'integer' || schema.format !== undefined) delete schema.pattern;
  namedKeys(schema);
}

/** Adds the properties of a record with known keys, because client generators look for them. */
function namedKeys(schema: z.core.JSONSchema.BaseSchema): void {
  const { propertyNames, additionalProperties } = schema;
  if (typeof propertyNames !== 'object' || typeof additionalProperties !== 'object') return;
  if (propertyNames.enum === undefined) return;
  schema.properties = Object.fromEntries(propertyNames.enum.map((name) => [String(name), additionalProperties]));
  schema.additionalProperties = false;
  delete schema.propertyNames;
}

const plain = ({ id: _, ...schema }: Json): Json => schema;

/** Returns the schema with its references pointing to components. */
function pointed(schema: Json, names: ReadonlyMap<string, string>): Json {
  return JSON.parse(
    JSON.stringify(schema).replaceAll(
      /"#\/\$defs\/([^"]+)"/g,
      (_, id: string) => `"#/components/schemas/${names.get(id) ?? id}"`,
    ),
  ) as Json;
}
