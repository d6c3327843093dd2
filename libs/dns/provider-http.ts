import { MINUTE_MS, SECOND_MS } from '@moorage/domain';
import { boundedText, type Clock } from '@moorage/server';
import type { z } from 'zod';
import { RecordApiError, type RecordApiErrorKind } from './record-api';

/** Timeout for a complete response. */
const ANSWER_MS = 15 * SECOND_MS;
const BODY_MAX_BYTES = 4 * 1024 * 1024;
/** Pause after too many requests if the provider does not report how long to wait. */
const PAUSE_MS = 30 * SECOND_MS;
const PAUSE_MAX_MS = 15 * MINUTE_MS;
const MESSAGE_MAX = 300;
const MASK = '***';

export interface ProviderHttpOptions {
  /** Base URL without a trailing slash, for example `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** Bearer token. It is removed from every message. */
  readonly token: string;
  /** Classifies errors with the provider's table. Null classifies by status only. */
  readonly kindOf?: (body: unknown) => RecordApiErrorKind | null;
  /** Extracts the provider's message from an error. */
  readonly messageOf: (body: unknown) => string;
  /** Response header with the time at which the provider accepts requests again, in seconds since 1970. */
  readonly resetHeader?: string;
  readonly clock: Pick<Clock, 'localNow'>;
}

interface ProviderRequest<T> {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Body sent as JSON. */
  readonly body?: object;
  /** Schema of the response fields in use. */
  readonly answer: z.ZodType<T>;
  readonly signal: AbortSignal;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends JSON over HTTP to one DNS provider, with one deadline and a limited response size. Does not follow redirects.
 * Every failure is a RecordApiError without the token.
 */
export class ProviderHttp {
  constructor(private readonly options: ProviderHttpOptions) {}

  async send<T>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { answer, ...requested }: ProviderRequest<T>,
  ): Promise<T> {
    const answered = await this.exchange(method, path, requested);
    const { status, text } = answered;
    if (status >= 300) throw this.refusal(answered);
    const parsed = answer.safeParse(text === '' ? {} : jsonOf(text));
    if (parsed.success) return parsed.data;
    throw new RecordApiError('transient', this.clean(`${method} ${path}: the response is not as expected (${status})`));
  }

  private async exchange(
    method: string,
    path: string,
    { query = {}, body, signal }: Omit<ProviderRequest<unknown>, 'answer'>,
  ): Promise<Answered> {
    const url = new URL(`${this.options.baseUrl}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    try {
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${this.options.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      return {
        status: response.status,
        headers: response.headers,
        text: await boundedText(response, BODY_MAX_BYTES),
      };
    } catch (error) {
      throw new RecordApiError('transient', this.clean(`${method} ${path}: ${whyOf(error)}`));
    }
  }

  private refusal({ status, headers, text }: Answered): RecordApiError {
    const body = jsonOf(text);
    // A page of a proxy in front of the provider proves nothing about the token or the records.
    const isForeign = status !== 429 && (text === '' ? status === 401 || status === 403 : body === text);
    const kind = isForeign ? 'transient' : (this.options.kindOf?.(body) ?? kindOfStatus(status));
    const words = this.clean(`${status} ${this.options.messageOf(body) || '(no message)'}`).slice(0, MESSAGE_MAX);
    return new RecordApiError(kind, words, kind === 'rate_limit' ? this.pauseOf(headers) : null);
  }

  private pauseOf(headers: Headers): number {
    const now = this.options.clock.localNow();
    const after = headers.get('retry-after') ?? '';
    const reset = headers.get(this.options.resetHeader ?? 'retry-after') ?? '';
    const pauses = [
      /^\d+$/.test(after) ? Number(after) * SECOND_MS : Date.parse(after) - now,
      this.options.resetHeader !== undefined && /^\d+$/.test(reset) ? Number(reset) * SECOND_MS - now : NaN,
    ];
    const pause = pauses.find((one) => Number.isFinite(one) && one > 0) ?? PAUSE_MS;
    return Math.min(pause, PAUSE_MAX_MS);
  }

  private clean(words: string): string {
    const { token } = this.options;
    return token.length > 3 ? words.replaceAll(token, MASK) : words;
  }
}

/** Returns the meaning of a status for errors that are missing in the provider's table. */
function kindOfStatus(status: number): RecordApiErrorKind {
  if (status === 401) return 'auth';
  if (status === 403) return 'permission';
  if (status === 404) return 'not_found';
  if (status === 409 || status === 423) return 'conflict';
  if (status === 429) return 'rate_limit';
  return status >= 500 || status === 408 ? 'transient' : 'invalid';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Describes a connection failure without proxy addresses or headers. */
function whyOf(error: unknown): string {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
  if (name === 'AbortError' || name === 'TimeoutError') return 'no response in time';
  return typeof cause?.code === 'string' ? cause.code : 'no response';
}
