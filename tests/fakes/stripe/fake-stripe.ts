import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Params, Refusal, StripeAccount, type Thing } from './stripe-account';

/** Supported filters of each list. */
const LISTS: Readonly<Record<string, { readonly object: string; readonly filters: readonly string[] }>> = {
  'checkout/sessions': { object: 'checkout.session', filters: ['payment_intent', 'customer'] },
  payment_intents: { object: 'payment_intent', filters: ['customer'] },
  payment_methods: { object: 'payment_method', filters: ['customer'] },
  customers: { object: 'customer', filters: [] },
  charges: { object: 'charge', filters: ['payment_intent', 'customer'] },
  refunds: { object: 'refund', filters: ['payment_intent', 'charge'] },
  disputes: { object: 'dispute', filters: ['payment_intent', 'charge'] },
  balance_transactions: { object: 'balance_transaction', filters: ['source', 'type'] },
};

/** Time for which Stripe recognises an idempotency key. */
const KEY_MS = 24 * 3_600_000;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Stripe's HTTP interface to one account: forms, idempotency keys, pages, expanded references, errors. */
export class FakeStripe extends StripeAccount {
  /** Form bodies of the requests that changed something, and their idempotency keys. */
  readonly requested: URLSearchParams[] = [];
  readonly keys: string[] = [];
  /** Method and path of every request. */
  readonly requests: string[] = [];
  private readonly answers = new Map<string, { readonly of: string; readonly at: number; readonly answer: Answer }>();
  private status = 200;
  private cuts = 0;
  private readonly server = createServer((request, response) => void this.receive(request, response));

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets the status of all further responses, without any action. 200 restores normal operation. */
  answerWith(status: number): void {
    this.status = status;
  }

  /** Carries out the next requests that change something, and cuts their connections before the response. */
  cutNext(times = 1): void {
    this.cuts = times;
  }

