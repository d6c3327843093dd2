import { MINUTE_MS, SECOND_MS } from '@moorage/domain';
import type { Clock, Random } from '@moorage/server';
import { Agent, type Dispatcher, errors, request } from 'undici';
import type { z } from 'zod';
import { CloudError, type CloudErrorKind } from '../cloud';

/** A whole answer; a provider's slowest call takes some seconds. */
export const ANSWER_MS = 30 * SECOND_MS;
const CONNECT_MS = 5 * SECOND_MS;
/** Lists of regions, sizes and servers by the page are far below. */
const BODY_MAX_BYTES = 4 * 1024 * 1024;
/** Too many requests, and no word of how long to wait. */
export const PAUSE_MS = 30 * SECOND_MS;
const PAUSE_MAX_MS = 15 * MINUTE_MS;
export const WORDS_MAX = 300;
const MASK = '***';

/** What every live cloud is opened with beside its account. */
export interface LiveParts {
  readonly random: Random;
  readonly clock: Pick<Clock, 'localNow' | 'systemNow' | 'sleep'>;
}

/** What a provider answered with instead of what was asked for. */
export interface Refused {
  readonly status: number;
  /** As JSON, or the text where it is none. */
  readonly body: unknown;
}

export interface CloudHttpOptions {
  /** `https://api.example.com/v1`, without a slash at its end. */
  readonly baseUrl: string;
  /** The value of `Authorization`, made anew for each request; may throw CloudError. null: none is sent. */
  readonly authorization: ((signal: AbortSignal) => Promise<string>) | null;
  /** What must be in no message: tokens, and whatever was made of them. */
  readonly secrets: readonly string[];
  /** The provider's table of refusals. null: by the status alone. */
  readonly kindOf: (refused: Refused) => CloudErrorKind | null;
  /** The provider's own words in a refusal. */
  readonly wordsOf: (body: unknown) => string;
  /** The header that says when the provider takes requests again, as seconds since 1970. */
  readonly resetHeader?: string;
  readonly clock: Pick<Clock, 'localNow'>;
}

export interface CloudRequest<T> {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields that are read of the answer. */
  readonly answer: z.ZodType<T>;
  readonly signal?: AbortSignal | undefined;
  /** Where a list is known to be longer than usual. */
  readonly maxBytes?: number;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * JSON over HTTP to one provider, under one deadline and a bounded answer; redirects are not followed. Every failure is a
 * CloudError without secrets: a refusal by the provider's own table, and `transient` for whatever leaves open whether the
 * request was carried out: no connection, no time left, an answer that is no JSON, too long or of another shape.
 */
export class CloudHttp {
  private readonly agents = new Map<number, Agent>();

  constructor(private readonly options: CloudHttpOptions) {}

  async send<T>(method: Method, path: string, asked: CloudRequest<T>): Promise<T> {
    const over = AbortSignal.timeout(ANSWER_MS);
    const signal = asked.signal === undefined ? over : AbortSignal.any([asked.signal, over]);
    const authorization = (await this.options.authorization?.(signal)) ?? null;
    const answered = await this.exchange(method, path, { ...asked, signal }, authorization);
    const { status, text } = answered;
    if (status >= 300) throw this.refusal(answered);
    const parsed = asked.answer.safeParse(text === '' ? {} : jsonOf(text));
    if (parsed.success) return parsed.data;
    const where = parsed.error.issues
      .slice(0, 3)
      .map(({ path }) => path.join('.'))
      .join(', ');
    throw new CloudError(
      'transient',
      this.clean(`${method} ${path}: the answer is not understood (${status}: ${where})`),
    );
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
    const words = this.clean(`${status} ${this.options.wordsOf(body) || '(no words)'}`).slice(0, WORDS_MAX);
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
    return wordsWithout(this.options.secrets, words);
  }
}

/** A provider's words, with what must be in no message taken out. */
export const wordsWithout = (secrets: readonly string[], words: string): string =>
  secrets.filter((secret) => secret.length > 3).reduce((text, secret) => text.replaceAll(secret, MASK), words);

/** Connections with deadlines, whose answers are refused beyond so many bytes. */
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

/** Pages of one list that are asked for: an end for a provider that never says the last one. */
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

/** Absence is an answer of its own. */
export const orNull = orNullAt('not_found');
/** So is that somebody else was first: null. */
export const orTaken = orNullAt('conflict');

/**
 * Whether a proxy in front of the provider answered with a page of its own. Such an answer is temporary and proves nothing
 * about our credentials or about what exists.
 */
function isForeign({ status, text }: Answered, body: unknown): boolean {
  if (status < 400 || status === 429) return false;
  // `jsonOf` returns text that is no JSON as it is
  return text === '' ? status === 401 || status === 403 : body === text;
}

/** What a status means where the provider's table says nothing else. */
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

/** What went wrong on the way, without the address of a proxy or a header in it. */
export function whyOf(error: unknown): string {
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'the answer is too long';
  const { name, code } = error as { name?: unknown; code?: unknown };
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer in time';
  return typeof code === 'string' ? code : 'no answer';
}
