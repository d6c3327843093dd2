import fastify, { type FastifyInstance, type FastifyRequest, type HTTPMethods } from 'fastify';
import { HTTP_FAULTS, SUITE_FAULTS, type SuiteCall, type SuiteFault } from '../../suites/cloud.suite';
import type { Fleet } from './fleet';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON if it is an object, otherwise as text. */
  readonly body?: object | string;
}

/** Errors returned before anything is done. */
export type RefusalFault =
  'rate_limited' | 'rate_limited_mute' | 'server_error' | 'quota' | 'no_capacity' | 'revoked' | 'forbidden' | 'refused';

/** Faults of a provider that never rejects a server after accepting it. */
export const PLAIN_FAULTS: readonly SuiteFault[] = [...SUITE_FAULTS, ...HTTP_FAULTS].filter(
  (fault) => !fault.startsWith('fails_'),
);

/** Faults of a provider that also rejects servers after accepting them. */
export const FAILING_FAULTS: readonly SuiteFault[] = [
  ...PLAIN_FAULTS,
  'fails_capacity',
  'fails_quota',
  'fails_refused',
  'fails_other',
];

export interface FakeHttpOptions {
  readonly fleet: Fleet;
  /** Returns whether the request is authorised. */
  readonly isAuthorised: (request: FastifyRequest) => boolean;
  /** Error responses of the provider. `revoked` is also the response to an unauthorised request. */
  readonly refusals: Readonly<Record<RefusalFault, Answer>>;
  /** Returns the provider's name of the right for a request, or null if the request needs no revocable right. */
  readonly rightOf?: (route: string, request: FakeRequest) => string | null;
}

/** Thrown inside a handler to return an error response. */
export class FakeRefusal extends Error {
  constructor(readonly answer: Answer) {
    super('refused');
  }
}

type Handler = (request: FakeRequest, fault: SuiteFault | null) => Answer | Promise<Answer>;

export interface FakeRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON, or a form as an object of strings. */
  readonly body: Record<string, unknown>;
  readonly headers: FastifyRequest['headers'];
}

const PAGE = '<!doctype html><html><head><title>Attention Required</title></head><body>Ray ID: 7</body></html>';
const OVERSIZED = 'x'.repeat(5 * 1024 * 1024);

/** HTTP side of a fake provider, with its routes and their faults. Listens on loopback. */
export class FakeHttp {
  /** Method, path and body of every request, for assertions. */
  readonly requests: { readonly method: string; readonly path: string; readonly body: unknown }[] = [];
  /** Rights that were removed from our credentials. */
  readonly removedRights = new Set<string>();
  private readonly server: FastifyInstance = fastify({ routerOptions: { maxParamLength: 500 } });
  private address = '';
  private readonly canned: Answer[] = [];
  private cut = Infinity;
  /** Called when a request meets the fault `slow`, while its caller waits. */
  held: () => void = () => undefined;

  constructor(private readonly options: FakeHttpOptions) {
    this.server.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    );
    this.server.addContentTypeParser('application/x-amz-json-1.1', { parseAs: 'string' }, (_request, text, done) =>
      done(null, JSON.parse(String(text))),
    );
  }

  /**
   * Adds a route. `call` is the corresponding call of the suite, which determines its faults, or null for no faults.
   */
  on(
    method: HTTPMethods,
    path: string,
    call: SuiteCall | null | ((request: FakeRequest) => SuiteCall | null),
    handler: Handler,
    { open = false }: { readonly open?: boolean } = {},
  ): this {
    this.server.route({
      method,
      url: path,
      handler: async (raw, reply) => {
        if (this.cut-- <= 0) {
          reply.hijack();
          return raw.raw.socket.destroy();
        }
        const request = raw as unknown as FakeRequest;
        this.requests.push({ method: raw.method, path: raw.url, body: raw.body });
        const send = ({ status = 200, headers = {}, body = '' }: Answer): unknown =>
          reply
            .code(status)
            .headers({ ...(typeof body === 'string' ? {} : { 'content-type': 'application/json' }), ...headers })
            .send(typeof body === 'string' ? body : JSON.stringify(body));
        const { fleet, refusals, isAuthorised } = this.options;
        if (!open && !isAuthorised(raw)) return send(refusals.revoked);
        const canned = this.canned.shift();
        if (canned !== undefined) return send(canned);
        const right = this.options.rightOf?.(`${raw.method} ${path}`, request) ?? null;
        if (right !== null && this.removedRights.has(right)) return send(refusals.forbidden);
        const kind = typeof call === 'function' ? call(request) : call;
        const fault = kind === null ? null : fleet.take(kind);
        if (fault === 'forbidden_page')
          return send({ status: 403, body: PAGE, headers: { 'content-type': 'text/html' } });
        if (fault === 'absent_page') return send({ status: 404, body: PAGE, headers: { 'content-type': 'text/html' } });
        if (fault !== null && fault in refusals) return send(refusals[fault as RefusalFault]);
        let answer: Answer;
        try {
          answer = await handler(request, fault);
        } catch (error) {
          if (error instanceof FakeRefusal) return send(error.answer);
          throw error;
        }
        if (fault === 'lost_answer') {
          reply.hijack();
          return raw.raw.socket.destroy();
        }
        if (fault === 'slow') {
          reply.hijack();
          return this.held();
        }
        if (fault === 'failed_after') return send(refusals.server_error);
        if (fault === 'truncated') return send(halfOf(answer));
        if (fault === 'garbled') return send({ body: '<html>502</html>', headers: { 'content-type': 'text/html' } });
        if (fault === 'oversized') return send({ body: { ...(answer.body as object), padding: OVERSIZED } });
        return send(answer);
      },
    });
    return this;
  }

  /** Responds to the next authorised request in this way, regardless of its route. */
  answerNext(answer: Answer): void {
    this.canned.push(answer);
  }

  /** Drops all requests after this number, as if the sending process had ended. `Infinity` drops none. */
  cutAfter(requests: number): void {
    this.cut = requests;
  }

  get url(): string {
    return this.address;
  }

  async open(): Promise<this> {
    this.address = await this.server.listen({ host: '127.0.0.1', port: 0 });
    return this;
  }

  async close(): Promise<void> {
    this.server.server.closeAllConnections();
    await this.server.close();
  }
}

function halfOf({ body = '', ...answer }: Answer): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { ...answer, body: text.slice(0, text.length / 2) };
}

/** Returns one page of a list by number. */
export function pageOf<T>(all: readonly T[], page: number, size: number): { items: T[]; pages: number } {
  return { items: all.slice((page - 1) * size, page * size), pages: Math.max(1, Math.ceil(all.length / size)) };
}

/** Parts common to every fake. */
export interface FakeCloud {
  readonly fleet: Fleet;
  readonly http: FakeHttp;
}
