import { MINUTE_MS, SECOND_MS } from '@moorage/domain';
import type { Clock, Random } from '@moorage/server';
import { Agent, type Dispatcher, errors, request } from 'undici';
import { z } from 'zod';
import { CloudError, type CloudErrorKind } from '../cloud';

/** Timeout for a complete response. The slowest calls take a few seconds. */
export const ANSWER_MS = 30 * SECOND_MS;
const CONNECT_MS = 5 * SECOND_MS;
/** Pages of regions, sizes and servers are far smaller. */
const BODY_MAX_BYTES = 4 * 1024 * 1024;
/** Pause after too many requests if the provider does not report how long to wait. */
export const PAUSE_MS = 30 * SECOND_MS;
const PAUSE_MAX_MS = 15 * MINUTE_MS;
export const MESSAGE_MAX = 300;
const MASK = '***';

/** Dependencies of every live cloud besides its account. */
export interface LiveParts {
  readonly random: Random;
  readonly clock: Pick<Clock, 'localNow' | 'systemNow' | 'sleep'>;
}

/** Error response of a provider. */
export interface Refused {
  readonly status: number;
  /** Parsed JSON, or text if it is not JSON. */
  readonly body: unknown;
}

export interface CloudHttpOptions {
  /** Base URL without a trailing slash, for example `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** Returns the value of `Authorization` for each request. May throw CloudError. Null sends no header. */
  readonly authorization: ((signal: AbortSignal) => Promise<string>) | null;
  /** Secrets to remove from every message, namely tokens and values derived from them. */
  readonly secrets: readonly string[];
  /** Classifies errors with the provider's table. Null classifies by status only. */
  readonly kindOf: (refused: Refused) => CloudErrorKind | null;
  /** Extracts the provider's message from an error. */
  readonly messageOf: (body: unknown) => string;
  /** Response header with the time at which the provider accepts requests again, in seconds since 1970. */
  readonly resetHeader?: string;
  readonly clock: Pick<Clock, 'localNow'>;
}

export interface CloudRequest<T> {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Body sent as JSON. */
  readonly body?: object;
  /** Body sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Schema of the response fields in use. Absent if none is. */
  readonly answer?: z.ZodType<T>;
  readonly signal?: AbortSignal | undefined;
  /** Size limit for lists that are known to be longer than usual. */
  readonly maxBytes?: number;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Sends JSON over HTTP to one provider, with one deadline and a limited response size. Does not follow redirects. Every
 * failure is a CloudError without secrets. Error responses are classified by the provider's table. Failures that leave
 * open whether the request was carried out are `transient`: no connection, timeout, or a response that is not JSON, too
 * long or of another shape.
 */
export class CloudHttp {
  private readonly agents = new Map<number, Agent>();

  constructor(private readonly options: CloudHttpOptions) {}

  async send<T>(method: Method, path: string, requested: CloudRequest<T>): Promise<T> {
    const over = AbortSignal.timeout(ANSWER_MS);
    const signal = requested.signal === undefined ? over : AbortSignal.any([requested.signal, over]);
    const authorization = (await this.options.authorization?.(signal)) ?? null;
    const answered = await this.exchange(method, path, { ...requested, signal }, authorization);
    const { status, text } = answered;
    if (status >= 300) throw this.refusal(answered);
    const answer: z.ZodType = requested.answer ?? z.unknown();
    const parsed = answer.safeParse(text === '' ? {} : jsonOf(text));
    if (parsed.success) return parsed.data as T;
    const where = parsed.error.issues
      .slice(0, 3)
      .map(({ path }) => path.join('.'))
      .join(', ');
    throw new CloudError(
      'transient',
      this.clean(`${method} ${path}: the response is not as expected (${status}: ${where})`),
    );
  }

  /** Reads a resource. Returns null if it does not exist. */
  find<T>(path: string, requested: CloudRequest<T>): Promise<T | null> {
    return orNull(this.send('GET', path, requested));
  }

  /** Removes a resource. Has no effect if it does not exist. */
  async remove(path: string, requested: CloudRequest<unknown>): Promise<void> {
    await orNull(this.send('DELETE', path, requested));
  }

