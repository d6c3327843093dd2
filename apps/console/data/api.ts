import type { ErrorCode, Route, RouteAnswer, RouteRequest } from '@moorage/contracts';
import { CONNECTION_MESSAGES, asStored, CONSTANTS, type Facts, type Message, USERS_MESSAGES } from '@moorage/domain';
import { go } from './navigation';
import { ApiError } from './errors';
import { confirmIdentity } from './recent-authentication';
import { currentSession, endSession, isImpersonating } from './session';

export interface Sending {
  /** Null, undefined and empty values are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>> | undefined;
  readonly body?: unknown;
  /** Form-encoded body, sent instead of JSON. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Parameters that a route's row requires, plus those any request accepts. */
type ApiRequest<R extends Route> = RouteRequest<R> & Pick<Sending, 'headers' | 'signal'>;
/** Makes the argument optional if the request has no required fields. */
type Given<R extends Route> = Record<never, never> extends ApiRequest<R> ? [ApiRequest<R>?] : [ApiRequest<R>];

/** Public client key (decision 16) from the installation's settings. Sent with every request. */
let clientKey = 'console';
export function sendClientKey(key: string): void {
  clientKey = key;
}

/** Header for callers that send requests without `api`. */
export const clientKeyHeader = (): { 'x-api-key': string } => ({ 'x-api-key': clientKey });

/** Answers that were requested before the page that needs them has loaded. Each is used once. */
const ahead = new Map<Route, Promise<unknown>>();

/** Sends a request whose answer the next call of the same route without parameters uses. */
export function requestAhead<R extends Route>(route: R, request: ApiRequest<R>): Promise<RouteAnswer<R>> {
  const answer = api(route, ...([request] as unknown as Given<R>));
  ahead.set(route, answer);
  return answer;
}

/**
 * Sends one API request, typed by its row in the table of calls: `api('GET /deployments/{id}', { params: { id } })`.
 * Throws ApiError. Ends the local session if the server has ended it.
 */
export async function api<R extends Route>(route: R, ...[request]: Given<R>): Promise<RouteAnswer<R>> {
  const { params, idempotencyKey, headers, ...sending } = ((request as unknown) ?? {}) as Sending & {
    readonly params?: Readonly<Record<string, string | number>>;
    readonly idempotencyKey?: string;
  };
  const requested = ahead.get(route);
  if (requested !== undefined && params === undefined && sending.query === undefined) {
    ahead.delete(route);
    return requested as Promise<RouteAnswer<R>>;
  }
  const [method = '', path = ''] = route.split(' ');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')));
  const key = idempotencyKey === undefined ? {} : keyHeader(idempotencyKey);
  return (await send<RouteAnswer<R>>(method, filled, { ...sending, headers: { ...key, ...headers } })).data;
}

export const keyHeader = (key: string): Record<string, string> => ({ 'idempotency-key': key });

/** Sends a request for react-admin's data provider, which builds paths from resource names. */
export async function send<Answer>(
  method: string,
  path: string,
  sending?: Sending,
): Promise<{ data: Answer; headers: Headers }> {
  const response = await sendRequest(method, path, sending);
  const type = response.headers.get('content-type') ?? '';
  const data = (type.includes('json') ? await response.json() : await response.text()) as Answer;
  return { data, headers: response.headers };
}

/** Downloads a file that only its owner may fetch. A link cannot do this because the token is sent in a header. */
export const fetchFile = async (path: string): Promise<Blob> => (await sendRequest('GET', path)).blob();

/** POST calls that are read-only and use the method only to send a body. */
const READS: readonly string[] = ['/deployments/pricing/calculate'];

/**
 * Sends one request. If a sensitive call requires recent authentication, repeats it once the user has confirmed their
 * identity.
 */
async function sendRequest(method: string, path: string, sending: Sending = {}): Promise<Response> {
  try {
    return await request(method, path, sending);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'REAUTHENTICATION_REQUIRED' || isImpersonating()) throw error;
    if (!(await confirmIdentity(passwordIn(sending.body)))) throw error;
    return request(method, path, sending);
  }
}

/** Returns the password that the form of this call has prompted for. */
function passwordIn(body: unknown): string | null {
  const { current_password: password } = (body ?? {}) as { current_password?: unknown };
  return typeof password === 'string' ? password : null;
}

async function request(
  method: string,
  path: string,
  { query = {}, body, form, headers = {}, signal }: Sending,
): Promise<Response> {
  // A request with its own Authorization header acts as the administrator.
  if (isImpersonating() && method !== 'GET' && !READS.includes(path) && headers.authorization === undefined)
    throw new ApiError(403, 'FORBIDDEN', USERS_MESSAGES.view_reads);
  const token = currentSession()?.token;
  const response = await fetch(`${CONSTANTS.apiBasePath}${path}${queryText(query)}`, {
    method,
    headers: {
      ...clientKeyHeader(),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, 'NETWORK', CONNECTION_MESSAGES.network);
  });
  if (!response.ok) {
    const error = await refusal(response);
    const isOurs = headers.authorization === undefined && token !== undefined && currentSession()?.token === token;
    if (response.status === 401 && isOurs) {
      // Navigate first, because logging out on a console page redirects to the login.
      if (!isImpersonating() && isDeactivatedError(error)) go('/account-deactivated', { replace: true });
      endSession();
    }
    throw error;
  }
  return response;
}

async function refusal(response: Response): Promise<ApiError> {
  const fallback = CONNECTION_MESSAGES.http_error({ status: response.status });
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const text = await response.text().catch(() => '');
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer !== 'object' || answer === null) throw new Error('unexpected response');
    const { detail, code, message_code, facts, errors, ...others } = answer as Record<string, unknown>;
    return new ApiError(
      response.status,
      typeof code === 'string' ? (code as ErrorCode) : 'UNKNOWN',
      typeof detail === 'string' && detail !== '' ? messageOf(detail, message_code, facts) : fallback,
      Array.isArray(errors)
        ? (errors as SentError[]).map(({ path, message, code, facts }) => ({
            path,
            message: messageOf(message, code, facts),
          }))
        : [],
      others,
      Number.isFinite(retryAfter) ? retryAfter : null,
    );
  } catch {
    return new ApiError(response.status, 'UNKNOWN', fallback, [], { text: messagesOf(response, text) });
  }
}

/** Plain-text error of a proxy in front of the API. HTML pages are ignored. */
function messagesOf({ statusText }: Response, text: string): string {
  const words = text.trim().slice(0, MESSAGE_MAX);
  // HTTP/2 has no status text.
  return words !== '' && !words.startsWith('<') ? words : statusText === '' ? 'unexpected response' : statusText;
}

const MESSAGE_MAX = 200;

/** Returns whether the error means that the account is deactivated, by its code or its message. */
export const isDeactivatedError = ({ code, reason }: ApiError): boolean =>
  code === 'ACCOUNT_DEACTIVATED' || reason.detail === CONNECTION_MESSAGES.deactivated.detail;

interface SentError {
  readonly path: string;
  readonly message: string;
  readonly code?: unknown;
  readonly facts?: unknown;
}

const messageOf = (detail: string, code: unknown, facts: unknown): Message =>
  typeof code === 'string' ? { code, facts: (facts ?? {}) as Facts, detail } : asStored(detail);

function queryText(query: NonNullable<Sending['query']>): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}
