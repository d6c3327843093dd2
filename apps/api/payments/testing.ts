import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import type { ApiHarness } from '../http/testing';

/** A minimal Stripe: it opens checkout sessions, or refuses them with a given status. */
export interface FakeStripe {
  readonly url: string;
  /** The bodies of the requests for sessions, as forms. */
  readonly asked: URLSearchParams[];
  readonly keys: string[];
  answerWith(status: number): void;
  close(): Promise<void>;
}

export async function fakeStripe(): Promise<FakeStripe> {
  const asked: URLSearchParams[] = [];
  const keys: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      asked.push(new URLSearchParams(body));
      keys.push(String(request.headers['idempotency-key']));
      response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
      response.end(
        JSON.stringify(
          status === 200
            ? {
                id: `cs_live_${asked.length}${'a'.repeat(20)}`,
                object: 'checkout.session',
                url: `https://checkout.example/c/${asked.length}`,
              }
            : { error: { type: 'api_error', message: 'sk_live_canary is not allowed' } },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    keys,
    answerWith: (next) => void (status = next),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += String(part);
  return body;
}

export const SECRET = 'whsec_the_secret_of_today';
export const NEXT_SECRET = 'whsec_the_secret_of_tomorrow';

let made = 0;

/** An event as Stripe sends it, printed as Stripe prints it. */
export function stripeEvent(type: string, object: object, more: object = {}): { id: string; payload: string } {
  const id = `evt_${++made}_${process.pid}`;
  const event = {
    id,
    object: 'event',
    api_version: '2026-01-01',
    created: 1_790_000_000,
    livemode: true,
    type,
    data: { object },
    ...more,
  };
  return { id, payload: JSON.stringify(event, null, 2) };
}

export function sign(payload: string, secret = SECRET, timestamp?: number): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp === undefined ? {} : { timestamp }),
  });
}

export function deliver(
  api: ApiHarness,
  payload: string | Buffer,
  signature: string | undefined = sign(String(payload)),
) {
  const post = api.http.post('/api/webhooks/stripe').set('content-type', 'application/json; charset=utf-8');
  return (signature === '' ? post : post.set('stripe-signature', signature))
    .serialize((body) => body as string)
    .send(payload as never);
}