  private async exchange(
    method: Method,
    path: string,
    { query = {}, body, form, headers, maxBytes = BODY_MAX_BYTES, signal }: CloudRequest<unknown>,
    authorization: string | null,
  ): Promise<Answered> {
    try {
      const response = await request(urlOf(`${this.options.baseUrl}${path}`, query), {
        method,
        dispatcher: this.agentFor(maxBytes),
        headers: {
          accept: 'application/json',
          ...(authorization === null ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...headers,
        },
        body: body !== undefined ? JSON.stringify(body) : form !== undefined ? String(new URLSearchParams(form)) : null,
        ...(signal === undefined ? {} : { signal }),
      });
      return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
    } catch (error) {
      throw new CloudError('transient', this.clean(`${method} ${path}: ${whyOf(error)}`));
    }
  }

  private refusal(answered: Answered): CloudError {
    const { status, headers, text } = answered;
    const body = jsonOf(text);
    const kind = isForeign(answered, body)
      ? 'transient'
      : (this.options.kindOf({ status, body }) ?? kindOfStatus(status));
    const words = this.clean(`${status} ${this.options.messageOf(body) || '(no message)'}`).slice(0, MESSAGE_MAX);
    return new CloudError(kind, words, kind === 'rate_limit' ? this.pauseOf(headers) : null);
  }

  private pauseOf(headers: Answered['headers']): number {
    const now = this.options.clock.localNow();
    const after = headerOf(headers, 'retry-after');
    const reset = this.options.resetHeader === undefined ? '' : headerOf(headers, this.options.resetHeader);
    const pauses = [
      /^\d+$/.test(after) ? Number(after) * SECOND_MS : Date.parse(after) - now,
      /^\d+$/.test(reset) ? Number(reset) * SECOND_MS - now : NaN,
    ];
    const pause = pauses.find((one) => Number.isFinite(one) && one > 0) ?? PAUSE_MS;
    return Math.min(pause, PAUSE_MAX_MS);
  }

  private agentFor(maxBytes: number): Agent {
    const known = this.agents.get(maxBytes);
    if (known !== undefined) return known;
    const agent = boundedAgent(maxBytes);
    this.agents.set(maxBytes, agent);
    return agent;
  }

  private clean(words: string): string {
    return redact(this.options.secrets, words);
  }
}

/** Removes secrets from a provider's message. */
export const redact = (secrets: readonly string[], words: string): string =>
  secrets.filter((secret) => secret.length > 3).reduce((text, secret) => text.replaceAll(secret, MASK), words);

/** Creates an agent with timeouts that rejects responses above the size limit. */
export const boundedAgent = (maxBytes = BODY_MAX_BYTES): Agent =>
  new Agent({
    maxResponseSize: maxBytes,
    connect: { timeout: CONNECT_MS },
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
    connections: 16,
  });

interface Answered {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
}

/** Maximum number of pages per list, in case a provider never marks the last page. */
export const PAGES_MAX = 200;

const orNullAt =
  (kind: CloudErrorKind) =>
  async <T>(answer: Promise<T>): Promise<T | null> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof CloudError && error.kind === kind) return null;
      throw error;
    }
  };

/** Returns null if the resource does not exist. */
export const orNull = orNullAt('not_found');
/** Returns null if another process was first. */
export const ifNameIsFree = orNullAt('conflict');

/** Authorises with a token that never changes. */
export const bearer = (token: string): Pick<CloudHttpOptions, 'authorization' | 'secrets'> => ({
  authorization: () => Promise.resolve(`Bearer ${token}`),
  secrets: [token],
});

/** Finds a resource that exists once, and creates it if it is missing. */
export async function findOrCreate<T>(
  what: string,
  find: () => Promise<T | undefined>,
  create: () => Promise<unknown>,
): Promise<{ readonly found: T; readonly isNew: boolean }> {
  const known = await find();
  if (known !== undefined) return { found: known, isNew: false };
  await ifNameIsFree(create());
  const found = await find();
  if (found === undefined) throw new CloudError('transient', `the ${what} is not visible yet`);
  return { found, isNew: true };
}

/**
 * Returns whether a proxy in front of the provider responded with its own page. Such a response is temporary and proves
 * nothing about our credentials or about existing resources.
 */
function isForeign({ status, text }: Answered, body: unknown): boolean {
  if (status < 400 || status === 429) return false;
  // `jsonOf` returns text that is not JSON unchanged.
  return text === '' ? status === 401 || status === 403 : body === text;
}

/** Returns the meaning of a status for errors that are missing in the provider's table. */
function kindOfStatus(status: number): CloudErrorKind {
  if (status === 401) return 'auth';
  if (status === 403) return 'permission';
  if (status === 404) return 'not_found';
  if (status === 409 || status === 423) return 'conflict';
  if (status === 429) return 'rate_limit';
  return status >= 500 || status === 408 ? 'transient' : 'invalid';
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function urlOf(address: string, query: NonNullable<CloudRequest<unknown>['query']>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function headerOf(headers: Answered['headers'], name: string): string {
  const value = headers[name.toLowerCase()];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** Describes a connection failure without proxy addresses or headers. */
export function whyOf(error: unknown): string {
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'the response is too long';
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === 'AbortError' || name === 'TimeoutError') return 'no response in time';
  return typeof code === 'string' ? code : 'no answer';
}