  open(): Promise<this> {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', () => resolve(this)));
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe.test');
    const key = request.headers['idempotency-key'];
    this.requests.push(`${request.method} ${pathname}`);
    if (request.method === 'POST') {
      this.requested.push(new URLSearchParams(body));
      this.keys.push(String(key));
    }
    const { status, body: answer } =
      this.status === 200
        ? this.once(typeof key === 'string' && request.method === 'POST' ? key : null, `${pathname}?${body}`, () =>
            this.answer(
              request.method ?? '',
              pathname.replace('/v1/', ''),
              request.method === 'GET' ? searchParams : new URLSearchParams(body),
            ),
          )
        : { status: this.status, body: { error: { type: 'api_error', message: 'sk_live_canary is not allowed' } } };
    if (this.cuts > 0 && request.method === 'POST') {
      this.cuts -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
    response.end(JSON.stringify(answer));
  }

  private once(key: string | null, of: string, run: () => Answer): Answer {
    if (key === null) return run();
    const stored = this.answers.get(key);
    const before = stored !== undefined && this.now() - stored.at <= KEY_MS ? stored : undefined;
    if (before !== undefined && before.of !== of)
      return { status: 400, body: { error: { type: 'idempotency_error', message: 'Keys are for one request only.' } } };
    const answer = before?.answer ?? run();
    // Malformed requests are not stored.
    if (answer.status !== 400 && answer.status !== 404) this.answers.set(key, { of, at: this.now(), answer });
    return answer;
  }

  private answer(method: string, path: string, requested: URLSearchParams): Answer {
    try {
      const fields = nested(requested);
      const thing = this.asks(method, path, { fields, requested });
      // A copy of the current state, so that a repeated response stays the same.
      return { status: 200, body: structuredClone(thing) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: structuredClone({ error: error.error }) };
    }
  }

  private asks(
    method: string,
    path: string,
    { fields, requested }: { fields: Params; requested: URLSearchParams },
  ): unknown {
    if (method === 'POST') return this.post(path, fields);
    const customer = /^customers\/(\w+)$/.exec(path)?.[1];
    if (method === 'DELETE' && customer !== undefined) return this.deleteCustomer(customer);
    return this.get(path, requested);
  }

  private post(path: string, fields: Params): Thing {
    if (path === 'checkout/sessions') return this.openSession(fields);
    if (path === 'payment_intents') return this.charge(fields);
    if (path === 'refunds') return this.giveBack(fields);
    const session = /^checkout\/sessions\/(\w+)\/expire$/.exec(path)?.[1];
    if (session !== undefined) return this.endSession(session);
    const method = /^payment_methods\/(\w+)\/detach$/.exec(path)?.[1];
    if (method !== undefined) return this.detach(method);
    throw unknownRequest(path);
  }

  private get(path: string, requested: URLSearchParams): unknown {
    const expands = [...requested].filter(([name]) => name.startsWith('expand[')).map(([, value]) => value.split('.'));
    const list = LISTS[path];
    if (list !== undefined) return this.page(path, list, requested, expands);
    const [, table = '', id = ''] = /^(.+)\/(\w+)$/.exec(path) ?? [];
    const object = LISTS[table]?.object;
    if (object === undefined) throw unknownRequest(path);
    return this.expanded(this.known(id, object), expands);
  }

  private page(
    path: string,
    { object, filters }: { object: string; filters: readonly string[] },
    requested: URLSearchParams,
    expands: readonly string[][],
  ): unknown {
    let found = this.all(object).reverse();
    for (const [name, value] of requested) {
      if (name.startsWith('expand[') || name === 'limit' || name === 'starting_after') continue;
      if (filters.includes(name)) found = found.filter((thing) => thing[name] === value);
      else if (name === 'created[gte]') found = found.filter(({ created }) => created >= Number(value));
      else if (name === 'created[lt]') found = found.filter(({ created }) => created < Number(value));
      else
        throw new Refusal(400, {
          type: 'invalid_request_error',
          code: 'parameter_unknown',
          message: `Received unknown parameter: ${name}`,
        });
    }
    const after = requested.get('starting_after');
    const from = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1;
    const limit = Math.min(Number(requested.get('limit') ?? 10), 100);
    const data = found.slice(from, from + limit);
    const inside = expands.map(([first, ...rest]) => {
      if (first !== 'data')
        throw new Refusal(400, { type: 'invalid_request_error', message: 'Expand data of a list.' });
      return rest;
    });
    return {
      object: 'list',
      url: `/v1/${path}`,
      has_more: found.length > from + limit,
      data: data.map((thing) => this.expanded(thing, inside)),
    };
  }

  private expanded(thing: Thing, paths: readonly string[][]): Thing {
    const copy = { ...thing };
    for (const [field = '', ...rest] of paths) {
      const value = copy[field];
      if (value == null) continue;
      const inner = typeof value === 'string' ? this.things.get(value) : (value as Thing);
      if (inner === undefined)
        throw new Refusal(400, { type: 'invalid_request_error', message: `${field} cannot be expanded` });
      copy[field] = rest.length === 0 ? inner : this.expanded(inner, [rest]);
    }
    return copy;
  }
}

export function fakeStripe(): Promise<FakeStripe> {
  return new FakeStripe().open();
}

function unknownRequest(path: string): Refusal {
  return new Refusal(404, { type: 'invalid_request_error', message: `Unrecognized request URL: /v1/${path}` });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += String(part);
  return body;
}

/** Converts `a[b][0]=c` to `{ a: { b: { 0: 'c' } } }`. */
function nested(form: URLSearchParams): Params {
  const whole: Record<string, unknown> = {};
  for (const [name, value] of form) {
    const path = name.split(/[[\]]+/).filter((step) => step !== '');
    let at = whole;
    for (const step of path.slice(0, -1)) at = (at[step] ??= {}) as Record<string, unknown>;
    at[path.at(-1) ?? ''] = value;
  }
  return whole as Params;
}
