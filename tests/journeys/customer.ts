import type { Product } from './product';

/** A user with a browser, as far as HTTP is concerned. */
export interface Person {
  readonly email: string;
  readonly password: string;
  call<T = unknown>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

/** Creates a visitor, who becomes a user with `login`. */
export function person(product: Product, email: string, password: string): Person & { login(): Promise<void> } {
  let token: string | undefined;
  const call = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> => {
    const form = body instanceof URLSearchParams;
    const answer = await fetch(`${product.url}/api${path}`, {
      method,
      headers: {
        ...(body === undefined
          ? {}
          : { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: form ? body.toString() : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: (isJson(answer) ? JSON.parse(text) : text) as T };
  };
  return {
    email,
    password,
    call,
    async login() {
      const answer = await call<{ access_token: string }>(
        'POST',
        '/auth/login',
        new URLSearchParams({ username: email, password }),
      );
      if (answer.status !== 200) throw new Error(`login: ${answer.status} ${JSON.stringify(answer.body)}`);
      token = answer.body.access_token;
    },
  };
}

const isJson = (answer: Response): boolean => (answer.headers.get('content-type') ?? '').includes('json');

/** Polls until the value is the wanted one. Fails with the last value. */
export async function until<T>(
  what: string,
  attempt: () => Promise<T>,
  wanted: (value: T) => boolean,
  timeoutMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await attempt();
    if (wanted(value)) return value;
    if (Date.now() > deadline) throw new Error(`${what} did not come about; last seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
